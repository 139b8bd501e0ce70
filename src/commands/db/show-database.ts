import { DATABASE, DATABASE_LOOKUP, REFERENCE } from '../../contract/fields/operations.ts';
import type { DatabaseLookup } from '../../contract/operations.ts';
import {
  asObject,
  asText,
  asYesOrNo,
  createFieldReaders,
  objectOrNothing,
  unreadFields,
  unreadParts,
} from '../../json/values.ts';
import { MASK } from '../../terminal/mask.ts';
import { dim, type Screen, state } from '../../terminal/screen.ts';
import { describeNamed } from '../shared/names.ts';
import { findCredentials } from './connection.ts';

/** An answer as it is shown, with its secrets masked or not. */
interface ShownDatabase {
  readonly answer: DatabaseLookup;
  readonly id: string;
  readonly isMasked: boolean;
}

/** Shows a database, its credentials and what svc does not know. */
export function showDatabase(screen: Screen, shown: ShownDatabase): void {
  const { answer, id } = shown;
  const database = asObject(answer.database);
  const status = asText(database.status);
  const engine = [database.engine, database.version].map(asText).filter(Boolean).join(' ');
  screen.heading(`Database ${asText(database.name) ?? asText(database.id) ?? id}`);
  screen.fields([
    ['Id', asText(database.id)],
    ['Status', status && state(status)],
    ['Engine', engine || undefined],
    ['Plan', describeNamed(answer.plan)],
    ['Service', describeNamed(answer.service)],
  ]);

  showCredentials(screen, shown);
  showUnknownFields(screen, answer);
}

function showCredentials(screen: Screen, { answer, id, isMasked }: ShownDatabase) {
  const { connectionUrl, username, password } = findCredentials(answer);
  screen.line();
  if ((connectionUrl ?? username ?? password) === undefined) {
    const isForOthers = asYesOrNo(answer.credentialsIncluded) === false;
    const who = 'Credentials are for owners and admins only.';
    screen.line(dim(isForOthers ? who : 'The answer has no credentials.'));
    if (isForOthers) screen.next([['svc orgs', 'your role in each organization']]);
    return;
  }

  screen.fields([
    ['Connection', connectionUrl],
    ['Username', username],
    ['Password', password],
  ]);
  const commands: string[] = [];
  const hasMask = password === MASK || connectionUrl?.includes(MASK);
  if (isMasked && hasMask) commands.push(`svc db inspect ${id} --reveal`);
  if (connectionUrl !== undefined) commands.push(`svc db connect ${id}`);
  screen.next(commands);
}

const NAMED = createFieldReaders(REFERENCE);

const readNamed = (value: unknown) => asText(value) ?? objectOrNothing(value);

function showUnknownFields(screen: Screen, answer: DatabaseLookup) {
  screen.unknownFields(unreadFields(answer.database, createFieldReaders(DATABASE)));
  screen.unknownFields({
    ...unreadParts({
      plan: unreadFields(answer.plan, NAMED),
      service: unreadFields(answer.service, NAMED),
    }),
    ...unreadFields(answer, {
      ...createFieldReaders(DATABASE_LOOKUP),
      plan: readNamed,
      service: readNamed,
    }),
  });
}
