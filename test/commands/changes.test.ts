import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { CANARY_TOKEN, type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const RECORDS = JSON.stringify([{ subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 }]);
const ACTIONS = '/v1/services/s1/actions';

/** A machine and its platform, which can restart the services a and b. */
async function stage(more: RunOptions = {}) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const clock = fakeClock(NOW);
  const file = join(configDir, 'changes.ndjson');
  for (const id of ['a', 'b'])
    wire.on('POST', `/v1/services/${id}/restart`).maybe(200, { success: true });
  const run = (line: string, others: RunOptions = {}) =>
    svc(line.split(' '), { url: wire.url, configDir, clock, ...more, ...others });
  const changes = async (flags = '') => {
    const { json } = await run(`changes --json${flags}`, { env: {} });
    return (json as { changes: ReadonlyArray<Record<string, unknown>> }).changes;
  };
  return { wire, configDir, clock, file, run, changes };
}

test('svc changes lists what svc changed: when, who, what, and what the API answered, without secrets', async () => {
  const { wire, run, changes, clock, file } = await stage();
  const refused = [404, { error: 'no' }, { 'x-request-id': CANARY_TOKEN }] as const;
  wire
    .on('POST', '/v1/services/s1/restart')
    .reply(200, { success: true }, { 'x-request-id': 'req_7' });
  wire
    .on('POST', '/v1/services/s1/restart')
    .reply(...refused)
    .reset();
  wire.on('POST', ACTIONS).reply(202, { jobId: 'job_1', status: 'queued' });
  const staged = { nameservers: ['ns1.new.example'], stagedRecords: JSON.parse(RECORDS) };
  wire.on('POST', '/v1/services/s1/domains/example.com/import').reply(200, staged);
  wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', status: 'failed' });
  wire.on('DELETE', '/v1/services/s1/env/KEY').reply(204);
  wire.on('GET', '/v1/user').reply(200, {});
  await run('restart s1 --org acme');
  clock.advance(60_000);
  await run('restart s1');
  await run('restart s1 --no-retry');
  await run('wp run cache.flush --service s1 --param secret=CANARY');
  await run('domains add example.com --service s1 --import --records - --yes', { stdin: RECORDS });
  await run('buy --plan p --network mtn --phone +237670000042 --yes');
  await run('api -X DELETE /v1/services/s1/env/KEY?token=CANARY --yes');
  await run('whoami');
  const common = { who: 'SVC_TOKEN', address: wire.url, organization: null, requestId: null };
  const first = { ...common, at: NOW, organization: 'acme', requestId: 'req_7' };
  const kept = await changes();
  expect(kept).toMatchObject([
    { ...first, command: 'restart', what: null, service: 's1', result: 'done', status: 200 },
    ...[
      ['restart', null, 's1', 'refused', 404, expect.any(String)],
      ['restart', null, 's1', 'unknown', null, null],
      ['wp run', 'cache.flush', 's1', 'pending', 202, null],
      ['domains add', 'example.com', 's1', 'accepted', 200, null],
      ['buy', 'ord_1', null, 'failed', 201, null],
      ['api', 'DELETE /v1/services/s1/env/KEY', 's1', 'accepted', 204, null],
    ].map(([command, what, service, result, status, requestId]) => {
      return {
        ...common,
        at: '2026-03-01T12:01:00.000Z',
        command,
        what,
        service,
        result,
        status,
        requestId,
      };
    }),
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toMatch(/CANARY|670000042/);
});

test.each([
  ['a yes beside a failed status', { success: true, status: 'failed' }],
  ['an error beside a yes', { success: true, error: 'try again' }],
])('a restart whose answer contradicts itself is unknown: %s', async (_what, answer) => {
  const { wire, run, changes } = await stage();
  wire.on('POST', '/v1/services/s1/restart').reply(200, answer);

  await run('restart s1');

  expect(await changes()).toMatchObject([{ command: 'restart', result: 'unknown', status: 200 }]);
});

test('an order that was answered only when it was sent again, or without its id, is unknown', async () => {
  const { wire, run, changes } = await stage();
  wire.on('POST', '/v1/checkout').reset().reply(201, { orderId: 'ord_1', status: 'provisioned' });
  await run('buy --plan p --yes');
  wire.on('POST', '/v1/checkout').reply(201, { status: 'failed' });
  await run('buy --plan q --yes');
  expect(await changes()).toMatchObject([
    { what: 'ord_1', result: 'unknown', status: 201 },
    { what: null, result: 'unknown', status: 201 },
  ]);
});

test('a change that had to be sent again is listed once', async () => {
  const { wire, run, changes } = await stage();
  const busy = [503, {}, { 'retry-after': '1' }] as const;
  wire
    .on('POST', '/v1/services/s1/restart')
    .reply(...busy)
    .reply(200, { success: true });

  await run('restart s1');

  expect(await changes()).toMatchObject([{ command: 'restart', result: 'done' }]);
});

test('they are a table; the oldest comes first', async () => {
  const { wire, run, clock } = await stage();
  wire.on('POST', '/v1/services/s2/restart').reply(200, { success: false });
  await run('restart a');
  clock.advance(1_000);
  await run('restart s2');
  expect((await run('changes --csv')).stdout).toBe(
    'when,who,what,service,result,request,address,organization,command,status\n' +
      `2026-03-01T12:00:00.000Z,SVC_TOKEN,restart,a,done,,${wire.url},,restart,200\n` +
      `2026-03-01T12:00:01.000Z,SVC_TOKEN,restart,s2,failed,,${wire.url},,restart,200\n`,
  );
});

test('they can be limited to a service and a time, and end after 90 days', async () => {
  const { run, changes, clock } = await stage();
  await run('restart a');
  clock.advance(2 * 3_600_000);
  await run('restart a');
  await run('restart b');
  expect(await changes(' --service a --since 1h')).toMatchObject([
    { at: '2026-03-01T14:00:00.000Z' },
  ]);
  expect(await run('changes --since 2')).toMatchObject({ exitCode: 2 });
  clock.advance(90 * 24 * 3_600_000);
  expect(await changes()).toHaveLength(2);
  clock.advance(1_000);
  expect(await changes()).toEqual([]);
});

test('they name the account of a stored sign-in, and the organization of each item', async () => {
  const { wire, configDir, run, changes } = await stage({ token: null });
  writeSignIns(configDir, storedSignIn('work', wire.url));
  const stdin = 'service,org\na,acme\nb,\n';
  await run('restart --services - --yes --concurrency 1 --org kola', { stdin });
  const who = 'work@example.com (profile work)';
  expect(await changes()).toMatchObject([
    { who, organization: 'acme', service: 'a' },
    { who, organization: 'kola', service: 'b' },
  ]);
});

test('nothing is kept in CI, after "changes off", and of what was not sent', async () => {
  const { file, run, changes, configDir } = await stage();
  expect(await run('restart a', { env: { CI: 'true' } })).toMatchObject({ exitCode: 0 });
  expect(await run('restart a --dry-run')).toMatchObject({ exitCode: 0 });
  expect(await run('restart ..')).toMatchObject({ exitCode: 2 });
  await run('config set changes off');
  expect(await run('restart a')).toMatchObject({ exitCode: 0 });
  expect(existsSync(file)).toBe(false);
  expect((await run('changes')).stdout).toContain('svc config set changes on');
  await run('config set changes on');
  await run('restart a');
  expect(await changes()).toHaveLength(1);
  const fresh = join(configDir, 'fresh');
  await run('restart a', { configDir: fresh });
  expect(statSync(fresh).mode & 0o777).toBe(0o700);
});

test('a file that takes no line never fails the change itself, and that is said once', async () => {
  const { file, run, changes } = await stage();
  mkdirSync(file);
  const { exitCode, stderr } = await run('restart a b --yes --json');
  expect(exitCode).toBe(0);
  expect(stderr.match(/"change_not_kept"/g)).toHaveLength(1);
  expect(await changes()).toEqual([]);
});

test.each([
  ['wp run --wait', { status: 'failed' }, 9, 'failed'],
  ['wp status', { status: 'completed', error: 'disk full' }, 8, 'pending'],
  ['wp status', { status: 'completed' }, 0, 'done'],
])('%s tells how a job has ended: %j', async (how, end, exitCode, result) => {
  const { wire, run, changes, file } = await stage();
  wire.on('POST', ACTIONS).reply(202, { jobId: 'job_1', status: 'queued' });
  wire.on('GET', `${ACTIONS}/job_1`).always(200, { jobId: 'job_1', ...end });
  const waited = await run(`wp run backup --service s1${how === 'wp status' ? '' : ' --wait'}`);
  const looked = await run('wp status job_1 --service s1');
  expect((how === 'wp status' ? looked : waited).exitCode).toBe(exitCode);
  expect(await changes()).toMatchObject([{ command: 'wp run', result }]);
  const kept = readFileSync(file, 'utf8');
  await run('wp status job_1 --service s1');
  expect(readFileSync(file, 'utf8'), 'what is known is not written again').toBe(kept);
});

test('a job of the same id on another platform tells nothing', async () => {
  const { wire, run, changes } = await stage();
  const other = await testWire();
  wire.on('POST', ACTIONS).reply(202, { jobId: 'job_1', status: 'queued' });
  other.on('GET', `${ACTIONS}/job_1`).reply(200, { jobId: 'job_1', status: 'failed' });
  await run('wp run backup --service s1');
  expect((await run('wp status job_1 --service s1', { url: other.url })).exitCode).toBe(9);
  expect(await changes()).toMatchObject([{ command: 'wp run', result: 'pending' }]);
});

test('an order that was sent twice with one key is there once, and a repeat that tells nothing changes nothing', async () => {
  const { wire, run, changes } = await stage();
  wire
    .on('POST', '/v1/checkout')
    .reply(201, { orderId: 'ord_1', status: 'paid' })
    .reply(409, { error: 'used' });
  const order = 'buy --plan p1 --phone +237670000042 --network mtn --yes --idempotency-key key_1';
  await run(order);
  await run(`${order} --no-retry --new-order`);
  expect(await changes()).toMatchObject([{ command: 'buy', what: 'ord_1', result: 'done' }]);
});

test('lines that svc has not written are left out', async () => {
  const { run, changes, file } = await stage();
  await run('restart a');
  const [good] = await changes();
  const hostile = [
    '{"at":"2026-03-01T12:00:00Z","who":',
    '[]',
    JSON.stringify({ ...good, at: 'yesterday' }),
    JSON.stringify({ ...good, result: 'great' }),
    JSON.stringify({ ...good, who: 7 }),
    JSON.stringify({ ...good, who: 'evil\u001b[2J\u202e', extra: 1 }),
  ];
  appendFileSync(file, `\n${hostile.join('\n')}\n`);
  expect(await changes()).toEqual([good, { ...good, who: 'evil\u001b[2J\u202e' }]);
  expect((await run('changes')).stdout).not.toMatch(/[\u001b\u202e]/);
});
