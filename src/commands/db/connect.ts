import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { getDatabase } from '../../api/operations.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { printed } from '../../cli/define/result.ts';
import { rest } from '../../cli/values/parameters.ts';
import { SANDBOX_DATABASE_HOSTS } from '../../contract/operations.ts';
import { SIGN_IN_VARIABLES } from '../../environment.ts';
import { usageError } from '../../errors.ts';
import { shellWord } from '../../shell-line.ts';
import { findProgram, runChild } from '../shared/programs.ts';
import { type Connection, connectionOf, DATABASE_ARGUMENT, databaseSeen } from './connection.ts';

export default defineCommand({
  path: 'db connect',
  summary: 'Open a database in psql, mysql or redis-cli',
  effect: 'changes',
  usage: '<database> [options] [-- <arguments...>]',
  args: {
    database: DATABASE_ARGUMENT,
    arguments: rest('arguments for the client, after --', 0),
  },
  options: {},
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
    const connection = connectionOf(value, id);
    io.redactor.add(connection.password);
    const isStandIn = connection.host.endsWith(SANDBOX_DATABASE_HOSTS);
    const { command, env } = clientFor(connection, id, context, isStandIn);
    if (isStandIn) {
      const [program = '', ...others] = [...command, ...words];
      await io.show((screen) => {
        screen.line('The sandbox has no real database. It would run:');
        screen.verbatim(
          `  ${[basename(program), ...others].map((word) => shellWord(word)).join(' ')}`,
        );
      });
      return printed({ seen: databaseSeen(value) });
    }
    await io.note(`Connecting to ${id} on ${connection.host}.`);
    const sharesTerminal = io.stdinIsTty;
    // The client connects to another server, which must not get the token.
    const noSignIn = Object.fromEntries(SIGN_IN_VARIABLES.map((name) => [name, undefined]));
    const childEnv = { ...context.env, ...noSignIn, ...env };
    const options = {
      env: childEnv,
      cwd: context.program.cwd(),
      signal: context.time.signal,
      sharesTerminal,
    };
    const session = () => runChild([...command, ...words], options);
    const exitCode = await (sharesTerminal ? io.lendTerminal(session) : session());
    return printed({ exitCode, seen: databaseSeen(value) });
  },
});

interface DatabaseClient {
  readonly scheme: RegExp;
  /** The best first. */
  readonly programs: readonly [string, ...string[]];
  readonly packages: string;
  readonly argumentsFor: (connection: Connection, program: string) => readonly string[];
  readonly passwordVariable: string;
}

const unlessEmpty = (value: string, ...words: readonly string[]) => (value === '' ? [] : words);

const CLIENTS: readonly DatabaseClient[] = [
  {
    scheme: /^postgres(?:ql)?$/,
    programs: ['psql'],
    packages: 'apt install postgresql-client, or brew install libpq',
    argumentsFor: (connection) => [`--dbname=${postgresUrl(connection)}`],
    passwordVariable: 'PGPASSWORD',
  },
  {
    scheme: /^(?:mysql|mariadb)$/,
    programs: ['mysql', 'mariadb'],
    packages: 'apt install mariadb-client, or brew install mysql-client',
    argumentsFor: ({ host, port, username, database, parameters }, program) => [
      `--host=${host}`,
      ...unlessEmpty(port, `--port=${port}`),
      ...unlessEmpty(username, `--user=${username}`),
      ...unlessEmpty(database, `--database=${database}`),
      ...mysqlEncryption(parameters, program),
      // Otherwise a server could ask the client for any local file. Arguments after -- can allow
      // it.
      '--local-infile=0',
    ],
    passwordVariable: 'MYSQL_PWD',
  },
  {
    scheme: /^(?:rediss?|valkeys?)$/,
    programs: ['redis-cli', 'valkey-cli'],
    packages: 'apt install redis-tools, or brew install redis',
    argumentsFor: ({ scheme, host, port, username, database }) => [
      ...['-h', host],
      ...unlessEmpty(port, '-p', port),
      ...(/^\d+$/.test(database) ? ['-n', database] : []),
      // Servers from before ACLs accept no user name; "default" is their only user.
      ...(username === 'default' ? [] : unlessEmpty(username, '--user', username)),
      ...(scheme.endsWith('s') && scheme !== 'redis' ? ['--tls'] : []),
    ],
    passwordVariable: 'REDISCLI_AUTH',
  },
];

/**
 * The command line of a client, and the variable that carries the password. One that is only shown
 * needs no client.
 * @throws CliError `usage` for an unknown kind of database, and if no client is installed.
 */
function clientFor(
  connection: Connection,
  id: string,
  context: Needs<'env' | 'program'>,
  isShown: boolean,
) {
  const kind = CLIENTS.find(({ scheme }) => scheme.test(connection.scheme));
  if (kind === undefined) {
    throw usageError(`svc has no client for a "${connection.scheme}" database.`, {
      say: 'Show the connection, for a client of your choice:',
      run: [`svc db inspect ${id} --reveal`],
    });
  }
  const { programs, packages, passwordVariable } = kind;
  const program = findProgram(programs, context) ?? (isShown ? programs[0] : undefined);
  if (program === undefined) {
    const names = programs.map((name) => `"${name}"`).join(' or ');
    throw usageError(
      `This database needs ${names}, and PATH has no such program.`,
      `To install it: ${packages}`,
    );
  }
  return {
    command: [program, ...kind.argumentsFor(connection, program)],
    env: connection.password === '' ? {} : { [passwordVariable]: connection.password },
  };
}

/** libpq takes many more, which name other hosts and local files. */
const POSTGRES_PARAMETERS =
  /^(?:sslmode|application_name|connect_timeout|channel_binding|target_session_attrs)$/;

/** Without the password. */
function postgresUrl({ host, port, username, database, parameters }: Connection): string {
  const user = username === '' ? '' : `${encodeURIComponent(username)}@`;
  const address = `${host.includes(':') ? `[${host}]` : host}${port === '' ? '' : `:${port}`}`;
  const kept = parameters.filter(([name]) => POSTGRES_PARAMETERS.test(name));
  const query = kept.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return `postgresql://${user}${address}/${encodeURIComponent(database)}${query === '' ? '' : `?${query}`}`;
}

const VERIFIED = ['--ssl', '--ssl-verify-server-cert'];

/** The modes of encryption as MariaDB's clients name them. */
const MARIADB_MODES: ReadonlyMap<string, readonly string[]> = new Map([
  ['DISABLED', ['--skip-ssl']],
  ['PREFERRED', []],
  ['REQUIRED', ['--ssl']],
  ['VERIFY_CA', VERIFIED],
  ['VERIFY_IDENTITY', VERIFIED],
]);

/**
 * The clients of MySQL and MariaDB name encryption differently, and `mysql` is often a link to
 * MariaDB's.
 */
function mysqlEncryption(parameters: Connection['parameters'], program: string): readonly string[] {
  const [, mode = ''] = parameters.find(([name]) => /^ssl-?mode$/i.test(name)) ?? [];
  const word = mode.toUpperCase().replaceAll('-', '_');
  const ofMariadb = MARIADB_MODES.get(word);
  if (ofMariadb === undefined) return [];
  return basename(realpathSync(program)).startsWith('mariadb') ? ofMariadb : [`--ssl-mode=${word}`];
}
