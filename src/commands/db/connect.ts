import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { defineCommand } from '../../command/define.ts';
import { rest } from '../../command/parameters.ts';
import { findProgram, type ProgramPlaces, runChild } from '../../command/programs.ts';
import { silent } from '../../command/result.ts';
import { SIGN_IN_VARIABLES } from '../../environment.ts';
import { CliError, usageError } from '../../errors.ts';
import { getDatabase } from '../../service/operations.ts';
import { type Connection, connectionOf, DATABASE, seenIn } from './connection.ts';

/** A database client, ready to start. */
interface ClientCall {
  /** The absolute path of the program, and its arguments; the password is not among them. */
  readonly command: readonly string[];
  /** Variables that carry the password to it. */
  readonly env: Readonly<Record<string, string>>;
}

/** How one kind of database is connected to. */
interface ClientKind {
  /** Programs that can do it, the best first. */
  readonly programs: readonly [string, ...string[]];
  /** Where the programs come from. */
  readonly packages: string;
  readonly argumentsFor: (connection: Connection, program: string) => readonly string[];
  readonly passwordVariable: string;
}

const POSTGRES: ClientKind = {
  programs: ['psql'],
  packages: 'apt install postgresql-client, brew install libpq, or https://www.postgresql.org/download/',
  argumentsFor: (connection) => [`--dbname=${postgresUrl(connection)}`],
  passwordVariable: 'PGPASSWORD',
};

const MYSQL: ClientKind = {
  programs: ['mysql', 'mariadb'],
  packages: 'apt install mariadb-client, brew install mysql-client, or https://dev.mysql.com/downloads/',
  argumentsFor: ({ host, port, username, database, parameters }, program) => [
    `--host=${host}`,
    ...(port === '' ? [] : [`--port=${port}`]),
    ...(username === '' ? [] : [`--user=${username}`]),
    ...(database === '' ? [] : [`--database=${database}`]),
    ...mysqlEncryption(parameters, program),
    // A server could otherwise ask the client for any file of this machine; behind -- it can be allowed.
    '--local-infile=0',
  ],
  passwordVariable: 'MYSQL_PWD',
};

const REDIS: ClientKind = {
  programs: ['redis-cli', 'valkey-cli'],
  packages: 'apt install redis-tools, brew install redis, or https://redis.io/docs/install/',
  argumentsFor: ({ scheme, host, port, username, database }) => [
    ...['-h', host],
    ...(port === '' ? [] : ['-p', port]),
    ...(/^\d+$/.test(database) ? ['-n', database] : []),
    // Servers older than users know no name, and take the password of "default" without one.
    ...(username === '' || username === 'default' ? [] : ['--user', username]),
    ...(scheme.endsWith('s') && scheme !== 'redis' ? ['--tls'] : []),
  ],
  passwordVariable: 'REDISCLI_AUTH',
};

const KINDS: Readonly<Record<string, ClientKind>> = {
  postgres: POSTGRES,
  postgresql: POSTGRES,
  mysql: MYSQL,
  mariadb: MYSQL,
  redis: REDIS,
  rediss: REDIS,
  valkey: REDIS,
  valkeys: REDIS,
};

/**
 * The client for a connection.
 * @throws CliError `usage` for a kind of database that svc knows no client of, and where the client is not installed.
 */
function clientFor(connection: Connection, id: string, places: ProgramPlaces): ClientCall {
  const kind = Object.hasOwn(KINDS, connection.scheme) ? KINDS[connection.scheme] : undefined;
  if (kind === undefined) {
    throw usageError(
      `svc knows no client for a "${connection.scheme}" database.`,
      `svc db inspect ${id} --reveal, for a client of your choice`,
    );
  }
  const program = findProgram(kind.programs, places);
  if (program === undefined) throw missing(kind);
  return {
    command: [program, ...kind.argumentsFor(connection, program)],
    env: connection.password === '' ? {} : { [kind.passwordVariable]: connection.password },
  };
}

function missing({ programs, packages }: ClientKind): CliError {
  const names = programs.map((name) => `"${name}"`).join(' or ');
  return new CliError('usage', `This database needs ${names}, and PATH has no such program.`, { hint: packages });
}

/** Parameters that say how to connect, and neither where nor with which files of this machine; libpq takes many more. */
const POSTGRES_PARAMETERS = [
  'sslmode',
  'application_name',
  'connect_timeout',
  'channel_binding',
  'target_session_attrs',
];

/** The connection as psql takes it, without the password. */
function postgresUrl({ host, port, username, database, parameters }: Connection): string {
  const user = username === '' ? '' : `${encodeURIComponent(username)}@`;
  const address = `${host.includes(':') ? `[${host}]` : host}${port === '' ? '' : `:${port}`}`;
  const kept = parameters.filter(([name]) => POSTGRES_PARAMETERS.includes(name));
  const query = kept.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `postgresql://${user}${address}/${encodeURIComponent(database)}${query === '' ? '' : `?${query}`}`;
}

/** The two families of clients name encryption differently; `mysql` is often a link to that of MariaDB. */
function mysqlEncryption(parameters: Connection['parameters'], program: string): readonly string[] {
  const [, mode = ''] = parameters.find(([name]) => /^ssl-?mode$/i.test(name)) ?? [];
  const word = mode.toUpperCase().replaceAll('-', '_');
  if (!['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'].includes(word)) return [];
  if (!basename(realpathSync(program)).startsWith('mariadb')) return [`--ssl-mode=${word}`];
  if (word === 'DISABLED') return ['--skip-ssl'];
  if (word === 'PREFERRED') return [];
  return word === 'REQUIRED' ? ['--ssl'] : ['--ssl', '--ssl-verify-server-cert'];
}

export default defineCommand({
  path: 'db connect',
  summary: 'Open a database in psql, mysql or redis-cli',
  effect: 'changes',
  usage: '<database> [options] [-- <arguments...>]',
  args: {
    database: DATABASE,
    arguments: rest('arguments for the client, after --', 0),
  },
  options: {},
  examples: [
    ['svc db connect db_pg_5t9w2kqe', 'a session in psql, with the password kept off the command line'],
    ["svc db connect db_pg_5t9w2kqe -- -c 'select version()'", 'one statement'],
  ],
  exitCodes: [[5, 'the credentials are for owners and admins only']],

  async run({ io, api, settings, system }, { database: id, arguments: words }) {
    if (settings.globals.json) {
      throw usageError('This hands over to a database client, which knows no --json.', `svc db inspect ${id} --json`);
    }
    const { value } = await getDatabase(await api.client(), id);
    const connection = connectionOf(value, id);
    io.redactor.add(connection.password);
    const { command, env } = clientFor(connection, id, system);
    await io.note(`Connecting to ${id} on ${connection.host}.`);
    const sharesTerminal = io.stdinIsTty;
    const session = () =>
      runChild([...command, ...words], {
        // The client talks to another server, which has no business with the sign-in.
        env: { ...system.env, ...Object.fromEntries(SIGN_IN_VARIABLES.map((name) => [name, undefined])), ...env },
        cwd: system.cwd,
        signal: system.signal,
        sharesTerminal,
      });
    const exitCode = await (sharesTerminal ? io.lendTerminal(session) : session());
    return { ...silent(), exitCode, seen: seenIn(value) };
  },
});
