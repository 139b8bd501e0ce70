import { expect, test } from 'vitest';
import { type Answer, against } from '../../support/against.ts';

const URL = 'postgresql://shop:p%40ss-w0rd@db.example.com:5432/shop?sslmode=require';
const CREDENTIALS = { connectionUrl: URL, username: 'shop', password: 'p@ss-w0rd' };
const OTHERS = {
  database: { id: 'db_1', name: 'shop' },
  plan: { id: 'plan_1', name: 'Small' },
  region: 'abj',
};
const ANSWER = { ...OTHERS, credentialsIncluded: true, ...CREDENTIALS };
const SECRET = /p@ss-w0rd|p%40ss-w0rd/;

const inspect = (words: string, answer: Answer) =>
  against(`db inspect db_1 ${words}`, { 'GET /v1/databases/db_1': [answer] });

test.each<[place: string, answer: object]>([
  ['beside the database', ANSWER],
  ['in the database', { ...OTHERS, database: { ...OTHERS.database, ...CREDENTIALS } }],
  ['in an object of their own', { ...OTHERS, credentials: CREDENTIALS }],
  [
    'under names with underscores',
    { ...OTHERS, connection_url: URL, user_name: 'shop', password: 'p@ss-w0rd' },
  ],
  [
    'beside a connection string of another form',
    { ...OTHERS, connectionString: 'Server=h;Password=p@ss-w0rd', ...CREDENTIALS },
  ],
  [
    'under a name that says string',
    { ...OTHERS, connection_string: URL, username: 'shop', password: 'p@ss-w0rd' },
  ],
  [
    'in an object "connection"',
    { ...OTHERS, connection: { ...CREDENTIALS, connectionUrl: undefined, url: URL } },
  ],
  ['in what the answer wraps', { data: ANSWER }],
])('credentials %s are found, shown and masked', async (_place, answer) => {
  const { stdout, stderr } = await inspect('--debug', answer);
  const shown =
    ' Connection postgresql://shop:********@db.example.com:5432/shop?sslmode=require\n Username shop\n';
  expect(stdout.replaceAll(/ +/g, ' ')).toContain(shown);
  expect(stdout + stderr).not.toMatch(SECRET);
  expect((await inspect('--env', answer)).stdout).toContain(`DATABASE_URL=${URL}\n`);
});

const exact = '{"database":{"size":1.50},"password":"p@ss"}';
const odd = { database: 'odd-one', plan: ['p7'], service: 'blog', credentialsIncluded: 'perhaps' };

test.each<[words: string, answer: Answer, shown: RegExp, isNot?: RegExp]>([
  ['--reveal', ANSWER, /postgresql:\/\/shop:p%40ss-w0rd@db[\s\S]*p@ss-w0rd/],
  ['--json', exact, /^\{"database":\{"size":1.50\},"password":"p@ss"\}\n$/],
  ['', OTHERS, /The answer has no credentials\./, /owners/],
  ['', { ...OTHERS, credentialsIncluded: false }, /for owners and admins only\./],
  ['', { connectionUrl: URL, note: 'use p@ss-w0rd' }, /use \*{8}\n/, SECRET],
  ['', { connectionUrl: 'redis://h?password=p%40ss-w0rd', note: 'p@ss-w0rd' }, /h\?/, SECRET],
  ['', { connectionUrl: 'mysql://u:p@ss-w0rd@h i/d', note: 'p@ss-w0rd' }, /h i/, SECRET],
  ['', odd, /blog[\s\S]*odd-one[\s\S]*p7[\s\S]*perhaps/],
  [
    '',
    { connectionUrl: { host: 'h5' }, username: 7, password: ['secret-in-list'] },
    /7[\s\S]*h5/,
    /secret-in-list/,
  ],
])('%j of %j', async (words, answer, shown, isNot = /\[object Object\]/) => {
  const run = await inspect(words, answer);
  expect(run).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(shown) });
  expect(run.stdout).not.toMatch(isNot);
});

test('an answer about another database is shown with a warning, and makes no .env file', async () => {
  const other = { ...ANSWER, database: { id: 'db_2' } };
  const run = await inspect('', other);
  expect([run.exitCode, run.stderr]).toEqual([
    0,
    'Warning: svc asked for db_1, and the answer is about db_2.\n',
  ]);
  expect(await inspect('--env', other)).toMatchObject({ exitCode: 8, stdout: '' });
  const named = { ...ANSWER, database: { id: 'db_2', name: 'db_1' } };
  expect(await inspect('', named), 'asked for by its name').toMatchObject({
    exitCode: 0,
    stderr: '',
  });
});

test.each<[url: string, password: string | undefined, lines: string]>([
  [
    'rediss://default:pw@cache:6380/2',
    undefined,
    `REDIS_URL=rediss://default:pw@cache:6380/2
REDIS_HOST=cache
REDIS_PORT=6380
REDIS_NAME=2
REDIS_USERNAME=default
REDIS_PASSWORD=pw
`,
  ],
  ['mysql://h', "it's", `DATABASE_URL=mysql://h\nDATABASE_HOST=h\nDATABASE_PASSWORD="it's"\n`],
  [
    'mysql://h?a=1&b=2',
    'a "b" $c',
    `DATABASE_URL='mysql://h?a=1&b=2'\nDATABASE_HOST=h\nDATABASE_PASSWORD='a "b" $c'\n`,
  ],
  [
    'mysql://h',
    'C:\\new',
    `DATABASE_URL=mysql://h\nDATABASE_HOST=h\nDATABASE_PASSWORD='C:\\new'\n`,
  ],
  ['mysql://h', '=ls', `DATABASE_URL=mysql://h\nDATABASE_HOST=h\nDATABASE_PASSWORD='=ls'\n`],
  [
    'postgres://h,i/d?password=secret',
    undefined,
    `DATABASE_URL=postgres://h,i/d?password=secret
DATABASE_HOST=h
DATABASE_NAME=d
DATABASE_PASSWORD=secret
`,
  ],
])('--env of %s with %j is lines that every reader understands', async (url, word, stdout) => {
  const run = await inspect('--env', { connectionUrl: url, password: word });

  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toBe(stdout);
});

const LEFT_OUT =
  'Error: A .env file cannot contain DATABASE_PASSWORD: left out.\nTry: svc db inspect db_1 --reveal\n';

test.each([
  "it's $HOME",
  "it's C:\\new",
  'two\nlines',
  'end\\',
  'a\\\\b',
  `pa\${HOME}x`,
  "a\\'b",
  `\${x}'`,
])('--env leaves %j out, and is no success', async (password) => {
  const run = await inspect('--env', { connectionUrl: 'mysql://u@h/d', password });

  expect(run).toMatchObject({ exitCode: 9, stderr: LEFT_OUT });
  expect(run.stdout).toContain('DATABASE_HOST=h\n');
  expect(run.stdout).not.toContain('PASSWORD');
});

test('--env without credentials is exit 5, and prints nothing', async () => {
  const run = await inspect('--env', { database: { id: 'db_1' }, credentialsIncluded: false });
  expect(run).toMatchObject({ exitCode: 5, stdout: '' });
});

test.each([['db_1', '--env', '--json'], ['..'], ['']])(
  '%j is refused before anything is sent',
  async (...words) => {
    expect(await against(['db', 'inspect', ...words], {})).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
  },
);
