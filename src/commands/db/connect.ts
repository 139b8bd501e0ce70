import { basename } from 'node:path';
import { getDatabase } from '../../api/call.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand, printed } from '../../cli/define/define.ts';
import { rest } from '../../cli/values/parameters.ts';
import { SANDBOX_DATABASE_HOSTS } from '../../contract/operations.ts';
import { type Env, SIGN_IN_VARIABLES } from '../../environment.ts';
import { listNames, usageError } from '../../errors.ts';
import { joinWords } from '../../shell-line.ts';
import { findProgram, runChild } from '../shared/programs.ts';
import { DATABASE_CLIENTS } from './clients.ts';
import {
  type Connection,
  DATABASE_ARGUMENT,
  readConnection,
  toKnownDatabase,
} from './connection.ts';
import { readEncryption } from './encryption.ts';

export default defineCommand({
  summary: 'Open a database in psql, mysql or redis-cli',
  effect: 'changes',
  usage: '<database> [options] [-- <arguments...>]',
  args: {
    database: DATABASE_ARGUMENT,
    arguments: rest('arguments for the client, after --', 0),
  },
  examples: [
    [
      'svc db connect db_pg_5t9w2kqe',
      'a session in psql, with the password kept off the command line',
    ],
    ["svc db connect db_pg_5t9w2kqe -- -c 'select version()'", 'one statement'],
  ],
  exitCodes: [[5, 'the credentials are for owners and admins only']],

  async run(context, { database: id, arguments: words }) {
    const { io, globals } = context;
    if (globals.json) {
      throw usageError(
        'svc db connect starts a database client, so it has no --json.',
        `svc db inspect ${id} --json`,
      );
    }
    const { value } = await getDatabase(await context.api.client(), id);
    const connection = readConnection(value, id);
    io.redactor.add(connection.password);
    const namesToCache = toKnownDatabase(value);
    const isStandIn = connection.host.endsWith(SANDBOX_DATABASE_HOSTS);
    const plan = planClient(connection, id, context, isStandIn);
    if (isStandIn) {
      const [program = '', ...others] = [...plan.command, ...words];
      await io.show((screen) => {
        screen.line('The sandbox has no real database. It would run:');
        screen.verbatim(`  ${joinWords([basename(program), ...others])}`);
      });
      return printed({ namesToCache });
    }

    await io.note(`Connecting to ${id} on ${connection.host}.`);
    const { unused, ifItFails } = plan.start;
    if (unused.length > 0) {
      await io.note(`Not used of its connection URL: ${listNames(unused)}.`);
    }
    const exitCode = await runClient([...plan.command, ...words], plan.env, context);
    if (exitCode !== 0 && ifItFails !== undefined) await io.note(ifItFails);
    return printed({ exitCode, namesToCache });
  },
});

/** The client connects to another server, which must not get the token. */
const NO_SIGN_IN: Env = Object.fromEntries(SIGN_IN_VARIABLES.map((name) => [name, undefined]));

function runClient(
  command: readonly string[],
  variables: Env,
  context: Needs<'io' | 'env' | 'program' | 'time'>,
) {
  const { io } = context;
  const env = { ...context.env, ...NO_SIGN_IN, ...variables };
  const session = () => runChild(command, { env }, context);
  return io.stdinIsTty ? io.lendTerminal(session) : session();
}

/**
 * Returns the command line of a client, and its variables, of which one carries the password. One
 * that is only shown needs no client.
 * @throws CliError `usage` for an unknown kind of database, for an encryption that svc does not
 * know, and if no client is installed.
 */
function planClient(
  connection: Connection,
  id: string,
  context: Needs<'env' | 'program'>,
  isShown: boolean,
) {
  const client = DATABASE_CLIENTS.find(({ scheme }) => scheme.test(connection.scheme));
  if (client === undefined) {
    throw usageError(`svc has no client for a "${connection.scheme}" database.`, {
      say: 'Show the connection, for a client of your choice:',
      run: [`svc db inspect ${id} --reveal`],
    });
  }

  const encryption = readEncryption(connection.parameters, id);
  const { programs, packages, passwordVariable, neutralEnv } = client;
  const program = findProgram(programs, context) ?? (isShown ? programs[0] : undefined);
  if (program === undefined) {
    const names = programs.map((name) => `"${name}"`).join(' or ');
    throw usageError(
      `This database needs ${names}, and PATH has no such program.`,
      `To install it: ${packages}`,
    );
  }

  const start = client.planStart(connection, encryption, program);
  return {
    command: [program, ...start.args],
    env: { ...neutralEnv, [passwordVariable]: connection.password || undefined },
    start,
  };
}
