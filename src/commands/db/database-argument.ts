import { required } from '../../command/parameters.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';

/** Which database a command works on. */
export const DATABASE = required('id of the database', {
  read: (text) => parseIdentifier(text, 'The database id'),
  offer: 'databases',
});
