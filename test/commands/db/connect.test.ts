import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { against } from '../../support/against.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';

const DATABASE = 'GET /v1/databases/db_1';
const PASSWORD = "p@ss'w0rd $x";
const SECRETS = 'PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SVC_TOKEN|SVC_TOKEN_FILE|SVC_SESSION_TOKEN';

/** A folder with stand-ins for clients: each writes its arguments and the secrets in its variables down, and exits with 7. */
async function clients(...names: readonly string[]) {
  const path = await temporaryFolder();
  const report = join(path, 'report');
  const print = `printf '%s\\n' "$0" "$@"; env | grep -E '^(${SECRETS})='`;
  const script = `#!/bin/sh\nPATH=/usr/bin:/bin\n{ ${print}; } > '${report}'\nexit 7\n`;
  for (const name of names) {
    await writeFile(join(path, name), script);
    await chmod(join(path, name), 0o755);
  }
  const seen = async () => {
    const [program = '', ...lines] = (await readFile(report, 'utf8')).trimEnd().split('\n');
    return [program.slice(path.length + 1), ...lines].join(' | ');
  };
  return { path, seen };
}

test.each([
  ['db_pg_5t9w2kqe', "psql '--dbname=postgresql://booking@booking.db.sandbox.example:5432/booking?sslmode=require' -v"],
  ['db_mysql_8h3n6vrc', 'mysql --host=kola-blog.db.sandbox.example --port=3306 --user=kola_blog '],
  ['db_redis_1x7d4zmb', 'redis-cli -h booking-sessions.db.sandbox.example -p 6380 -n 0 --tls -v'],
])('for %s of the sandbox, which leads nowhere, the command line is shown, without a client', async (id, line) => {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const options = { url: sandbox.url, token: sandbox.token, env: { PATH: '' } };
  const run = await svc(['db', 'connect', id, '--', '-v'], options);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain(`The sandbox has no real database. It would run:\n  ${line}`);
  expect(run.stdout).not.toContain('not-a-secret');
});

const KEPT = 'sslmode=require&application_name=a&connect_timeout=5&channel_binding=require&target_session_attrs=any';
const DROPPED = 'host=e&hostaddr=192.0.2.1&port=1&passfile=/f&service=s&sslkey=engine:x&options=-c';
const WITHOUT_FILES = '--local-infile=0 | MYSQL_PWD=$';

/* biome-ignore format: a row a line */
test.each<[url: string, seen: string, programs?: readonly string[], password?: string]>([
  ['postgresql://ann:ignored@h:6543/my%20shop?sslmode=require&password=x', 'psql | --dbname=postgresql://ann@h:6543/my%20shop?sslmode=require | PGPASSWORD=$'],
  [`postgres://ann@h/shop?${DROPPED}&${KEPT}`, `psql | --dbname=postgresql://ann@h/shop?${KEPT} | PGPASSWORD=$`],
  [`postgres://ann:${PASSWORD}@h/shop`, 'psql | --dbname=postgresql://ann@h/shop | PGPASSWORD=$'],
  ['postgres://ann@[2001:db8::1]/shop', 'psql | --dbname=postgresql://ann@[2001:db8::1]/shop | PGPASSWORD=$'],
  // No part of a password that nobody escaped reaches the command line.
  ['postgres://ann:pa@ss/w?rd@h/shop', 'psql | --dbname=postgresql://ann@h/shop | PGPASSWORD=$', ['psql'], 'pa@ss/w?rd'],
  ['mysql://ann@h:3307/shop?ssl-mode=REQUIRED', `mysql | --host=h | --port=3307 | --user=ann | --database=shop | --ssl-mode=REQUIRED | ${WITHOUT_FILES}`],
  ['mariadb://h', `mysql | --host=h | ${WITHOUT_FILES}`],
  ['mysql://h?sslmode=verify_identity', `mariadb | --host=h | --ssl | --ssl-verify-server-cert | ${WITHOUT_FILES}`, ['mariadb']],
  ['mysql://h?ssl-mode=verify-ca', `mariadb | --host=h | --ssl | --ssl-verify-server-cert | ${WITHOUT_FILES}`, ['mariadb']],
  ['mysql://h?ssl-mode=required', `mariadb | --host=h | --ssl | ${WITHOUT_FILES}`, ['mariadb']],
  ['mysql://h?ssl-mode=preferred', `mariadb | --host=h | ${WITHOUT_FILES}`, ['mariadb']],
  ['mysql://h?ssl-mode=disabled', `mariadb | --host=h | --skip-ssl | ${WITHOUT_FILES}`, ['mariadb']],
  ['mysql://h?ssl-mode=what', `mysql | --host=h | ${WITHOUT_FILES}`],
  ['redis://:ignored@cache:6379/3', 'redis-cli | -h | cache | -p | 6379 | -n | 3 | REDISCLI_AUTH=$'],
  ['rediss://default@cache', 'redis-cli | -h | cache | --tls | REDISCLI_AUTH=$'],
  ['valkeys://ann@cache/0', 'valkey-cli | -h | cache | -n | 0 | --user | ann | --tls | REDISCLI_AUTH=$', ['valkey-cli']],
  ['valkey://cache/name', 'redis-cli | -h | cache | REDISCLI_AUTH=$'],
])('%s starts %s', async (connectionUrl, expected, programs = ['psql', 'mysql', 'redis-cli'], password = PASSWORD) => {
  const { path, seen } = await clients(...programs);
  const env = { PATH: path, SVC_SESSION_TOKEN: 'dashboard-session-1' };
  const run = await against('db connect db_1', { [DATABASE]: [{ connectionUrl, password }] }, { env });
  expect(run).toMatchObject({ exitCode: 7, stdout: '' });
  // The password is beside the connection, and the sign-in nowhere.
  expect(await seen()).toBe(expected.replace('$', () => password));
  expect(run.stderr).toMatch(/^Connecting to db_1 on [\w:]+\.\n$/);
});

test('arguments behind -- go to the client as they are', async () => {
  const { path, seen } = await clients('psql');
  const line = ['db', 'connect', 'db_1', '--', '-c', 'select 1; --', '--json'];
  await against(line, { [DATABASE]: [{ connectionUrl: 'postgres://ann@h/d' }] }, { env: { PATH: path } });
  expect(await seen()).toBe('psql | --dbname=postgresql://ann@h/d | -c | select 1; -- | --json');
});

test('a password that the platform gives as the host as well is not shown', async () => {
  const { path } = await clients('psql');
  const answer = { connectionUrl: 'postgres://ann@pass-word-1/shop', password: 'pass-word-1' };
  const run = await against('db connect db_1', { [DATABASE]: [answer] }, { env: { PATH: path } });
  expect(run).toMatchObject({ exitCode: 7, stderr: 'Connecting to db_1 on [redacted].\n' });
});

const NOT_UNDERSTOOD =
  'Error: svc does not understand the connection URL of db_1.\nTry: svc db inspect db_1 --reveal\n';
const PACKAGES = 'apt install postgresql-client, brew install libpq, or https://www.postgresql.org/download/';
const NO_PSQL = `Error: This database needs "psql", and PATH has no such program.\n  To install it: ${PACKAGES}\n`;

/* biome-ignore format: a row a line */
test.each<[answer: object, exitCode: number, says: string, programs?: readonly string[]]>([
  [{ connectionUrl: 'mysql://ann@h/a%00b' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'mysql://ann%00@h/d' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'mysql://ann@h/d', password: 'pass\u0000word' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'redis://:pass%00word@h' }, 1, NOT_UNDERSTOOD],
  [{ connectionUrl: 'postgres://ann@h/d' }, 2, NO_PSQL, []],
  [{ connectionUrl: 'mongodb://ann@h/d' }, 2, 'svc has no client for a "mongodb" database.'],
  [{ connectionUrl: 'constructor://ann@h/d' }, 2, 'svc has no client for a "constructor" database.'],
  [{ database: { id: 'db_1' }, credentialsIncluded: false }, 5, 'only owners and admins get them'],
  [{ database: { id: 'db_1' } }, 5, 'The platform did not send the credentials of db_1.'],
  [{ credentialsIncluded: true }, 1, 'includes the credentials of db_1, but no connection URL'],
  [{ password: 'word-1' }, 1, 'The answer has credentials of db_1, but no connection URL.\nTry: svc db inspect db_1 --reveal'],
  [{ database: { id: 'db_2' }, connectionUrl: 'postgres://h/d' }, 8, 'the answer is about db_2'],
])('%j starts nothing: exit %i, %s', async (answer, exitCode, says, programs = ['psql', 'mysql', 'redis-cli']) => {
  const { path } = await clients(...programs);
  const run = await against('db connect db_1', { [DATABASE]: [answer] }, { env: { PATH: path } });
  expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(says) });
});

test.each(['--json', '--jq=.'])('%s is refused before anything is sent', async (flag) => {
  expect(await against(`db connect db_1 ${flag}`, {})).toMatchObject({ exitCode: 2, stdout: '' });
});
