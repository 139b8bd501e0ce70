import { expect, test } from 'vitest';
import { type Answer, against } from '../../support/against.ts';

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
const { connectionUrl, username, password, database, credentialsIncluded, ...others } = ANSWER;
const SECRET = /p@ss-w0rd|p%40ss-w0rd/;

const inspect = (words: string, answer: Answer) =>
  against(`db inspect db_1 ${words}`, { 'GET /v1/databases/db_1': [answer] });

test('a database is shown, its password masked everywhere', async () => {
  const run = await inspect('--debug', ANSWER);
  expect(run.exitCode).toBe(0);
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
  expect(run.stderr).toContain('/v1/databases/db_1');
  expect(run.stdout + run.stderr).not.toMatch(SECRET);
});

/* biome-ignore format: a row a line */
test.each<[place: string, answer: object]>([
  ['in the database', { ...others, credentialsIncluded, database: { ...database, connectionUrl, username, password } }],
  ['in an object of their own', { ...others, database, credentials: { connectionUrl, username, password } }],
  ['under names with underscores', { ...others, connection_url: connectionUrl, user_name: username, password }],
  ['in an object "connection"', { ...others, connection: { url: connectionUrl, username, password } }],
  ['in what the answer wraps', { data: ANSWER }],
])('credentials %s are found, shown and masked', async (_place, answer) => {
  const { stdout } = await inspect('', answer);
  const shown = ' Connection postgresql://shop:********@db.example.com:5432/shop?sslmode=require\n Username shop\n';
  expect(stdout.replaceAll(/ +/g, ' ')).toContain(shown);
  expect(stdout).not.toMatch(SECRET);
  expect((await inspect('--env', answer)).stdout).toContain(`DATABASE_URL='${connectionUrl}'`);
});

const exact = '{"database":{"size":1.50},"password":"p@ss"}';

/* biome-ignore format: a row a line */
test.each<[words: string, answer: Answer, shown: RegExp, isNot?: RegExp]>([
  ['--reveal', ANSWER, /postgresql:\/\/shop:p%40ss-w0rd@db[\s\S]*p@ss-w0rd/],
  ['--json', exact, /^\{"database":\{"size":1.50\},"password":"p@ss"\}\n$/],
  ['', { ...others, database }, /The answer has no credentials\./, /owners/],
  ['', { ...others, database, credentialsIncluded: false }, /Credentials are for owners and admins only\./],
  ['', { ...others, database, credentialsIncluded: true, connectionUrl: null }, /its answer has none/],
  ['', {}, /db_1/],
  ['', { database: 'odd-one', plan: ['p7'], service: 'blog', credentialsIncluded: 'perhaps' }, /blog[\s\S]*odd-one[\s\S]*p7[\s\S]*perhaps/],
  ['', { connectionUrl: { host: 'h5' }, username: 7, password: ['secret-in-list'] }, /7[\s\S]*h5/, /secret-in-list/],
])('%j of %j', async (words, answer, shown, isNot = /\[object Object\]/) => {
  const run = await inspect(words, answer);
  expect(run).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(shown) });
  expect(run.stdout).not.toMatch(isNot);
});

test('an answer about another database is shown with a warning, and makes no .env file', async () => {
  const other = { ...ANSWER, database: { id: 'db_2' } };
  const run = await inspect('', other);
  expect([run.exitCode, run.stderr]).toEqual([0, 'Warning: svc asked for db_1, and the answer is about db_2.\n']);
  const env = await inspect('--env', other);
  expect([env.exitCode, env.stdout]).toEqual([8, '']);
});

/* biome-ignore format: a row a line */
test.each([
  [connectionUrl, password, `DATABASE_URL='${connectionUrl}'
DATABASE_HOST='db.example.com'
DATABASE_PORT='5432'
DATABASE_NAME='shop'
DATABASE_USERNAME='shop'
DATABASE_PASSWORD='p@ss-w0rd'
`],
  ['rediss://default:pw@cache:6380/2', undefined, `REDIS_URL='rediss://default:pw@cache:6380/2'
REDIS_HOST='cache'
REDIS_PORT='6380'
REDIS_NAME='2'
REDIS_USERNAME='default'
REDIS_PASSWORD='pw'
`],
  ['mysql://h/d', "it's", `DATABASE_URL='mysql://h/d'\nDATABASE_HOST='h'\nDATABASE_NAME='d'\nDATABASE_PASSWORD="it's"\n`],
  ['mysql://h', 'a "b" $c', `DATABASE_URL='mysql://h'\nDATABASE_HOST='h'\nDATABASE_PASSWORD='a "b" $c'\n`],
])('--env of %s with %j is lines that every reader understands', async (url, word, stdout) => {
  expect(await inspect('--env', { connectionUrl: url, password: word })).toMatchObject({ exitCode: 0, stderr: '', stdout });
});

test.each(["it's $HOME", "it's C:\\\\new", 'two\nlines', 'bell\u0007'])(
  '--env leaves %j out, and is no success',
  async (word) => {
    const run = await inspect('--env', { connectionUrl: 'mysql://u@h/d', password: word });
    expect(run.exitCode).toBe(9);
    expect(run.stdout).toContain("DATABASE_HOST='h'");
    expect(run.stdout).not.toContain('PASSWORD');
    expect(run.stderr).toBe(
      'Error: DATABASE_PASSWORD is left out: a .env file cannot contain it.\nTry: svc db inspect db_1 --reveal\n',
    );
  },
);

test('--env without credentials is exit 5, and prints nothing', async () => {
  const run = await inspect('--env', { database: { id: 'db_1' }, credentialsIncluded: false });
  expect(run).toMatchObject({ exitCode: 5, stdout: '', stderr: expect.stringContaining('owners and admins') });
});

test.each([['db_1', '--env', '--json'], ['..'], [''], ['a\u0007b']])(
  '%j is refused before anything is sent',
  async (...words) => {
    expect(await against(['db', 'inspect', ...words], {})).toMatchObject({ exitCode: 2, stdout: '' });
  },
);
