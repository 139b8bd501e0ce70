import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { tries } from '../support/property.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { testWire } from '../support/wire.ts';
import { pathOf, SECRETS, USES } from '../trust/uses.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const RECORDS = JSON.stringify([{ subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 }]);

async function stage(more: RunOptions = {}) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const clock = fakeClock(NOW);
  const file = join(configDir, 'changes.ndjson');
  const run = (argv: readonly string[], others: RunOptions = {}) =>
    svc(argv, { url: wire.url, configDir, clock, ...more, ...others });
  const changes = async (...argv: string[]) => {
    const { json } = await run(['changes', '--json', ...argv], { env: {} });
    return (json as { changes: ReadonlyArray<Record<string, unknown>> }).changes;
  };
  return { wire, configDir, clock, file, run, changes };
}

const RESTART = '/v1/services/s1/restart';

describe('svc changes', () => {
  test('lists what svc changed: when, who, what, and what the API answered', async () => {
    const { wire, run, changes, clock, file } = await stage();
    const id = { 'x-request-id': 'req_7' };
    wire.on('POST', RESTART).reply(200, { success: true }, id).reply(404, { error: 'no' }).reset();
    wire.on('POST', '/v1/services/s1/actions').reply(202, { jobId: 'job_1', status: 'queued' });
    const staged = { nameservers: ['ns1.new.example'], stagedRecords: JSON.parse(RECORDS) };
    wire.on('POST', '/v1/services/s1/domains/example.com/import').reply(200, staged);
    wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', status: 'failed' });
    wire.on('DELETE', '/v1/services/s1/env/KEY').reply(204);
    wire.on('GET', '/v1/user').reply(200, {});
    await run(['restart', 's1', '--org', 'acme']);
    clock.advance(60_000);
    await run(['restart', 's1']);
    await run(['restart', 's1', '--no-retry']);
    await run(['wp', 'run', 'cache.flush', '--service', 's1', '--param', 'secret=CANARY']);
    const add = 'domains add example.com --service s1 --import --records - --yes';
    await run(add.split(' '), { stdin: RECORDS });
    await run(['buy', '--plan', 'p', '--network', 'mtn', '--phone', SECRETS.phone, '--yes']);
    await run(['api', '-X', 'DELETE', '/v1/services/s1/env/KEY?token=CANARY', '--yes']);
    await run(['whoami']);
    const common = { who: 'SVC_TOKEN', address: wire.url, organization: null, requestId: null };
    const first = { ...common, at: NOW, organization: 'acme', requestId: 'req_7' };
    expect(await changes()).toEqual([
      { ...first, command: 'restart', what: null, service: 's1', result: 'done', status: 200 },
      ...[
        ['restart', null, 's1', 'refused', 404],
        ['restart', null, 's1', 'unknown', null],
        ['wp run', 'cache.flush', 's1', 'pending', 202],
        ['domains add', 'example.com', 's1', 'accepted', 200],
        ['buy', 'ord_1', null, 'failed', 201],
        ['api', 'DELETE /v1/services/s1/env/KEY', 's1', 'accepted', 204],
      ].map(([command, what, service, result, status]) => {
        return { ...common, at: '2026-03-01T12:01:00.000Z', command, what, service, result, status };
      }),
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    for (const secret of ['CANARY', '670000042']) expect(text).not.toContain(secret);
  });

  test('an order that was answered only when it was sent again is unknown', async () => {
    const { wire, run, changes } = await stage();
    wire.on('POST', '/v1/checkout').reset().reply(201, { orderId: 'ord_1', status: 'provisioned' });
    await run(['buy', '--plan', 'p', '--yes']);
    expect(await changes()).toMatchObject([{ what: 'ord_1', result: 'unknown', status: 201 }]);
  });

  test('is a table for people, and comma-separated values; the oldest first', async () => {
    const { wire, run, clock } = await stage();
    expect((await run(['changes'])).stdout).toBe('No changes from this machine are known.\n');
    expect((await run(['changes', '--csv'])).stdout).toBe(
      'when,who,what,service,result,request,address,organization,command,status\n',
    );
    wire.on('POST', RESTART).always(200, { success: true });
    wire.on('POST', '/v1/services/s2/restart').always(200, { success: false });
    await run(['restart', 's1']);
    clock.advance(1_000);
    await run(['restart', 's2']);
    expect((await run(['changes'])).stdout.replaceAll(/ {2,}/g, ' | ')).toBe(
      ' | WHEN | WHO | WHAT | SERVICE | RESULT\n' +
        ' | 2026-03-01T12:00:00.000Z | SVC_TOKEN | restart | s1 | done\n' +
        ' | 2026-03-01T12:00:01.000Z | SVC_TOKEN | restart | s2 | failed\n',
    );
    const csv = await run(['changes', '--csv']);
    expect(csv.stdout.split('\n')[2]).toBe(
      `2026-03-01T12:00:01.000Z,SVC_TOKEN,restart,s2,failed,,${wire.url},,restart,200`,
    );
  });

  test('can be limited to a service and a time', async () => {
    const { wire, run, changes, clock } = await stage();
    wire.on('POST', RESTART).always(200, { success: true });
    wire.on('POST', '/v1/services/s2/restart').always(200, { success: true });
    await run(['restart', 's1']);
    clock.advance(2 * 3_600_000);
    await run(['restart', 's1']);
    await run(['restart', 's2']);
    expect(await changes('--service', 's1')).toHaveLength(2);
    expect(await changes('--service', 's1', '--since', '1h')).toMatchObject([{ at: '2026-03-01T14:00:00.000Z' }]);
    expect(await changes('--since', '2026-03-02')).toEqual([]);
    expect(await run(['changes', '--since', '2'])).toMatchObject({ exitCode: 2 });
  });

  test('names the account of a stored sign-in, and each of several', async () => {
    const { wire, configDir, run, changes } = await stage({ token: null });
    writeSignIns(configDir, storedSignIn('work', wire.url));
    for (const id of ['a', 'b']) wire.on('POST', `/v1/services/${id}/restart`).always(200, { success: true });
    expect(await run(['restart', 'a', 'b', '--yes'])).toMatchObject({ exitCode: 0 });
    const found = await changes();
    expect(found.map(({ service }) => service).sort()).toEqual(['a', 'b']);
    expect(new Set(found.map(({ who }) => who))).toEqual(new Set(['work@example.com (profile work)']));
    const list = { stdin: 'service,org\na,acme\nb,\n' };
    await run(['restart', '--services', '-', '--yes', '--concurrency', '1', '--org', 'kola'], list);
    expect((await changes()).slice(2)).toMatchObject([{ organization: 'acme' }, { organization: 'kola' }]);
  });

  test('keeps nothing in CI, after "changes off", and for what was not sent', async () => {
    const { wire, configDir, file, run } = await stage();
    wire.on('POST', RESTART).always(200, { success: true });
    expect(await run(['restart', 's1'], { env: { CI: 'true' } })).toMatchObject({ exitCode: 0 });
    expect(await run(['restart', 's1', '--dry-run'])).toMatchObject({ exitCode: 0 });
    expect(await run(['restart', '..'])).toMatchObject({ exitCode: 2 });
    await run(['config', 'set', 'changes', 'off']);
    expect(await run(['restart', 's1'])).toMatchObject({ exitCode: 0 });
    expect(existsSync(file)).toBe(false);
    expect((await run(['changes'])).stdout).toContain('svc config set changes on');
    expect(await run(['config', 'set', 'changes', 'never'])).toMatchObject({ exitCode: 2 });
    await run(['config', 'set', 'changes', 'on']);
    await run(['restart', 's1']);
    expect(readdirSync(configDir)).toEqual(expect.arrayContaining(['changes.ndjson', 'config.json']));
  });

  test.each<[what: string, spoil: (file: string) => void]>([
    ['a folder in the place of its file', (file) => mkdirSync(file)],
    ['a pipe in the place of its file', (file) => execFileSync('mkfifo', [file])],
    ['a link in the place of its file', (file) => symlinkSync('/dev/null', file)],
  ])('never fails or delays the change itself, and says once that it is not kept: %s', async (_what, spoil) => {
    const { wire, file, run, changes } = await stage();
    spoil(file);
    for (const id of ['s1', 's2']) wire.on('POST', `/v1/services/${id}/restart`).reply(200, { success: true });
    const { exitCode, stderr } = await run(['restart', 's1', 's2', '--yes', '--json']);
    expect(exitCode).toBe(0);
    expect(stderr.match(/"change_not_kept"/g)).toHaveLength(1);
    expect(await changes()).toEqual([]);
  });

  test.runIf(CAN_MOUNT)('never fails the change itself: a full disk', async () => {
    const disk = mountTmpfs('size=32k');
    try {
      const { wire, run } = await stage({ configDir: join(disk.folder, 'config') });
      mkdirSync(join(disk.folder, 'config'));
      writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(16 * 1024));
      wire.on('POST', RESTART).always(200, { success: true });
      const answers = [];
      for (let turn = 0; turn < 60; turn += 1) answers.push((await run(['restart', 's1', '--json'])).exitCode);
      expect(new Set(answers)).toEqual(new Set([0]));
      expect(() => writeFileSync(join(disk.folder, 'more'), Buffer.alloc(16 * 1024))).toThrow('ENOSPC');
    } finally {
      disk.remove();
    }
  });

  test('lists those of the last 90 days', async () => {
    const { wire, run, changes, clock } = await stage();
    wire.on('POST', RESTART).always(200, { success: true });
    await run(['restart', 's1']);
    clock.advance(90 * 24 * 3_600_000);
    await run(['restart', 's1']);
    expect(await changes()).toHaveLength(2);
    clock.advance(1_000);
    expect(await changes()).toHaveLength(1);
  });

  test.each([
    ['wp run --wait', { status: 'failed' }, 9, 'failed'],
    ['wp run --wait', { status: 'completed' }, 0, 'done'],
    ['wp status', { status: 'completed', check: { status: 'failed' } }, 8, 'pending'],
    ['wp status', { status: 'completed' }, 0, 'done'],
  ])('learns from %s how a job has ended: %j', async (how, end, exitCode, result) => {
    const { wire, run, changes, file } = await stage();
    wire.on('POST', '/v1/services/s1/actions').reply(202, { jobId: 'job_1', status: 'queued' });
    wire.on('GET', '/v1/services/s1/actions/job_1').always(200, { jobId: 'job_1', ...end });
    const waits = how === 'wp run --wait';
    const ran = await run(['wp', 'run', 'backup', '--service', 's1', ...(waits ? ['--wait'] : [])]);
    if (!waits) expect((await changes()).map(({ result }) => result)).toEqual(['pending']);
    const last = waits ? ran : await run(['wp', 'status', 'job_1', '--service', 's1']);
    expect(last.exitCode).toBe(exitCode);
    expect(await changes()).toMatchObject([{ command: 'wp run', result }]);
    const kept = readFileSync(file, 'utf8');
    await run(['wp', 'status', 'job_1', '--service', 's1']);
    expect(readFileSync(file, 'utf8'), 'what is known is not written again').toBe(kept);
  });

  test('learns nothing from a job of the same id on another platform', async () => {
    const { wire, run, changes } = await stage();
    const other = await testWire();
    wire.on('POST', '/v1/services/s1/actions').reply(202, { jobId: 'job_1', status: 'queued' });
    other.on('GET', '/v1/services/s1/actions/job_1').reply(200, { jobId: 'job_1', status: 'failed' });
    await run(['wp', 'run', 'backup', '--service', 's1']);
    expect((await run(['wp', 'status', 'job_1', '--service', 's1'], { url: other.url })).exitCode).toBe(9);
    expect(await changes()).toMatchObject([{ command: 'wp run', result: 'pending' }]);
  });

  test('has an order that was sent twice with one key once, and a repeat that tells nothing changes nothing', async () => {
    const { wire, run, changes } = await stage();
    wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', status: 'paid' }).reply(409, { error: 'used' });
    const order = ['buy', '--plan', 'p1', '--phone', '+237670000042', '--network', 'mtn', '--yes'];
    for (const flags of [[], ['--no-retry', '--new-order']]) {
      await run([...order, '--idempotency-key', 'key_1', ...flags]);
    }
    expect(await changes()).toMatchObject([{ command: 'buy', what: 'ord_1', result: 'done' }]);
  });

  test('has a line before the change is sent, so that a svc that is killed leaves one', async () => {
    const { wire, run, changes, file } = await stage();
    let before = '';
    wire.on('POST', RESTART).act(({ response }) => {
      before = existsSync(file) ? readFileSync(file, 'utf8') : '';
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
    });
    await run(['restart', 's1']);
    expect(JSON.parse(before)).toMatchObject({ command: 'restart', service: 's1', result: 'unknown' });
    expect(await changes()).toMatchObject([{ result: 'done' }]);
  });

  test('leaves out lines that svc has not written', async () => {
    const { wire, run, changes, file: path } = await stage();
    wire.on('POST', RESTART).reply(200, { success: true });
    await run(['restart', 's1']);
    const [good] = await changes();
    const hostile = [
      '{"at":"2026-03-01T12:00:00Z","who":',
      'null',
      '[]',
      '"text"',
      JSON.stringify({ ...good, at: 'yesterday' }),
      JSON.stringify({ ...good, result: 'great' }),
      JSON.stringify({ ...good, who: 7 }),
      `${'['.repeat(100_000)}`,
      '\u0000\u001b[31m',
    ];
    appendFileSync(path, `\n${hostile.join('\n')}\n`);
    appendFileSync(path, JSON.stringify({ ...good, who: 'evil\u001b[2J\u202e', extra: 1 }));
    expect(await changes()).toEqual([good, { ...good, who: 'evil\u001b[2J\u202e' }]);
    expect((await run(['changes'])).stdout).not.toMatch(/[\u001b\u202e]/);
    chmodSync(path, 0o644);
    expect(await changes()).toHaveLength(2);
  });

  test('nothing secret is kept, whatever the API answers', async () => {
    const secrets = Object.values(SECRETS).filter((secret) => secret !== SECRETS.phone);
    const changing = USES.filter(({ operation: { retry } }) => retry === 'write' || retry === 'keyed');
    const text = fc.oneof(fc.constantFrom(...secrets, SECRETS.token), fc.string({ maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...changing),
        fc.constantFrom(200, 201, 400, 404, 500),
        fc.dictionary(fc.constantFrom('status', 'message', 'jobId', 'error', 'token'), text),
        fc.boolean(),
        async (use, status, answer, inId) => {
          const { wire, run, file } = await stage();
          const headers = inId ? { 'x-request-id': SECRETS.token } : {};
          wire.on(use.operation.method, pathOf(use)).always(status, { ...use.good, ...answer }, headers);
          await run([...use.argv, '--no-retry'], use.stdin === undefined ? {} : { stdin: use.stdin });
          const kept = readFileSync(file, 'utf8');
          for (const secret of [...secrets, SECRETS.phone.slice(1)]) expect(kept).not.toContain(secret);
        },
      ),
      tries(100, 41),
    );
  });
});

describe('svc status', () => {
  test('names the last change of the service from this machine', async () => {
    const { wire, run, clock } = await stage();
    for (const id of ['s1', 's2']) wire.on('POST', `/v1/services/${id}/restart`).reply(200, { success: true });
    await run(['restart', 's1']);
    clock.advance(60_000);
    await run(['restart', 's2']);
    wire.on('GET', '/v1/user').always(200, {});
    wire.on('GET', '/v1/billing/autopay').always(200, {});
    for (const id of ['s1', 's3']) wire.on('GET', `/v1/services/${id}/metrics/history`).always(200, { points: [] });
    const one = await run(['status', '--service', 's1', '--json']);
    expect(one.json).toMatchObject({ lastChange: { at: NOW, command: 'restart', result: 'done' } });
    expect((await run(['status', '--service', 's3', '--json'])).json).toMatchObject({ lastChange: null });
    expect((await run(['status', '--json'])).json).toMatchObject({ lastChange: { service: 's2' } });
    expect((await run(['status', '--service', 's1'])).stdout).toContain(
      `Last change  restart, done, ${NOW}, by SVC_TOKEN`,
    );
  });
});
