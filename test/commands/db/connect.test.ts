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
  ...words: readonly string[]
) {
  const path = await temporaryFolder();
  const report = join(path, 'report');
  const print = `printf '%s\\n' "$0" "$@"; env | grep -E '^(${SECRETS})='`;
  for (const name of programs) {
    await writeFile(
      join(path, name),
      `#!/bin/sh\nPATH=/usr/bin:/bin\n{ ${print}; } > '${report}'\nexit 7\n`,
    );
    await chmod(join(path, name), 0o755);
  }
  const env = { PATH: path, SVC_SESSION_TOKEN: 'dashboard-session-1' };
  const line = ['db', 'connect', 'db_1', ...words];
  const run = await against(line, { 'GET /v1/databases/db_1': [answer] }, { env });
  const seen = async () => {
    const [program = '', ...lines] = (await readFile(report, 'utf8')).trimEnd().split('\n');
    return [program.slice(path.length + 1), ...lines].join(' | ');
  };
  return { run, seen };
}

const KEPT =
  'sslmode=require&application_name=a&connect_timeout=5&channel_binding=require&target_session_attrs=any';
const DROPPED = 'host=e&hostaddr=192.0.2.1&port=1&passfile=/f&service=s&sslkey=engine:x&options=-c';
const PSQL = 'psql | --dbname=postgresql:/';
const SAFE = '--local-infile=0 | MYSQL_PWD=$';
const VERIFIED = '--ssl | --ssl-verify-server-cert';

test.each<[url: string, seen: string, programs?: readonly string[], password?: string]>([
  [
    'postgresql://ann:ignored@h:6543/my%20shop?password=x',
    `${PSQL}/ann@h:6543/my%20shop | PGPASSWORD=$`,
  ],
  [`postgres://ann@h/shop?${DROPPED}&${KEPT}`, `${PSQL}/ann@h/shop?${KEPT} | PGPASSWORD=$`],
  // No part of a password that nobody escaped reaches the command line.
  ['postgres://ann:pa@ss/w?rd@h/shop', `${PSQL}/ann@h/shop | PGPASSWORD=$`, USUAL, 'pa@ss/w?rd'],
  [
    'mysql://ann@h:3307/shop',
    `mysql | --host=h | --port=3307 | --user=ann | --database=shop | ${SAFE}`,
  ],
  ['mariadb://h?ssl-mode=REQUIRED', `mysql | --host=h | --ssl-mode=REQUIRED | ${SAFE}`],
  ['mysql://h?sslmode=verify_identity', `mariadb | --host=h | ${VERIFIED} | ${SAFE}`, ['mariadb']],
  ['mysql://h?ssl-mode=required', `mariadb | --host=h | --ssl | ${SAFE}`, ['mariadb']],
  ['mysql://h?ssl-mode=disabled', `mariadb | --host=h | --skip-ssl | ${SAFE}`, ['mariadb']],
  ['mysql://h?ssl-mode=what', `mysql | --host=h | ${SAFE}`],
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

test('arguments behind -- go to the client as they are', async () => {
  const { seen } = await connect(
    { connectionUrl: 'postgres://h/d' },
    USUAL,
    '--',
    '-c',
    'select 1; --',
    '--json',
  );
  expect(await seen()).toBe(`${PSQL}/h/d | -c | select 1; -- | --json`);
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
  [{ connectionUrl: 'mongodb://ann@h/d' }, 2, 'svc has no client for a "mongodb" database.'],
  [{ database: { id: 'db_1' }, credentialsIncluded: false }, 5, 'only owners and admins get them'],
  [{ database: { id: 'db_1' } }, 5, 'The platform did not send the credentials of db_1.'],
  [{ credentialsIncluded: true }, 1, 'The answer about db_1 has no connection URL.'],
  [{ database: { id: 'db_2' }, connectionUrl: 'postgres://h/d' }, 8, 'the answer is about db_2'],
])('%j starts nothing: exit %i, %s', async (answer, exitCode, says, programs) => {
  const { run } = await connect(answer, programs);
  expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(says) });
});
