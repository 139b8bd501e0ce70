import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const PASSWORD = "p@ss'w0rd $x";

/** A folder with stand-ins for clients: each writes its arguments and the secrets in its variables down, and exits with 7. */
async function clients(...names: string[]): Promise<{ path: string; seen: () => Promise<string[]> }> {
  const folder = await temporaryFolder();
  const report = join(folder, 'report');
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
{ printf '%s\\n' "$0" "$@"; env | grep -E '^(PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SVC_TOKEN|SVC_TOKEN_FILE|SVC_SESSION_TOKEN)='; } > '${report}'
exit 7
`;
  for (const name of names) {
    await writeFile(join(folder, name), script);
    await chmod(join(folder, name), 0o755);
  }
  const seen = async () => {
    const [program = '', ...lines] = (await readFile(report, 'utf8')).trimEnd().split('\n');
    return [program.slice(folder.length + 1), ...lines];
  };
  return { path: folder, seen };
}

async function connect(connectionUrl: string, names: string[], more: readonly string[] = []) {
  const { path, seen } = await clients(...names);
  const wire = await testWire();
  wire.on('GET', '/v1/databases/db_1').reply(200, { connectionUrl, password: PASSWORD });
  const env = { PATH: path, SVC_SESSION_TOKEN: 'dashboard-session-1' };
  const run = await svc(['db', 'connect', 'db_1', ...more], { url: wire.url, env });
  return { run, seen };
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

test('a password that the platform gives as the host as well is not shown', async () => {
  const { path } = await clients('psql');
  const wire = await testWire();
  wire
    .on('GET', '/v1/databases/db_1')
    .reply(200, { connectionUrl: 'postgres://ann@pass-word-1/shop', password: 'pass-word-1' });
  const run = await svc(['db', 'connect', 'db_1'], { url: wire.url, env: { PATH: path } });
  expect(run).toMatchObject({ exitCode: 7, stderr: 'Connecting to db_1 on [redacted].\n' });
});

test('no part of a password that nobody escaped reaches the command line or the screen', async () => {
  const { path, seen } = await clients('psql');
  const wire = await testWire();
  const answer = { connectionUrl: 'postgres://ann:pa@ss/w?rd@db.example/shop', password: 'pa@ss/w?rd' };
  wire.on('GET', '/v1/databases/db_1').reply(200, answer);
  const run = await svc(['db', 'connect', 'db_1'], { url: wire.url, env: { PATH: path } });
  expect(run).toMatchObject({ exitCode: 7, stderr: 'Connecting to db_1 on db.example.\n' });
  expect(await seen()).toEqual(['psql', '--dbname=postgresql://ann@db.example/shop', 'PGPASSWORD=pa@ss/w?rd']);
});

describe('the client gets the connection, and the password beside it, but not the sign-in', () => {
  test.each([
    [
      'postgresql://ann:ignored@db.example:6543/my%20shop?sslmode=require&password=x',
      ['psql', '--dbname=postgresql://ann@db.example:6543/my%20shop?sslmode=require', `PGPASSWORD=${PASSWORD}`],
    ],
    [
      'postgres://ann@db.example/shop?host=evil.example&hostaddr=192.0.2.1&port=1&passfile=/f&service=s&sslkey=engine:x&options=-c&sslmode=require&application_name=a&connect_timeout=5&channel_binding=require&target_session_attrs=any',
      [
        'psql',
        '--dbname=postgresql://ann@db.example/shop?sslmode=require&application_name=a&connect_timeout=5&channel_binding=require&target_session_attrs=any',
        `PGPASSWORD=${PASSWORD}`,
      ],
    ],
    [
      `postgres://ann:${PASSWORD}@db.example/shop`,
      ['psql', '--dbname=postgresql://ann@db.example/shop', `PGPASSWORD=${PASSWORD}`],
    ],
    [
      'postgres://ann@[2001:db8::1]/shop',
      ['psql', '--dbname=postgresql://ann@[2001:db8::1]/shop', `PGPASSWORD=${PASSWORD}`],
    ],
    [
      'mysql://ann@db.example:3307/shop?ssl-mode=REQUIRED',
      [
        'mysql',
        '--host=db.example',
        '--port=3307',
        '--user=ann',
        '--database=shop',
        '--ssl-mode=REQUIRED',
        '--local-infile=0',
        `MYSQL_PWD=${PASSWORD}`,
      ],
    ],
    ['mariadb://db.example', ['mysql', '--host=db.example', '--local-infile=0', `MYSQL_PWD=${PASSWORD}`]],
    [
      'redis://:ignored@cache:6379/3',
      ['redis-cli', '-h', 'cache', '-p', '6379', '-n', '3', `REDISCLI_AUTH=${PASSWORD}`],
    ],
    ['rediss://default@cache', ['redis-cli', '-h', 'cache', '--tls', `REDISCLI_AUTH=${PASSWORD}`]],
    ['redis://ann@cache/0', ['redis-cli', '-h', 'cache', '-n', '0', '--user', 'ann', `REDISCLI_AUTH=${PASSWORD}`]],
  ])('%s', async (url, expected) => {
    const { run, seen } = await connect(url, ['psql', 'mysql', 'redis-cli']);
    expect(run.exitCode).toBe(7);
    expect(run.stdout).toBe('');
    expect(await seen()).toEqual(expected);
    expect(run.stderr).not.toContain(PASSWORD);
  });

  test('with only the client of MariaDB there, its own words for encryption are used', async () => {
    const { seen } = await connect('mysql://ann@h/d?ssl-mode=verify_identity', ['mariadb']);
    expect(await seen()).toEqual([
      'mariadb',
      '--host=h',
      '--user=ann',
      '--database=d',
      '--ssl',
      '--ssl-verify-server-cert',
      '--local-infile=0',
      `MYSQL_PWD=${PASSWORD}`,
    ]);
  });

  test('arguments behind -- go to the client as they are', async () => {
    const { seen } = await connect('postgres://ann@h/d', ['psql'], ['--', '-c', 'select 1; --', '--json']);
    expect(await seen()).toEqual([
      'psql',
      '--dbname=postgresql://ann@h/d',
      '-c',
      'select 1; --',
      '--json',
      `PGPASSWORD=${PASSWORD}`,
    ]);
  });
});

test.each([
  ['mysql://ann@h/a%00b', {}],
  ['mysql://ann%00@h/d', {}],
  ['mysql://ann@h/d', { password: 'pass\u0000word' }],
  ['redis://:pass%00word@h', {}],
])('%s with %j cannot be handed to a program: an error, no bug', async (connectionUrl, more) => {
  const { path } = await clients('mysql', 'redis-cli');
  const wire = await testWire();
  wire.on('GET', '/v1/databases/db_1').reply(200, { connectionUrl, ...more });
  const run = await svc(['db', 'connect', 'db_1'], { url: wire.url, env: { PATH: path } });
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toBe(
    'Error: svc does not understand the connection URL of db_1.\nTry: svc db inspect db_1 --reveal\n',
  );
});

test('a missing client is named, with its packages', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/databases/db_1').reply(200, { connectionUrl: 'postgres://ann@h/d' });
  const run = await svc(['db', 'connect', 'db_1'], { url: wire.url, env: { PATH: await temporaryFolder() } });
  expect(run).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: `Error: This database needs "psql", and PATH has no such program.
  To install it: apt install postgresql-client, brew install libpq, or https://www.postgresql.org/download/
`,
  });
});

test('a kind of database that svc has no client of is said', async () => {
  const { run } = await connect('mongodb://ann@h/d', ['mongosh']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('mongodb');
});

test('without credentials it names the roles that get them, with exit 5', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/databases/db_1').reply(200, { database: { id: 'db_1' }, credentialsIncluded: false });
  const run = await svc(['db', 'connect', 'db_1'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 5, stdout: '' });
  expect(run.stderr).toContain('owners and admins');
});

test.each(['--json', '--jq=.'])('%s is refused before anything is sent', async (flag) => {
  const wire = await testWire();
  const run = await svc(['db', 'connect', 'db_1', flag], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wire.requests).toEqual([]);
});

test('the URL of an object "connection" is read for a .env file, and its password is not on the screen', async () => {
  const wire = await testWire();
  const answer = { database: { id: 'db_1' }, connection: { url: 'mysql://ann:pass-4711@h/d' } };
  wire.on('GET', '/v1/databases/db_1').reply(200, answer).reply(200, answer);
  const env = await svc(['db', 'inspect', 'db_1', '--env'], { url: wire.url });
  expect(env).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("DATABASE_HOST='h'") });
  expect((await svc(['db', 'inspect', 'db_1'], { url: wire.url })).stdout).not.toContain('pass-4711');
});
