import type { Command } from 'commander';
import { getDatabase } from '../../api/databases.ts';
import type { Attach } from '../../command/attach.ts';
import type { Context } from '../../command/context.ts';
import { answered, type Result } from '../../command/result.ts';
import { dim, type Screen, state, type Text } from '../../io/screen.ts';
import { asObject, asText, otherFields } from '../../spec/read.ts';
import type { DatabaseLookup } from '../../spec/types.ts';
import { MASK, maskDatabase } from '../shared/mask-credentials.ts';

export interface InspectOptions {
  readonly database: string;
  /** Show the password. */
  readonly reveal?: boolean;
}

interface Inspected {
  /** The answer as it may be shown: masked unless asked for in the clear. */
  readonly answer: DatabaseLookup;
  readonly id: string;
  readonly masked: boolean;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent
    .command('inspect')
    .description('Show a database, its plan, and how to connect to it')
    .argument('<database>', 'id of the database')
    .option('--reveal', 'show the password');
  attach(command, {
    run,
    human,
    examples: [
      ['svc db inspect db_pg_main', 'a database, its password masked'],
      ['svc db inspect db_pg_main --reveal', 'the same with the password in the clear'],
    ],
  });
}

export async function run(context: Context, options: InspectOptions): Promise<Result<Inspected>> {
  const answer = await getDatabase(await context.client(), options.database);
  const masked = options.reveal !== true;
  return answered(answer, {
    answer: masked ? maskDatabase(answer.value) : answer.value,
    id: options.database,
    masked,
  });
}

export function human(screen: Screen, { answer, id, masked }: Inspected): void {
  const database = asObject(answer.database);
  const status = asText(database['status']);
  screen.heading(`Database ${asText(database['name']) ?? asText(database['id']) ?? id}`);
  screen.fields([
    ['Status', status === undefined ? undefined : state(status)],
    ['Engine', asText(database['engine'])],
    ['Plan', nameOf(answer.plan)],
    ['Service', nameOf(answer.service)],
  ]);
  screen.rest(otherFields(database, ['status', 'engine', 'name']));
  credentials(screen, answer, id, masked);
  screen.rest(otherFields(answer.plan, ['name']), 'Plan');
  screen.rest(otherFields(answer.service, ['name']), 'Service');
  screen.rest(otherFields(answer, KNOWN));
}

const KNOWN = [
  'database',
  'plan',
  'service',
  'credentialsIncluded',
  'connectionUrl',
  'username',
  'password',
];

function credentials(screen: Screen, answer: DatabaseLookup, id: string, masked: boolean): void {
  const { connectionUrl, username, password, credentialsIncluded } = answer;
  screen.line();
  if (connectionUrl === undefined && username === undefined && password === undefined) {
    const why = credentialsIncluded === true ? 'although it says that they are' : 'only owners and admins see them';
    screen.line(dim(`Credentials are not in the answer: ${why}.`));
    if (credentialsIncluded !== true) screen.next(['svc orgs   to see your role in each organization']);
    return;
  }
  screen.fields([
    ['Connection', asText(connectionUrl)],
    ['Username', asText(username)],
    ['Password', asText(password)],
  ]);
  const next = [`svc db connect ${id}`];
  screen.next(masked && usesMask(answer) ? [`svc db inspect ${id} --reveal`, ...next] : next);
}

function usesMask({ connectionUrl, password }: DatabaseLookup): boolean {
  return password === MASK || asText(connectionUrl)?.includes(MASK) === true;
}

function nameOf(value: unknown): Text | undefined {
  const { name, id } = asObject(value);
  return asText(value) ?? asText(name) ?? asText(id);
}
