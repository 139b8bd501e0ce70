import { expect, test } from 'vitest';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const ANSWER = {
  database: { id: 'db_1', name: 'shop', engine: 'postgres', status: 'available', sizeBytes: 1024 },
  plan: { id: 'plan_1', name: 'Small' },
  service: { id: 'svc_1', name: 'blog', kind: 'app' },
  credentialsIncluded: true,
  connectionUrl: 'postgresql://shop:p%40ss-w0rd@db.example.com:5432/shop?sslmode=require',
  username: 'shop',
  password: 'p@ss-w0rd',
  region: 'abj',
};

async function inspect(answer: unknown, argv: readonly string[] = []) {
  const wire = await testWire();
  wire.on('GET', '/v1/databases/db_1').reply(200, answer);
  return await svc(['db', 'inspect', 'db_1', ...argv], { url: wire.url });
}

test('a database is shown, its password masked everywhere', async () => {
  const run = await inspect(ANSWER);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatchInlineSnapshot(`
    "Database shop
      Id            db_1
      Status        available
      Engine        postgres
      Plan          Small (plan_1)
      Service       blog (svc_1)

      Connection    postgresql://shop:********@db.example.com:5432/shop?sslmode=require
      Username      shop
      Password      ********

    More
      Size          1 KiB
      Service kind  app
      Region        abj
    "
  `);
  expect(run.stdout).not.toMatch(/p@ss-w0rd|p%40ss-w0rd/);
});

const { connectionUrl, username, password, database, credentialsIncluded, ...others } = ANSWER;
test.each([
  ['in the database', { ...others, credentialsIncluded, database: { ...database, connectionUrl, username, password } }],
  [
    'in an object of their own',
    { ...others, database, credentialsIncluded, credentials: { connectionUrl, username, password } },
  ],
  [
    'under names with underscores',
    { ...others, database, credentialsIncluded, connection_url: connectionUrl, username, password },
  ],
  ['in what the answer wraps', { data: ANSWER }],
])('credentials %s are found, shown and masked', async (_name, answer) => {
  const run = await inspect(answer);
  expect(run.stdout.replaceAll(/ +/g, ' ')).toContain(
    ' Connection postgresql://shop:********@db.example.com:5432/shop?sslmode=require\n Username shop\n Password ********\n',
  );
  expect(run.stdout).not.toMatch(/p@ss-w0rd|p%40ss-w0rd/);
  expect((await inspect(answer, ['--env'])).stdout).toContain(`DATABASE_URL='${connectionUrl}'`);
});

test('an answer without credentials that does not say why gets no reason', async () => {
  const { stdout } = await inspect({ ...others, database });
  expect(stdout).toContain('The answer has no credentials.');
  expect(stdout).not.toContain('owners');
});

test('--reveal shows the password', async () => {
  const { stdout } = await inspect(ANSWER, ['--reveal']);
  expect(stdout).toContain('p@ss-w0rd');
  expect(stdout).toContain(ANSWER.connectionUrl);
});

test('--json is the answer as it came, password and numbers too', async () => {
  const text = '{"database":{"size":1.50},"password":"p@ss"}';
  expect(await inspect(text, ['--json'])).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
});

test('--debug never shows the password', async () => {
  const { stderr } = await inspect(ANSWER, ['--debug']);
  expect(stderr).toContain('/v1/databases/db_1');
  expect(stderr).not.toMatch(/p@ss-w0rd|p%40ss-w0rd/);
});

test.each([
  ['are kept back', { credentialsIncluded: false }, 'Credentials are for owners and admins only.'],
  ['are promised and not there', { credentialsIncluded: true, connectionUrl: null }, 'its answer has none'],
])('it says so when credentials %s', async (_name, credentials, words) => {
  const { database, plan, service } = ANSWER;
  const run = await inspect({ database, plan, service, ...credentials });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain(words);
});

test.each([
  ['nothing', {}, ''],
  [
    'other types',
    { database: 'odd-one', plan: ['p7'], service: 'blog', credentialsIncluded: 'perhaps' },
    'odd-one p7 blog perhaps',
  ],
  ['odd credentials', { connectionUrl: { host: 'h5' }, username: 7, password: ['secret-in-list'] }, 'h5 7'],
])('an answer with %s is shown whole', async (_name, answer, words) => {
  const run = await inspect(answer);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  for (const word of words.split(' ')) expect(run.stdout).toContain(word);
  expect(run.stdout).not.toMatch(/\[object Object\]|secret-in-list/);
});

test('--env prints lines for a .env file', async () => {
  const run = await inspect(ANSWER, ['--env']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toBe(`DATABASE_URL='postgresql://shop:p%40ss-w0rd@db.example.com:5432/shop?sslmode=require'
DATABASE_HOST='db.example.com'
DATABASE_PORT='5432'
DATABASE_NAME='shop'
DATABASE_USERNAME='shop'
DATABASE_PASSWORD='p@ss-w0rd'
`);
});

test('--env of a Redis database uses its own names', async () => {
  const { stdout } = await inspect({ connectionUrl: 'rediss://default:pw@cache:6380/2' }, ['--env']);
  expect(stdout).toBe(`REDIS_URL='rediss://default:pw@cache:6380/2'
REDIS_HOST='cache'
REDIS_PORT='6380'
REDIS_NAME='2'
REDIS_USERNAME='default'
REDIS_PASSWORD='pw'
`);
});

test.each([
  ["it's", `DATABASE_PASSWORD="it's"`],
  ['a "b" $c', `DATABASE_PASSWORD='a "b" $c'`],
])('--env quotes %j so that every reader understands it', async (password, line) => {
  const run = await inspect({ connectionUrl: 'mysql://u@h/d', password }, ['--env']);
  expect(run.stdout.split('\n')).toContain(line);
});

test.each(["it's $HOME", 'two\nlines', 'bell\u0007'])('--env leaves %j out, and is no success', async (password) => {
  const run = await inspect({ connectionUrl: 'mysql://u@h/d', password }, ['--env']);
  expect(run.exitCode).toBe(9);
  expect(run.stdout).toContain("DATABASE_HOST='h'");
  expect(run.stdout).not.toContain('PASSWORD');
  expect(run.stderr).toBe(
    'Error: DATABASE_PASSWORD is left out: a .env file cannot contain it.\nTry: svc db inspect db_1 --reveal\n',
  );
});

test('--env without credentials is exit 5, and prints nothing', async () => {
  const run = await inspect({ database: { id: 'db_1' }, credentialsIncluded: false }, ['--env']);
  expect(run).toMatchObject({ exitCode: 5, stdout: '' });
  expect(run.stderr).toContain('owners and admins');
});

test('--env and --json cannot be used together', async () => {
  const wire = await testWire();
  const run = await svc(['db', 'inspect', 'db_1', '--env', '--json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wire.requests).toEqual([]);
});

test.each(['..', '', 'a\u0007b'])('the id %j is refused before anything is sent', async (id) => {
  const wire = await testWire();
  expect(await svc(['db', 'inspect', id], { url: wire.url })).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wire.requests).toEqual([]);
});
