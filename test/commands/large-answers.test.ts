import { describe, expect, test } from 'vitest';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** A JSON object of 1.3 MB. */
const LARGE = JSON.stringify({
  rows: Array.from({ length: 1_300 }, (_, index) => ({ id: index, name: 'x'.repeat(1_000) })),
});

describe.each([
  ['whoami', '/v1/user'],
  ['billing autopay', '/v1/billing/autopay'],
  ['db inspect db_1', '/v1/databases/db_1'],
  ['deployments inspect d1 --service s1', '/v1/services/s1/deployments/d1'],
])('svc %s --json', (line, path) => {
  const argv = [...line.split(' '), '--json'];

  test('prints a large answer, to the byte', async () => {
    const wire = await testWire();
    wire.on('GET', path).reply(200, LARGE);
    const { exitCode, stdout, stderr } = await svc(argv, { url: wire.url });
    expect({ exitCode, stderr, isWhole: stdout === `${LARGE}\n` }).toEqual({ exitCode: 0, stderr: '', isWhole: true });
  });

  test('a large answer that is cut is asked for again', async () => {
    const wire = await testWire();
    wire.on('GET', path).cut(200, LARGE, 1_200_000).reply(200, LARGE);
    const { exitCode, stdout } = await svc(argv, { url: wire.url });
    expect({ exitCode, isWhole: stdout === `${LARGE}\n` }).toEqual({ exitCode: 0, isWhole: true });
    expect(wire.requests).toHaveLength(2);
  });

  test('one that stays cut prints nothing, and is exit 8', async () => {
    const wire = await testWire();
    wire.on('GET', path).cut(200, LARGE, 1_200_000);
    const run = await svc([...argv, '--no-retry'], { url: wire.url });
    expect(run).toMatchObject({ exitCode: 8, stdout: '', error: { code: 'unavailable' } });
  });

  test('a filter has it whole', async () => {
    const wire = await testWire();
    wire.on('GET', path).reply(200, LARGE);
    expect(await svc([...argv, '--jq', '.rows | length'], { url: wire.url })).toMatchObject({ stdout: '1300\n' });
  });
});

test.each([
  `{"a":"${'😀'.repeat(400_000)}"}`,
  `{"ab":"${'😀'.repeat(400_000)}"}`,
  `{"a":"${'x'.repeat(262_144 - 8)}"}`,
  `{"a":"${'x'.repeat(262_144)}"}\n`,
])('a large answer is printed to the byte, with one line break at its end (%#)', async (text) => {
  const wire = await testWire();
  wire.on('GET', '/v1/things').reply(200, text);
  const { exitCode, stdout } = await svc(['api', '/v1/things', '--json'], { url: wire.url });
  expect({ exitCode, isWhole: stdout === `${text.trimEnd()}\n` }).toEqual({ exitCode: 0, isWhole: true });
});

describe('an answer for which there is not enough memory', () => {
  const MIB = 1024 * 1024;
  /** Leaves 2 MiB for answers. */
  const heapLimit = 8 * MIB;
  const TWO_MIB = `[${' '.repeat(2 * MIB)}]`;

  test.each([
    ['metrics s1', '/v1/services/s1/metrics/history', /a shorter range with --since .*--step/],
    ['api /v1/things', '/v1/things', /Ask for less/],
  ])('of svc %s says how to ask for less', async (line, path, hint) => {
    const wire = await testWire();
    wire.on('GET', path).reply(200, TWO_MIB);
    const run = await svc([...line.split(' '), '--json'], { url: wire.url, heapLimit });
    expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
    expect(run.error['error']).toContain('is larger than 2 MiB (200)');
    expect(run.error['hint']).toMatch(hint);
  });

  test('of several at a time is read one at a time', async () => {
    const wire = await testWire();
    for (const id of ['s1', 's2']) {
      const answer = `{"points":[]${' '.repeat(1.5 * MIB)}}`;
      wire.on('GET', `/v1/services/${id}/metrics/history`).reply(200, answer).reply(200, answer);
    }
    const run = (...flags: readonly string[]) =>
      svc(['metrics', 's1', 's2', '--json', ...flags], { url: wire.url, heapLimit });
    const together = await run();
    expect(together.exitCode).toBe(1);
    expect(together.stdout).toContain('--concurrency 1');
    expect((await run('--concurrency', '1')).exitCode).toBe(0);
  });

  test('of many pages stops before they are joined', async () => {
    const wire = await testWire();
    const page = `[${' '.repeat(1.5 * MIB)}]`;
    wire.on('GET', '/v1/things').reply(200, page, { link: '</v1/things?page=2>; rel="next"' }).reply(200, page);
    const run = await svc(['api', '/v1/things', '--paginate', '--json'], { url: wire.url, heapLimit });
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.error['error']).toContain('The pages together are larger than 2 MiB');
    expect(run.error['hint']).toContain('without --paginate');
  });
});

/** Nearly as much as an answer may have. */
const LONG_TEXT = 'a note '.repeat(1_400_000);

describe('a text of megabytes in an answer', () => {
  const restarted = { success: true, message: 'ok', note: LONG_TEXT };

  test.each([[], ['--json']])('a restart is done, with %j', async (...flags) => {
    const wire = await testWire();
    wire
      .on('POST', '/v1/services/s1/restart')
      .reply(200, `{"id":12345678901234567890,${JSON.stringify(restarted).slice(1)}`);
    const { exitCode, stdout, stderr } = await svc(['restart', 's1', ...flags], { url: wire.url });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('12345678901234567890');
  });

  test('svc api prints it, with its secrets masked', async () => {
    const wire = await testWire();
    const escapes = '\n"'.repeat(1_000_000);
    wire.on('POST', '/v1/x').reply(200, { password: 'hunter2', note: LONG_TEXT.slice(0, 5_000_000), escapes });
    const { exitCode, stdout, stderr } = await svc(['api', '-X', 'POST', '/v1/x'], { url: wire.url });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Secrets are masked. Show them with --json.\n' });
    expect(stdout).toContain('"password": "********"');
    expect(stdout.length).toBeGreaterThan(8_000_000);
    expect(stdout).not.toContain('hunter2');
  });
});

/** A few more than a function takes as its arguments. */
const MANY = 130_000;

test('a list of very many numbers is shown to people', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/x').reply(200, `[${Array.from({ length: MANY }, (_, index) => index).join(',')}]`);
  const { exitCode, stdout } = await svc(['api', '/v1/x'], { url: wire.url });
  expect([exitCode, stdout.split('\n').length]).toEqual([0, MANY + 3]);
});

test('very many organizations are shown to people', async () => {
  const wire = await testWire();
  const organizations = Array.from({ length: MANY }, (_, index) => ({ id: `o${index}`, x: 1 }));
  wire.on('GET', '/v1/user').reply(200, { user: { id: 'u1' }, organizations });
  const { exitCode, stdout } = await svc(['whoami'], { url: wire.url });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`o${MANY - 1}`);
});

describe('numbers for people are as the API wrote them', () => {
  const NUMBERS = '"balance":5.00,"rate":1e400,"small":0.00000001,"list":[1.10,2],"count":3';
  const SHOWN = [/Balance +5\.00$/m, /Rate +1e400$/m, /Small +0\.00000001$/m, /List +1\.10, 2$/m, /Count +3$/m];

  test.each([
    ['whoami', 'GET', '/v1/user', '"user":{"id":"u1"}'],
    ['billing autopay', 'GET', '/v1/billing/autopay', '"enabled":true'],
    ['deployments inspect d1 --service s1', 'GET', '/v1/services/s1/deployments/d1', '"deployment":{"id":"d1"}'],
    ['db inspect db_1', 'GET', '/v1/databases/db_1', '"id":"db_1"'],
    ['restart s1', 'POST', '/v1/services/s1/restart', '"success":true'],
    ['wp run cache.flush --service s1', 'POST', '/v1/services/s1/actions', '"jobId":"j1","status":"completed"'],
    ['buy --plan p1 --yes', 'POST', '/v1/checkout', '"orderId":"ord_1"'],
  ])('svc %s', async (line, method, path, fields) => {
    const wire = await testWire();
    const text = `{${fields},${NUMBERS}}`;
    wire.on(method, path).reply(200, text).reply(200, text);
    const people = await svc(line.split(' '), { url: wire.url });
    expect(people.exitCode).toBe(0);
    for (const shown of SHOWN) expect(people.stdout).toMatch(shown);
    expect((await svc([...line.split(' '), '--json'], { url: wire.url })).stdout).toBe(`${text}\n`);
  });
});
