import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { tryOr } from '../../errors.ts';
import type { Connection } from './connection.ts';
import type { UrlParameter } from './connection-url.ts';
import { type Encryption, isAboutEncryption, isEncryptionDemanded } from './encryption.ts';

/** How a client is started. */
export interface Start {
  readonly args: readonly string[];
  /** The hosts, the database and the parameters that the client does not get, in words. */
  readonly unused: readonly string[];
  /** A sentence for where the client ends with an error. */
  readonly ifItFails?: string | undefined;
}

/** The programs that open databases. */
export const DATABASE_CLIENTS = [
  {
    scheme: /^postgres(?:ql)?$/,
    /** The names of the program, the best first. */
    programs: ['psql'],
    packages: 'apt install postgresql-client, or brew install libpq',
    passwordVariable: 'PGPASSWORD',
    /**
     * The variables that would decide in place of the URL: each is removed, or has the value that
     * makes it say nothing.
     */
    neutralEnv: withoutVariables(
      'PGHOST PGHOSTADDR PGPORT PGDATABASE PGUSER PGPASSWORD PGSERVICE PGCLUSTER',
    ),
    planStart: planPostgres,
  },
  {
    scheme: /^(?:mysql|mariadb)$/,
    programs: ['mysql', 'mariadb'],
    packages: 'apt install mariadb-client, or brew install mysql-client',
    passwordVariable: 'MYSQL_PWD',
    neutralEnv: {
      ...withoutVariables(
        'MYSQL_HOST MYSQL_TCP_PORT MYSQL_UNIX_PORT MYSQL_PWD MARIADB_TLS_DISABLE_PEER_VERIFICATION',
      ),
      // MySQL's client reads the file of mysql_config_editor whatever else it is told.
      MYSQL_TEST_LOGIN_FILE: '',
    },
    planStart: planMysql,
  },
  {
    scheme: /^(?:rediss?|valkeys?)$/,
    programs: ['redis-cli', 'valkey-cli'],
    packages: 'apt install redis-tools, or brew install redis',
    passwordVariable: 'REDISCLI_AUTH',
    neutralEnv: withoutVariables('REDISCLI_AUTH VALKEYCLI_AUTH'),
    planStart: planRedis,
  },
];

function withoutVariables(names: string) {
  return Object.fromEntries(names.split(' ').map((name) => [name, undefined]));
}

function unlessEmpty(value: string, ...words: readonly string[]) {
  return value === '' ? [] : words;
}

/** The parameters that libpq may be given: many more name other hosts and local files. */
const POSTGRES_PARAMETERS =
  /^(?:application_name|connect_timeout|channel_binding|target_session_attrs|options|gssencmode|ssl_m(?:in|ax)_protocol_version)$/;

const POSTGRES_MODES: Readonly<Record<Encryption, string>> = {
  disabled: 'disable',
  allowed: 'allow',
  preferred: 'prefer',
  required: 'require',
  verify_ca: 'verify-ca',
  verify_identity: 'verify-full',
};

const DEFAULT_POSTGRES_PORT = '5432';

/** Writes the URL without the password. Each port is written, or `PGPORT` would decide. */
function planPostgres(
  { hosts, username, database, parameters }: Connection,
  encryption: Encryption | undefined,
): Start {
  const user = unlessEmpty(username, `${encodeURIComponent(username)}@`).join('');
  const addresses = hosts.map(({ host, port }) => {
    const name = host.includes(':') ? `[${host}]` : host;
    return `${name}:${port || DEFAULT_POSTGRES_PORT}`;
  });

  const mode = encryption === undefined ? [] : [['sslmode', POSTGRES_MODES[encryption]]];
  const query = [...mode, ...parameters.filter(isForLibpq)]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const end = query === '' ? '' : `?${query}`;
  const path = `postgresql://${user}${addresses.join()}/${encodeURIComponent(database)}`;
  return {
    args: [`--dbname=${path}${end}`],
    unused: listUnused(
      [],
      parameters.filter((parameter) => !isForLibpq(parameter)),
    ),
  };
}

/** The root certificates may be those of the machine; any other value names a file. */
function isForLibpq([name, value]: UrlParameter) {
  return POSTGRES_PARAMETERS.test(name) || (name === 'sslrootcert' && value === 'system');
}

const DEFAULT_MYSQL_PORT = '3306';

function planMysql(
  { host, port, hosts, username, database, parameters }: Connection,
  encryption: Encryption | undefined,
  program: string,
): Start {
  // A program that is only shown need not exist.
  const isMariadb = basename(tryOr(() => realpathSync(program), program)).startsWith('mariadb');
  const isVerifiedInstead = isMariadb && encryption === 'required';
  return {
    args: [
      // It comes first. A ~/.my.cnf would have a password, a port or a socket of its own.
      '--no-defaults',
      `--host=${host}`,
      `--port=${port || DEFAULT_MYSQL_PORT}`,
      // Otherwise "localhost" is a socket, whatever the port.
      '--protocol=tcp',
      ...unlessEmpty(username, `--user=${username}`),
      ...unlessEmpty(database, `--database=${database}`),
      ...(encryption === undefined ? [] : createMysqlEncryption(isMariadb, encryption)),
      // Otherwise a server could ask the client for any local file. Arguments after -- can allow
      // it.
      '--local-infile=0',
    ],
    unused: listUnused(hosts, parameters),
    ifItFails: isVerifiedInstead ? VERIFIED_INSTEAD : undefined,
  };
}

/**
 * Lists the hosts behind the first, for a client that takes one, and parameters that are not about
 * encryption, by their names: values may be secrets.
 */
function listUnused(
  hosts: Connection['hosts'],
  parameters: readonly UrlParameter[],
  others: readonly string[] = [],
) {
  return [
    ...hosts.slice(1).map(({ host }) => `host ${host}`),
    ...others,
    ...parameters.map(([name]) => name).filter((name) => !isAboutEncryption(name)),
  ];
}

const VERIFIED_INSTEAD =
  "The connection URL asks for encryption. MariaDB's client can insist on it only if it verifies the certificate as well, so it does. If it refuses the certificate, name its authority behind --: --ssl-ca=<file>.";

const VERIFIED = ['--ssl', '--ssl-verify-server-cert'];

/** MariaDB's `--ssl` alone goes on without encryption where the server has none. */
const MARIADB_MODES: Readonly<Record<Encryption, readonly string[]>> = {
  disabled: ['--skip-ssl'],
  allowed: ['--ssl', '--skip-ssl-verify-server-cert'],
  preferred: ['--ssl', '--skip-ssl-verify-server-cert'],
  required: VERIFIED,
  verify_ca: VERIFIED,
  verify_identity: VERIFIED,
};

/**
 * The clients of MySQL and MariaDB name encryption differently, and `mysql` is often a link to
 * MariaDB's.
 */
function createMysqlEncryption(isMariadb: boolean, encryption: Encryption) {
  if (isMariadb) return MARIADB_MODES[encryption];
  const mode = encryption === 'allowed' ? 'preferred' : encryption;
  return [`--ssl-mode=${mode.toUpperCase()}`];
}

function planRedis(
  { scheme, host, port, hosts, username, database, parameters }: Connection,
  encryption: Encryption | undefined,
): Start {
  const hasSecureScheme = /^(?:rediss|valkeys)$/.test(scheme);
  const isEncrypted = hasSecureScheme || isEncryptionDemanded(encryption);
  const isNumber = /^\d+$/.test(database);
  return {
    args: [
      '-h',
      host,
      ...unlessEmpty(port, '-p', port),
      ...(isNumber ? ['-n', database] : []),
      // Servers from before ACLs accept no user name; "default" is their only user.
      ...(username === 'default' ? [] : unlessEmpty(username, '--user', username)),
      ...(isEncrypted ? ['--tls'] : []),
    ],
    unused: listUnused(
      hosts,
      parameters,
      isNumber ? [] : unlessEmpty(database, `database ${database}`),
    ),
  };
}
