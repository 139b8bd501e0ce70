import { required } from '../../command/parameters.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import type { KnownNames } from '../../command/result.ts';
import { asObject, asText } from '../../spec/read.ts';
import type { DatabaseLookup } from '../../spec/types.ts';

/** Which database a command works on. */
export const DATABASE = required('id of the database', {
  read: (text) => parseIdentifier(text, 'The database id'),
  offer: 'databases',
});

/** The service of a database, for Tab; nothing if the answer names none, or was streamed. */
export function seenIn(answer: DatabaseLookup | undefined): KnownNames {
  const { id, name } = asObject(answer?.service);
  const service = asText(id);
  return service === undefined ? {} : { services: [{ name: service, about: asText(name) }] };
}
