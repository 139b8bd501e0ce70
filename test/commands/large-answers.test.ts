import { expect, test } from 'vitest';
import { type Answers, against } from '../support/against.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const MIB = 1024 * 1024;
/** A JSON object of 1.3 MB. */
const LARGE = JSON.stringify({
  rows: Array.from({ length: 1_300 }, (_, index) => ({ id: index, name: 'x'.repeat(1_000) })),
});

test('--json prints a large answer to the byte, also if it was cut at first, and a filter has it whole', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').cut(200, LARGE, 1_200_000).reply(200, LARGE).reply(200, LARGE);
  const { exitCode, stdout, stderr } = await svc(['whoami', '--json'], { url: wire.url });
  expect({ exitCode, stderr, isWhole: stdout === `${LARGE}\n` }).toEqual({
    exitCode: 0,
    stderr: '',
    isWhole: true,
  });
  expect(await svc(['whoami', '--jq', '.rows | length'], { url: wire.url })).toMatchObject({
    stdout: '1300\n',
  });
});

test('--json prints nothing of a large answer that stays cut, and is exit 8', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/services/s1/metrics/history').cut(200, LARGE, 1_200_000);
  const run = await svc(['metrics', 's1', '--json', '--no-retry'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 8, stdout: '', error: { code: 'unavailable' } });
});

test('a large answer is printed to the byte, with one line break at its end', async () => {
  const text = `{"ab":"${'😀'.repeat(400_000)}"}\n`;
  const { exitCode, stdout } = await against('api /v1/things --json', { 'GET /v1/things': [text] });
  expect({ exitCode, isWhole: stdout === text }).toEqual({ exitCode: 0, isWhole: true });
});

/** With 2 MiB of memory for answers. */
const short = (line: string, answers: Answers) => against(line, answers, { heapLimit: 8 * MIB });
const [S1, S2] = ['s1', 's2'].map((id) => `GET /v1/services/${id}/metrics/history`) as [
  string,
  string,
];

test.each<[line: string, request: string, hint: RegExp]>([
  ['metrics s1', S1, /a shorter range with --since .*--step/],
  ['api /v1/things', 'GET /v1/things', /Ask for less/],
])('svc %s says how to ask for less than there is memory for', async (line, request, hint) => {
  const error = {
    error: expect.stringContaining('is larger than 2 MiB'),
    hint: expect.stringMatching(hint),
  };
  const run = await short(`${line} --json`, { [request]: [`[${' '.repeat(2 * MIB)}]`] });
  expect(run).toMatchObject({ exitCode: 1, stdout: '', error });
});

test('several at a time are read one at a time', async () => {
  const answer = [`{"points":[]${' '.repeat(1.5 * MIB)}}`];
  const together = await short('metrics s1 s2 --json', { [S1]: answer, [S2]: answer });
  expect([together.exitCode, together.stdout]).toEqual([
    1,
    expect.stringContaining('--concurrency 1'),
  ]);
  expect(
    (await short('metrics s1 s2 --json --concurrency 1', { [S1]: answer, [S2]: answer })).exitCode,
  ).toBe(0);
});

/** Nearly as much as an answer may have. */
const LONG_TEXT = 'a note '.repeat(1_400_000);

test('svc api prints megabytes of text, with secrets masked', async () => {
  const answer = {
    password: 'hunter2',
    note: LONG_TEXT.slice(0, 5_000_000),
    escapes: '\n"'.repeat(1_000_000),
  };
  const { exitCode, stdout } = await against('api -X POST /v1/x', { 'POST /v1/x': [answer] });
  expect(stdout).toContain('"password": "********"');
  expect([exitCode, stdout.length > 8_000_000, stdout.includes('hunter2')]).toEqual([
    0,
    true,
    false,
  ]);
});

test('more organizations than a function takes as its arguments are shown', async () => {
  const organizations = Array.from({ length: 130_000 }, (_, index) => ({ id: `o${index}`, x: 1 }));
  const own = await against('whoami', { 'GET /v1/user': [{ user: { id: 'u1' }, organizations }] });
  expect([own.exitCode, own.stdout.includes('o129999')]).toEqual([0, true]);
});

const NUMBERS = '"balance":5.00,"rate":1e400,"small":0.00000001,"list":[1.10,2],"count":3';
const SHOWN = [
  /Balance +5\.00$/m,
  /Rate +1e400$/m,
  /Small +0\.00000001$/m,
  /List +1\.10, 2$/m,
  /Count +3$/m,
];

test.each([
  ['whoami', 'GET /v1/user', '"user":{"id":"u1"}'],
  ['restart s1', 'POST /v1/services/s1/restart', '"success":true'],
  [
    'wp run cache.flush --service s1',
    'POST /v1/services/s1/actions',
    '"jobId":"j1","status":"completed"',
  ],
  ['buy --plan p1 --yes', 'POST /v1/checkout', '"orderId":"ord_1"'],
])('svc %s shows numbers as the API wrote them', async (line, request, fields) => {
  const people = await against(line, { [request]: [`{${fields},${NUMBERS}}`] });
  expect(people.exitCode).toBe(0);
  for (const shown of SHOWN) expect(people.stdout).toMatch(shown);
});
