import { describe, expect, test } from 'vitest';
import { type Answers, against } from '../support/against.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const MIB = 1024 * 1024;
/** A JSON object of 1.3 MB. */
const LARGE = JSON.stringify({
  rows: Array.from({ length: 1_300 }, (_, index) => ({ id: index, name: 'x'.repeat(1_000) })),
});

describe.each([
  ['whoami', '/v1/user'],
  ['db inspect db_1', '/v1/databases/db_1'],
])('svc %s --json', (line, path) => {
  test('prints a large answer to the byte, also if it was cut at first, and a filter has it whole', async () => {
    const wire = await testWire();
    wire.on('GET', path).cut(200, LARGE, 1_200_000).reply(200, LARGE).reply(200, LARGE);
    const { exitCode, stdout, stderr } = await svc(`${line} --json`.split(' '), { url: wire.url });
    expect({ exitCode, stderr, isWhole: stdout === `${LARGE}\n` }).toEqual({ exitCode: 0, stderr: '', isWhole: true });
    const filtered = await svc([...line.split(' '), '--jq', '.rows | length'], { url: wire.url });
    expect(filtered).toMatchObject({ stdout: '1300\n' });
  });

  test('prints nothing of one that stays cut, and is exit 8', async () => {
    const wire = await testWire();
    wire.on('GET', path).cut(200, LARGE, 1_200_000);
    const run = await svc(`${line} --json --no-retry`.split(' '), { url: wire.url });
    expect(run).toMatchObject({ exitCode: 8, stdout: '', error: { code: 'unavailable' } });
  });
});

test.each([
  `{"a":"${'😀'.repeat(400_000)}"}`,
  `{"ab":"${'😀'.repeat(400_000)}"}`,
  `{"a":"${'x'.repeat(262_144 - 8)}"}`,
  `{"a":"${'x'.repeat(262_144)}"}\n`,
])('a large answer is printed to the byte, with one line break at its end (%#)', async (text) => {
  const { exitCode, stdout } = await against('api /v1/things --json', { 'GET /v1/things': [text] });
  expect({ exitCode, isWhole: stdout === `${text.trimEnd()}\n` }).toEqual({ exitCode: 0, isWhole: true });
});

describe('with 2 MiB of memory for answers', () => {
  const short = (line: string, answers: Answers) => against(line, answers, { heapLimit: 8 * MIB });
  const TOO_LARGE = `[${' '.repeat(2 * MIB)}]`;
  const PAGE = `[${' '.repeat(1.5 * MIB)}]`;
  const PAGES = [[200, PAGE, { link: '</v1/things?page=2>; rel="next"' }] as const];

  // biome-ignore format: a table
  test.each<[line: string, answers: Answers, error: string, hint: RegExp]>([
    ['metrics s1', { 'GET /v1/services/s1/metrics/history': [TOO_LARGE] }, 'is larger than 2 MiB (200)', /a shorter range with --since .*--step/],
    ['api /v1/things', { 'GET /v1/things': [TOO_LARGE] }, 'is larger than 2 MiB (200)', /Ask for less/],
    ['api /v1/things --paginate', { 'GET /v1/things': PAGES }, 'The pages together are larger than 2 MiB', /without --paginate/],
  ])('svc %s says how to ask for less', async (line, answers, error, hint) => {
    const run = await short(`${line} --json`, answers);
    const expected = { code: 'unexpected', error: expect.stringContaining(error), hint: expect.stringMatching(hint) };
    expect(run).toMatchObject({ exitCode: 1, stdout: '', error: expected });
  });

  test('several at a time are read one at a time', async () => {
    const answer = [`{"points":[]${' '.repeat(1.5 * MIB)}}`];
    const answers = { 'GET /v1/services/s1/metrics/history': answer, 'GET /v1/services/s2/metrics/history': answer };
    const together = await short('metrics s1 s2 --json', answers);
    expect([together.exitCode, together.stdout]).toEqual([1, expect.stringContaining('--concurrency 1')]);
    expect((await short('metrics s1 s2 --json --concurrency 1', answers)).exitCode).toBe(0);
  });
});

/** Nearly as much as an answer may have. */
const LONG_TEXT = 'a note '.repeat(1_400_000);
const NOTE = `{"id":12345678901234567890,${JSON.stringify({ success: true, message: 'ok', note: LONG_TEXT }).slice(1)}`;

test.each(['', '--json'])('a restart with megabytes in its answer is done, with %j', async (flags) => {
  const { exitCode, stdout, stderr } = await against(`restart s1 ${flags}`, { 'POST /v1/services/s1/restart': [NOTE] });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('12345678901234567890');
});

test('svc api prints megabytes of text, with secrets masked', async () => {
  const answer = { password: 'hunter2', note: LONG_TEXT.slice(0, 5_000_000), escapes: '\n"'.repeat(1_000_000) };
  const { exitCode, stdout, stderr } = await against('api -X POST /v1/x', { 'POST /v1/x': [answer] });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Secrets are masked. Show them with --json.\n' });
  expect(stdout).toContain('"password": "********"');
  expect([stdout.length > 8_000_000, stdout.includes('hunter2')]).toEqual([true, false]);
});

/** A few more than a function takes as its arguments. */
const MANY = 130_000;

test('very many numbers and very many organizations are shown to people', async () => {
  const numbers = `[${Array.from({ length: MANY }, (_, index) => index).join(',')}]`;
  const list = await against('api /v1/x', { 'GET /v1/x': [numbers] });
  expect([list.exitCode, list.stdout.split('\n').length]).toEqual([0, MANY + 3]);
  const organizations = Array.from({ length: MANY }, (_, index) => ({ id: `o${index}`, x: 1 }));
  const own = await against('whoami', { 'GET /v1/user': [{ user: { id: 'u1' }, organizations }] });
  expect([own.exitCode, own.stdout.includes(`o${MANY - 1}`)]).toEqual([0, true]);
});

const NUMBERS = '"balance":5.00,"rate":1e400,"small":0.00000001,"list":[1.10,2],"count":3';
const SHOWN = [/Balance +5\.00$/m, /Rate +1e400$/m, /Small +0\.00000001$/m, /List +1\.10, 2$/m, /Count +3$/m];

test.each([
  ['whoami', 'GET /v1/user', '"user":{"id":"u1"}'],
  ['billing autopay', 'GET /v1/billing/autopay', '"enabled":true'],
  ['deployments inspect d1 --service s1', 'GET /v1/services/s1/deployments/d1', '"deployment":{"id":"d1"}'],
  ['db inspect db_1', 'GET /v1/databases/db_1', '"id":"db_1"'],
  ['restart s1', 'POST /v1/services/s1/restart', '"success":true'],
  ['wp run cache.flush --service s1', 'POST /v1/services/s1/actions', '"jobId":"j1","status":"completed"'],
  ['buy --plan p1 --yes', 'POST /v1/checkout', '"orderId":"ord_1"'],
])('svc %s shows numbers as the API wrote them', async (line, request, fields) => {
  const text = `{${fields},${NUMBERS}}`;
  const people = await against(line, { [request]: [text] });
  expect(people.exitCode).toBe(0);
  for (const shown of SHOWN) expect(people.stdout).toMatch(shown);
  expect((await against(`${line} --json`, { [request]: [text] })).stdout).toBe(`${text}\n`);
});
