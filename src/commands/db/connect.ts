import { getDatabase } from '../../api/databases.ts';
import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { type Result, silent } from '../../command/result.ts';
import { runChild } from '../../command/spawn.ts';
import { SIGN_IN_VARIABLES } from '../../environment.ts';
import { usageError } from '../../errors.ts';
import { connectionOf } from './connection.ts';
import { clientFor } from './database-client.ts';

export interface ConnectOptions {
  readonly database: string;
  /** Arguments for the client, as they are. */
  readonly clientArguments?: readonly string[];
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('connect')
    .description('Open a database in psql, mysql or redis-cli')
    .argument('<database>', 'id of the database')
    .argument('[client-arguments...]', 'arguments for the client, after --')
    .usage('<database> [options] [-- <client-arguments...>]');
  attach(command, {
    run,
    human: () => undefined,
    examples: [
      ['svc db connect db_pg_5t9w2kqe', 'a session in psql, with the password kept off the command line'],
      ["svc db connect db_pg_5t9w2kqe -- -c 'select version()'", 'one statement'],
    ],
    exitCodes: [[5, 'the credentials are for owners and admins only']],
  });
}

export async function run(context: Context, options: ConnectOptions): Promise<Result<undefined>> {
  const id = parseIdentifier(options.database, 'The database id');
  if (context.settings.globals.json) {
    throw usageError('This hands over to a database client, which knows no --json.', `svc db inspect ${id} --json`);
  }
  const answer = await getDatabase(await context.api.client(), id);
  const connection = connectionOf(answer.value, id);
  context.io.redactor.add(connection.password);
  const { command, env } = clientFor(connection, id, context.system);
  await context.io.note(`Connecting to ${id} on ${connection.host}.`);
  const sharesTerminal = context.io.stdinIsTty;
  const session = () =>
    runChild([...command, ...(options.clientArguments ?? [])], {
      // The client talks to another server, which has no business with the sign-in.
      env: { ...context.system.env, ...Object.fromEntries(SIGN_IN_VARIABLES.map((name) => [name, undefined])), ...env },
      cwd: context.system.cwd,
      signal: context.system.signal,
      sharesTerminal,
    });
  const exitCode = await (sharesTerminal ? context.io.lendTerminal(session) : session());
  return { ...silent(), exitCode };
}
