import { createOtherIdWarning, findOtherId } from '../../api/identity.ts';
import { getDatabase } from '../../api/operations.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { readAnswer } from '../../cli/define/result.ts';
import { flag } from '../../cli/values/parameters.ts';
import {
  DATABASE as DATABASE_FIELDS,
  DATABASE_LOOKUP,
  REFERENCE,
} from '../../contract/fields/operations.ts';
import type { DatabaseLookup } from '../../contract/types.ts';
import { CliError, usageError } from '../../errors.ts';
import {
  asObject,
  asText,
  createFieldReaders,
  objectOrNothing,
  unreadFields,
  unreadParts,
} from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { MASK } from '../../terminal/mask.ts';
import { dim, type Screen, state } from '../../terminal/screen.ts';
import { describeNamed } from '../shared/names.ts';
import {
  connectionOf,
  credentialsIn,
  DATABASE_ARGUMENT,
  databaseSeen,
  maskDatabase,
  saysIncluded,
} from './connection.ts';
import { createDotenv } from './dotenv.ts';

export default defineCommand({
  path: 'db inspect',
  summary: 'Show a database, its plan, and how to connect to it',
  effect: 'reads',
  args: { database: DATABASE_ARGUMENT },
  options: {
    reveal: flag('show the password'),
    env: flag('print the connection as lines for a .env file, with the password in the clear'),
  },
  tool: {
    title: 'A database',
    says: 'Engine, version, size, plan and service of a database. Passwords are masked; a person can see them. About 150 tokens.',
    takes: { database: 'id of the database' },
  },
  examples: [
    ['svc db inspect db_pg_5t9w2kqe', 'a database, with its password masked'],
    ['svc db inspect db_pg_5t9w2kqe --reveal', 'the same with the password in the clear'],
    [
      'svc db inspect db_pg_5t9w2kqe --env >> .env',
      'the connection, for a program that reads a .env file',
    ],
  ],
  exitCodes: [
    [5, 'with --env: the credentials are for owners and admins only'],
    [9, 'with --env: a value has no form in a .env file and was left out'],
  ],

  async run(context, { database: id, reveal, env }) {
    if (env && context.globals.json) {
      throw usageError('--env and --json are two forms of the same answer.', 'Use one of the two.');
    }
    const answer = await getDatabase(await context.api.client(), id);
    const dotenv = env ? createDotenv(connectionOf(answer.value, id)) : undefined;
    const result = readAnswer(answer, (value) => {
      return { answer: reveal ? value : maskDatabase(value), id, masked: !reveal, dotenv };
    });
    const other = findOtherId(asObject(answer.value.database), 'database', id);
    const warnings = other === undefined ? [] : [createOtherIdWarning(id, other)];
    return {
      ...result,
      failure: leftOut(context, id, dotenv?.leftOut),
      warnings,
      seen: databaseSeen(answer.value),
    };
  },

  human(screen, { answer, id, masked, dotenv }) {
    if (!masked || dotenv !== undefined) screen.exact();
    if (dotenv === undefined) describe(screen, answer, id, masked);
    else screen.verbatim(dotenv.lines.join('\n'));
  },

  batch: {
    of: 'database',
    single: ['env'],
    row: {
      head: ['Name', 'Engine', 'Version', 'Status', 'Plan', 'Service'],
      of({ answer: { database, plan, service } }) {
        const { name, engine, version, status } = asObject(database);
        return [
          ...[name, engine, version, status].map(asText),
          describeNamed(plan),
          describeNamed(service),
        ];
      },
    },
  },
});

/** A program would start without its password. */
function leftOut(
  { globals }: Needs<'globals'>,
  id: string,
  names: readonly string[] = [],
): CliError | undefined {
  if (names.length === 0) return undefined;
  return new CliError('failed', `A .env file cannot contain ${names.join(', ')}: left out.`, {
    hint: commandLine(['db', 'inspect', id], { reveal: true }, globals),
  });
}

function describe(screen: Screen, answer: DatabaseLookup, id: string, masked: boolean): void {
  const database = asObject(answer.database);
  const status = asText(database.status);
  const [name, engine, version] = [database.name, database.engine, database.version].map(asText);
  screen.heading(`Database ${name ?? asText(database.id) ?? id}`);
  screen.fields([
    ['Id', asText(database.id)],
    ['Status', status === undefined ? undefined : state(status)],
    ['Engine', [engine, version].filter(Boolean).join(' ') || undefined],
    ['Plan', describeNamed(answer.plan)],
    ['Service', describeNamed(answer.service)],
  ]);
  showCredentials(screen, answer, id, masked);
  screen.unknownFields(unreadFields(database, createFieldReaders(DATABASE_FIELDS)));
  screen.unknownFields({
    ...unreadParts({
      plan: unreadFields(answer.plan, NAMED),
      service: unreadFields(answer.service, NAMED),
    }),
    ...unreadFields(answer, {
      ...createFieldReaders(DATABASE_LOOKUP),
      plan: nameOrObject,
      service: nameOrObject,
    }),
  });
}

const NAMED = createFieldReaders(REFERENCE);

const nameOrObject = (value: unknown) => asText(value) ?? objectOrNothing(value);

function showCredentials(
  screen: Screen,
  answer: DatabaseLookup,
  id: string,
  masked: boolean,
): void {
  const { connectionUrl, username, password } = credentialsIn(answer);
  screen.line();
  if ((connectionUrl ?? username ?? password) === undefined) {
    const isForOthers = saysIncluded(answer) === false;
    screen.line(
      dim(
        isForOthers
          ? 'Credentials are for owners and admins only.'
          : 'The answer has no credentials.',
      ),
    );
    if (isForOthers) screen.next([['svc orgs', 'your role in each organization']]);
    return;
  }
  screen.fields([
    ['Connection', connectionUrl],
    ['Username', username],
    ['Password', password],
  ]);
  const isMasked = masked && (password === MASK || connectionUrl?.includes(MASK));
  screen.next([
    ...(isMasked ? [`svc db inspect ${id} --reveal`] : []),
    ...(connectionUrl === undefined ? [] : [`svc db connect ${id}`]),
  ]);
}
