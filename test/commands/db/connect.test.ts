import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { temporaryFolder } from '../../support/svc.ts';

const PASSWORD = "p@ss'w0rd $x";
const SECRETS = 'PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SVC_TOKEN|SVC_TOKEN_FILE|SVC_SESSION_TOKEN';
const USUAL = ['psql', 'mysql', 'redis-cli'];

/**
 * Connects to a database of which the platform says this, with stand-ins for clients: each writes
 * its arguments and the secrets in its variables down, and exits with 7.
 */
async function connect(
  answer: object,
  programs: readonly string[] = USUAL,
  words: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
) {
  const path = await temporaryFolder();
  const report = join(path, 'report');
  const names = [SECRETS, ...Object.keys(variables)].join('|');
  const print = `printf '%s\\n' "$0" "$@"; env | sort | grep -E '^(${names})='`;
  for (const name of programs) {
    await writeFile(
      join(path, name),
      `#!/bin/sh\nPATH=/usr/bin:/bin\n{ ${print}; } > '${report}'\nexit 7\n`,
    );
    await chmod(join(path, name), 0o755);
  }
  const env = { PATH: path, SVC_SESSION_TOKEN: 'dashboard-session-1', ...variables };
  const line = ['db', 'connect', 'db_1', ...words];
  const run = await against(line, { 'GET /v1/databases/db_1': [answer] }, { env });
  const seen = async () => {
    const [program = '', ...lines] = (await readFile(report, 'utf8')).trimEnd().split('\n');
    return [program.slice(path.length + 1), ...lines].join(' | ');
  };
  return { run, seen };
}

const KEPT =
  'application_name=a&connect_timeout=5&channel_binding=require&target_session_attrs=any';
const PSQL = 'psql | --dbname=postgresql:/';
const MYSQL = 'mysql | --no-defaults | --host=h | --port=3306 | --protocol=tcp';
const MARIADB = MYSQL.replace('mysql', 'mariadb');
const SAFE = '--local-infile=0 | MYSQL_PWD=$';
const VERIFIED = '--ssl | --ssl-verify-server-cert';
const UNVERIFIED = '--ssl | --skip-ssl-verify-server-cert';

test.each<[url: string, seen: string, programs?: readonly string[], password?: string]>([
  ['postgresql://ann:ignored@h:6543/my%20shop', `${PSQL}/ann@h:6543/my%20shop | PGPASSWORD=$`],
  [
    `postgres://ann@h/shop?${KEPT}&sslmode=require`,
    `${PSQL}/ann@h:5432/shop?sslmode=require&${KEPT} | PGPASSWORD=$`,
  ],
  // No part of a password that nobody escaped reaches the command line.
  [
    'postgres://ann:pa@ss/w?rd@h/shop',
    `${PSQL}/ann@h:5432/shop | PGPASSWORD=$`,
    USUAL,
    'pa@ss/w?rd',
  ],
  [
    'mysql://ann@h:3307/shop',
    `${MYSQL.replace('3306', '3307')} | --user=ann | --database=shop | ${SAFE}`,
  ],
  [
    'redis://:ignored@cache:6379/3',
    'redis-cli | -h | cache | -p | 6379 | -n | 3 | REDISCLI_AUTH=$',
  ],
  ['rediss://default@cache', 'redis-cli | -h | cache | --tls | REDISCLI_AUTH=$'],
  [
    'valkeys://ann@cache',
    'valkey-cli | -h | cache | --user | ann | --tls | REDISCLI_AUTH=$',
    ['valkey-cli'],
  ],
])('%s starts %s', async (connectionUrl, expected, programs = USUAL, password = PASSWORD) => {
  const { run, seen } = await connect({ connectionUrl, password }, programs);

  expect(run).toMatchObject({ exitCode: 7, stdout: '' });
  // The password is beside the connection, and the sign-in nowhere.
  expect(await seen()).toBe(expected.replace('$', () => password));
  expect(run.stderr).toMatch(/^Connecting to db_1 on [\w:]+\.\n$/);
});

test.each<[url: string, seen: string]>([
  ['postgres://host/db?user=u&password=secret', `${PSQL}/u@host:5432/db | PGPASSWORD=secret`],
  ['postgres://host/db?username=u&password=a+b%20c', `${PSQL}/u@host:5432/db | PGPASSWORD=a+b c`],
  ['postgresql:///db?host=h&port=6543&user=u', `${PSQL}/u@h:6543/db`],
  ['postgresql:///db?host=h,i&port=6543', `${PSQL}/h:6543,i:6543/db`],
  ['postgres://h,i,j/db?port=1,,3', `${PSQL}/h:1,i:5432,j:3/db`],
  ['postgres://u@h?dbname=shop', `${PSQL}/u@h:5432/shop`],
  [
    'postgres://u@h/db?options=endpoint%3Dep-cool-1',
    `${PSQL}/u@h:5432/db?options=endpoint%3Dep-cool-1`,
  ],
  [
    'postgres://u@h/db?sslmode=verify-full&sslrootcert=system',
    `${PSQL}/u@h:5432/db?sslmode=verify-full&sslrootcert=system`,
  ],
  ['postgres://h/db?application_name=a@b', `${PSQL}/h:5432/db?application_name=a%40b`],
  ['postgres://u@[2001:db8::1]:1/db', `${PSQL}/u@[2001:db8::1]:1/db`],
  [
    'postgres://u:secret@h1:5432,h2:6543/db?target_session_attrs=any',
    `${PSQL}/u@h1:5432,h2:6543/db?target_session_attrs=any | PGPASSWORD=secret`,
  ],
  [
    'postgres://h1:5432,h2:6543/db?application_name=a@b',
    `${PSQL}/h1:5432,h2:6543/db?application_name=a%40b`,
  ],
  ['postgres://u@h1,[2001:db8::1]:1/db', `${PSQL}/u@h1:5432,[2001:db8::1]:1/db`],
  ['redis://h?db=2&password=secret', 'redis-cli | -h | h | -n | 2 | REDISCLI_AUTH=secret'],
  ['rediss://h:1?username=u&db=0', 'redis-cli | -h | h | -p | 1 | -n | 0 | --user | u | --tls'],
  [
    'mysql://h/shop?user=u&password=secret',
    `${MYSQL} | --user=u | --database=shop | --local-infile=0 | MYSQL_PWD=secret`,
  ],
])('the parameters of %s are parts of it: %s', async (connectionUrl, expected) => {
  const { run, seen } = await connect({ connectionUrl });

  expect(await seen()).toBe(expected);
  expect(run.stderr).toMatch(/^Connecting to db_1 on [\w:]+\.\n$/);
});

test.each<[url: string, unused: string]>([
  ['postgres://h:2/d?host=e&hostaddr=192.0.2.1&port=1', 'host, hostaddr, port'],
  ['postgres://h/d?passfile=/f&service=s&sslkey=engine:x', 'passfile, service, sslkey'],
  ['postgres://h/d?sslrootcert=/etc/ca.pem&schema=public', 'sslrootcert, schema'],
  ['postgres://u@h/d?user=v&user=u', 'user'],
  ['postgres://u:p@h/d?user=v&password=secret', 'user, password'],
  ['mysql://h/d?connection_limit=5&ssl-ca=/ca.pem', 'connection_limit, ssl-ca'],
  ['mysql://h,i,j/d?connection_limit=5', 'host i, host j, connection_limit'],
  ['redis://h,i/cache', 'host i, database cache'],
  ['redis://h/1?db=2&ssl_cert_reqs=none', 'db, ssl_cert_reqs'],
])('what is not used of %s is named, without its value', async (connectionUrl, unused) => {
  const { run } = await connect({ connectionUrl });

  expect(run.stderr).toBe(`Connecting to db_1 on h.\nNot used of its connection URL: ${unused}.\n`);
});

test.each<[query: string, ofMysql: string, ofMariadb: string]>([
  ['ssl-mode=REQUIRED', '--ssl-mode=REQUIRED', VERIFIED],
  ['ssl_mode=REQUIRED', '--ssl-mode=REQUIRED', VERIFIED],
  ['sslmode=require', '--ssl-mode=REQUIRED', VERIFIED],
  ['ssl=true', '--ssl-mode=REQUIRED', VERIFIED],
  ['tls=true', '--ssl-mode=REQUIRED', VERIFIED],
  ['tls=skip-verify', '--ssl-mode=REQUIRED', VERIFIED],
  ['useSSL=true', '--ssl-mode=REQUIRED', VERIFIED],
  ['useSSL=true&requireSSL=true&verifyServerCertificate=false', '--ssl-mode=REQUIRED', VERIFIED],
  ['useSSL=true&verifyServerCertificate=true', '--ssl-mode=VERIFY_CA', VERIFIED],
  ['sslVerifyServerCert=true', '--ssl-mode=VERIFY_IDENTITY', VERIFIED],
  ['sslaccept=strict', '--ssl-mode=VERIFY_IDENTITY', VERIFIED],
  ['sslaccept=accept_invalid_certs', '--ssl-mode=REQUIRED', VERIFIED],
  ['ssl={"rejectUnauthorized":true}', '--ssl-mode=VERIFY_CA', VERIFIED],
  ['ssl={"rejectUnauthorized":false}', '--ssl-mode=REQUIRED', VERIFIED],
  ['sslmode=verify_identity', '--ssl-mode=VERIFY_IDENTITY', VERIFIED],
  ['sslMode=VERIFY_CA&ssl=true', '--ssl-mode=VERIFY_CA', VERIFIED],
  ['ssl-mode=preferred', '--ssl-mode=PREFERRED', UNVERIFIED],
  ['ssl-mode=disabled', '--ssl-mode=DISABLED', '--skip-ssl'],
  ['ssl-mode=disabled&ssl=true', '--ssl-mode=REQUIRED', VERIFIED],
])('mysql://h?%s is as encrypted as it says', async (query, ofMysql, ofMariadb) => {
  const answer = { connectionUrl: `mysql://h?${query}`, password: PASSWORD };
  const withPassword = (line: string) => line.replace('$', () => PASSWORD);

  const mysql = await connect(answer, ['mysql']);
  const mariadb = await connect(answer, ['mariadb']);

  expect(await mysql.seen()).toBe(withPassword(`${MYSQL} | ${ofMysql} | ${SAFE}`));
  expect(await mariadb.seen()).toBe(withPassword(`${MARIADB} | ${ofMariadb} | ${SAFE}`));
  const isVerifiedInstead = ofMysql === '--ssl-mode=REQUIRED';
  expect(mariadb.run.stderr.includes('--ssl-ca=<file>')).toBe(isVerifiedInstead);
});

test.each<[url: string, part: string]>([
  ['postgres://h/d?ssl=true', '?sslmode=require'],
  ['postgres://h/d?ssl=0', '?sslmode=disable'],
  ['postgres://h/d?sslmode=no-verify', '?sslmode=require'],
  ['postgres://h/d?sslmode=require&sslaccept=strict', '?sslmode=verify-full'],
  ['postgres://h/d?sslmode=verify-ca', '?sslmode=verify-ca'],
  ['postgres://h/d?sslmode=allow', '?sslmode=allow'],
  ['redis://h?ssl=true', '--tls'],
  ['redis://h?tls=required', '--tls'],
  ['rediss://h?ssl=false', '--tls'],
])('%s starts its client with %s', async (connectionUrl, part) => {
  const { run, seen } = await connect({ connectionUrl });

  expect(await seen()).toContain(part);
  expect(run.stderr).toBe('Connecting to db_1 on h.\n');
});

test("the user's own variables do not decide where a client connects, or as whom", async () => {
  const own = {
    PGHOSTADDR: '192.0.2.1',
    PGPORT: '1',
    PGSERVICE: 's',
    PGUSER: 'eve',
    PGDATABASE: 'other',
    PGPASSWORD: 'own-secret',
    MYSQL_PWD: 'own-secret',
    MYSQL_TCP_PORT: '1',
    MARIADB_TLS_DISABLE_PEER_VERIFICATION: '1',
    REDISCLI_AUTH: 'own-secret',
    VALKEYCLI_AUTH: 'own-secret',
  };
  const kept = { PGSSLROOTCERT: '/ca.pem', PGAPPNAME: 'mine' };
  const names = { ...own, ...kept };

  const psql = await connect({ connectionUrl: 'postgres://h/d' }, USUAL, [], names);
  const mysql = await connect({ connectionUrl: 'mysql://h/d' }, USUAL, [], names);
  const redis = await connect({ connectionUrl: 'redis://h' }, USUAL, [], names);

  const left = async (variables: RegExp, { seen }: typeof psql) =>
    (await seen()).split(' | ').filter((line) => variables.test(line));
  expect(await left(/^PG/, psql)).toEqual(['PGAPPNAME=mine', 'PGSSLROOTCERT=/ca.pem']);
  expect(await left(/^M/, mysql)).toEqual([]);
  expect(await left(/^(?:REDIS|VALKEY)/, redis)).toEqual([]);
});

test('arguments behind -- go to the client as they are', async () => {
  const { seen } = await connect({ connectionUrl: 'postgres://h/d' }, USUAL, [
    '--',
    '-c',
    'select 1; --',
    '--json',
  ]);
  expect(await seen()).toBe(`${PSQL}/h:5432/d | -c | select 1; -- | --json`);
});

test('a password that the platform gives as the host as well is not shown', async () => {
  const { run } = await connect({
    connectionUrl: 'postgres://ann@pass-word-1/shop',
    password: 'pass-word-1',
  });
  expect(run).toMatchObject({ exitCode: 7, stderr: 'Connecting to db_1 on [redacted].\n' });
});

const NOT_UNDERSTOOD =
  'does not understand the connection URL of db_1.\nTry: svc db inspect db_1 --reveal\n';

test.each<[answer: object, exitCode: number, says: string, programs?: readonly string[]]>([
  [{ connectionUrl: 'mysql://ann@h/a%00b' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'redis://:pass%00word@h' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'postgres://ann@h/d' }, 2, 'This database needs "psql"', []],
  [
    { connectionUrl: 'mysql://h?ssl-mode=what' },
    2,
    'an encryption that svc does not know, in "ssl-mode"',
  ],
  [{ connectionUrl: 'mysql://h?tls=my-config' }, 2, 'in "tls".'],
  [{ connectionUrl: 'mysql://h?requireSSL=perhaps' }, 2, 'in "requireSSL".'],
  [{ connectionUrl: 'mysql://h?ssl={"rejectUnauthorized"' }, 2, 'in "ssl".'],
  [{ connectionUrl: 'mysql://h?ssl=Amazon%20RDS' }, 2, 'in "ssl"'],
  [{ connectionUrl: 'postgres://h?sslmode=strong' }, 2, 'in "sslmode"'],
  [{ connectionUrl: 'postgres:///d?host=/run/sockets' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'postgres://h,-x/d' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'postgres:///d?host=-x' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'postgres://h/d?port=-x' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'mongodb://ann@h/d' }, 2, 'svc has no client for a "mongodb" database.'],
  [{ database: { id: 'db_1' }, credentialsIncluded: false }, 5, 'only owners and admins get them'],
  [{ database: { id: 'db_1' } }, 5, 'The platform did not send the credentials of db_1.'],
  [{ credentialsIncluded: true }, 1, 'The answer about db_1 has no connection URL.'],
  [{ database: { id: 'db_2' }, connectionUrl: 'postgres://h/d' }, 8, 'the answer is about db_2'],
])('%j starts nothing: exit %i, %s', async (answer, exitCode, says, programs) => {
  const { run } = await connect(answer, programs);
  expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(says) });
});
