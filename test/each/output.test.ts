import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire, type Wire } from '../support/wire.ts';
import { linesOf } from './lines.ts';

const metricsOf = (id: string) => `/v1/services/${id}/metrics/history`;

function points(cpu: number) {
  return { points: [{ time: new Date(Date.now() - 1_000).toISOString(), cpu }] };
}

async function measured(cpus: Readonly<Record<string, number>>): Promise<Wire> {
  const wire = await testWire();
  for (const [id, cpu] of Object.entries(cpus)) wire.on('GET', metricsOf(id)).reply(200, points(cpu));
  return wire;
}

async function databases(...ids: readonly string[]): Promise<Wire> {
  const wire = await testWire();
  for (const id of ids) wire.on('GET', `/v1/databases/${id}`).reply(200, { database: { id, name: id } });
  return wire;
}

describe('the output of several', () => {
  test('keeps an answer as the API wrote it, on one line', async () => {
    const wire = await testWire();
    wire.on('GET', metricsOf('a')).reply(200, '{\n  "points": [],\r\n\t"n": 1.10, "text": "a\\nb  c"\n}\n');
    wire.on('GET', metricsOf('b')).reply(200, '{}');
    const { stdout } = await svc(['metrics', 'a', 'b', '--json', '--concurrency', '1'], { url: wire.url });
    expect(stdout.split('\n')[0]).toContain('"answer":{"points": [],"n": 1.10, "text": "a\\nb  c"},"attempts":1,');
  });

  test('--jq filters each line', async () => {
    const wire = await measured({ a: 10, b: 90 });
    const filter = '"\\(.item) \\(.answer.points[-1].cpu)"';
    const { stdout, exitCode } = await svc(['metrics', 'a', 'b', '--jq', filter, '--concurrency', '1'], {
      url: wire.url,
    });
    expect({ stdout, exitCode }).toEqual({ stdout: 'a 10\nb 90\n', exitCode: 0 });
  });

  test('a filter that does not compile is refused before anything is sent', async () => {
    const wire = await testWire();
    expect((await svc(['metrics', 'a', 'b', '--jq', '.['], { url: wire.url })).exitCode).toBe(2);
  });

  test('--csv prints a row for each, and only that', async () => {
    const wire = await databases('a');
    wire.on('GET', '/v1/databases/b').reply(404, { error: 'No "b", really' });
    const { stdout, exitCode } = await svc(['db', 'inspect', 'a', 'b', '--csv', '--concurrency', '1'], {
      url: wire.url,
    });
    const [head, first, second, end] = stdout.split('\n');
    expect(head).toBe('index,item,exitCode,code,error,attempts,ms,answer');
    expect(first).toMatch(/^0,a,0,,,1,\d+,"\{""database"":/);
    expect(second).toMatch(/^1,b,6,not_found,"No ""b"", really",1,\d+,$/);
    expect([end, exitCode]).toEqual(['', 11]);
  });

  test('--csv has no passwords without --reveal: a spreadsheet is read by people', async () => {
    const wire = await testWire();
    const answer = (password: string) => ({ database: {}, password, connectionUrl: `postgres://u:${password}@h/d` });
    for (const id of ['a', 'b']) wire.on('GET', `/v1/databases/${id}`).always(200, answer(`CANARY-${id}`));
    const argv = ['db', 'inspect', 'a', 'b', '--csv'];
    expect((await svc(argv, { url: wire.url })).stdout).not.toContain('CANARY');
    expect((await svc([...argv, '--reveal'], { url: wire.url })).stdout.match(/CANARY/g)).toHaveLength(4);
  });

  test('--csv prints its head even if nothing is left to do', async () => {
    const wire = await databases('a', 'b');
    const cwd = await temporaryFolder();
    const argv = ['db', 'inspect', 'a', 'b', '--csv'];
    expect((await svc([...argv, '--log', 'run.ndjson'], { url: wire.url, cwd })).exitCode).toBe(0);
    const run = await svc([...argv, '--resume', 'run.ndjson'], { url: wire.url, cwd });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'index,item,exitCode,code,error,attempts,ms,answer\n' });
  });

  test('for people says what failed, by reason, and what was done', async () => {
    const wire = await testWire();
    const restart = (id: string) => wire.on('POST', `/v1/services/${id}/restart`);
    for (const id of ['a', 'b']) restart(id).reply(200, { success: true });
    for (const id of ['c', 'd']) restart(id).reply(404, { error: `There is no service ${id}.` });
    restart('e').reply(403, { error: 'Not yours' });
    const run = await svc(['restart', 'a', 'b', 'c', 'd', 'e', '-y', '--concurrency', '1'], { url: wire.url });
    expect(run.stdout).toMatchInlineSnapshot(`
      "  FAILED     SERVICES  REASON                  WHICH
        not found         2  There is no service ….  c, d
        forbidden         1  Not yours               e

      "
    `);
    expect(run.stderr.replace(/ in \d+s, .*/, '.')).toMatchInlineSnapshot(`
      "Error: 2 of 5 services done, 3 failed.
      "
    `);
    expect(run.exitCode).toBe(11);
  });

  test.each([
    [10, 10],
    [11, 0],
  ])('of %d reads shows people %d screens', async (count, shown) => {
    const wire = await testWire();
    const ids = Array.from({ length: count }, (_, index) => `db_${index}`);
    for (const id of ids) wire.on('GET', `/v1/databases/${id}`).reply(200, { database: { id, name: id } });
    const { stdout } = await svc(['db', 'inspect', ...ids], { url: wire.url });
    expect(stdout.match(/^Database db_/gm) ?? []).toHaveLength(shown);
    expect(stdout).toMatch(new RegExp(`✓ db inspect: ${count} of ${count} databases done`));
  });

  test('of metrics --fail-if lists those whose condition holds, with exit code 9', async () => {
    const wire = await measured({ a: 10, b: 90, c: 95 });
    const run = await svc(['metrics', 'a', 'b', 'c', '--fail-if', 'cpu>80', '--concurrency', '1'], { url: wire.url });
    expect(run.exitCode).toBe(9);
    expect(run.stdout).toMatch(/ALERT\n {2}b +cpu is 90 at .*\n {2}c +cpu is 95 at /);
    expect(run.stderr).toBe('Alert: 2 of 3 services alarm.\n');
  });

  test('of metrics --fail-if is exit code 9, whatever else failed, and says what alerts', async () => {
    const wire = await measured({ a: 90, d: 10 });
    wire.on('GET', metricsOf('b')).reply(403, {});
    wire.on('GET', metricsOf('c')).reply(200, { points: [] });
    const argv = ['metrics', 'a', 'b', 'c', 'd', '--fail-if', 'cpu>80', '--json', '--concurrency', '1'];
    const run = await svc(argv, { url: wire.url });
    expect(run.exitCode).toBe(9);
    expect(linesOf(run.stdout).map(({ exitCode }) => exitCode)).toEqual([9, 5, 12, 0]);
    const alert = { series: 'cpu', figure: 'last', value: 90, limit: 80, at: expect.stringMatching(/Z$/) };
    expect(linesOf(run.stdout)[0]).toMatchObject({ code: 'alert', error: { alerts: [alert] }, answer: {} });
    expect(run.error).toMatchObject({
      code: 'alert',
      exitCode: 9,
      error: '1 of 4 services alarms, 1 could not be read, 1 could not be checked.',
      alerts: [{ item: 'a', ...alert }],
      summary: { total: 4, done: 1, failed: 2, alerts: 1, left: 0, skipped: 0, noData: 1 },
    });
  });

  test('of metrics --fail-if is exit code 12 if none can be checked, 11 if some', async () => {
    const wire = await measured({ a: 10 });
    const nothing = { points: [] };
    wire.on('GET', metricsOf('b')).reply(200, nothing).reply(200, nothing);
    wire.on('GET', metricsOf('c')).reply(200, nothing);
    const check = (...ids: readonly string[]) =>
      svc(['metrics', ...ids, '--fail-if', 'cpu>80', '--json'], { url: wire.url });
    expect(await check('b', 'c')).toMatchObject({ exitCode: 12, error: { code: 'no_data', summary: { noData: 2 } } });
    expect(await check('a', 'b')).toMatchObject({ exitCode: 11, error: { code: 'partial', summary: { done: 1 } } });
  });

  test('ends with the counts as JSON on stderr if nothing failed', async () => {
    const wire = await measured({ a: 10, b: 20 });
    const clock = fakeClock();
    const run = await svc(['metrics', 'a', 'b', '--json'], { url: wire.url, clock });
    const summary = { total: 2, done: 2, failed: 0, alerts: 0, left: 0, skipped: 0, seconds: clock.monotonic() / 1000 };
    expect(run.stderr).toBe(`${JSON.stringify({ summary })}\n`);
    expect(await svc(['metrics', 'a', 'b', '--csv'], { url: (await measured({ a: 1, b: 1 })).url })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  });

  test('groups reasons that differ in ids, job ids, times and ages only', async () => {
    const wire = await testWire();
    const ids = ['a', 'b', 'c', 'd'];
    for (const [index, id] of ids.entries()) {
      const at = `2026-03-01T11:5${index}:00Z`;
      const error = `Service ${id}: backup job_00087${index} began at ${at}, 5${index}m 1${index}s ago (${id}).`;
      wire.on('POST', `/v1/services/${id}/restart`).reply(409, { error });
    }
    const { stdout } = await svc(['restart', ...ids, '-y', '--concurrency', '1'], { url: wire.url });
    expect(stdout).toMatchInlineSnapshot(`
      "  FAILED    SERVICES  REASON                                      WHICH
        rejected         4  Service …: backup … began at …, … ago (…).  a, b, c, d

      "
    `);
  });
});

test.each([
  [['metrics', 'a', 'b', '--watch'], '--watch needs a terminal.'],
  [['metrics', 'a', 'b', '--output', 'x.svg'], '--output "x.svg" would be one file for all.'],
  [['metrics', 'a', 'b', '--sort', 'cpu', '--csv'], '--sort and --csv cannot be used together.'],
  [['db', 'inspect', 'a', 'b', '--env'], '--env works on one database'],
  [['metrics', 'a', '--services', '-'], 'cannot be used together'],
  [['metrics', '--concurrency', '2'], 'No services are named.\n  Give their ids, or --services <file>.'],
  [['billing', 'autopay', '--csv'], 'No organizations are named.\n  Add --all-orgs.'],
  [['metrics', '--services', ''], '--services is empty.'],
  [['metrics', 'a', '--max-failures', '0'], '--max-failures "0" is not a whole number from 1 to 1000000.'],
  [['metrics', 'a', 'b', '--concurrency', '65'], 'from 1 to 64'],
  [['metrics', 'a', 'b', '--csv', '--json'], '--csv and --json cannot be used together'],
  [['metrics', 'a', 'a'], 'is given twice'],
  [['metrics', 'a', ' a'], 'is given twice'],
  [['metrics', 'a', 'b', '--service', 'c'], 'The service is given twice'],
  [['domains', 'import', 'a.com', 'www.example.com'], 'is not an apex domain'],
  [['domains', 'import', 'a.com', 'A.com'], 'is given twice'],
  [['restart', 'a', 'b', '-y', '--dry-run', '--log', 'x'], 'there is nothing to log'],
  [['restart', 'a', 'b', '-y', '--log', 'x', '--resume', 'x'], '--log and --resume cannot be used together'],
])('svc %j is refused before anything is sent', async (argv, message) => {
  const wire = await testWire();
  const run = await svc(argv, { url: wire.url });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(message);
});

describe('in the sandbox', () => {
  async function sandbox(options: Parameters<typeof startSandbox>[0] = {}) {
    const started = await startSandbox({ port: 0, ...options });
    const { url, token, services, databases, domains, deployments } = started.listing;
    return {
      started,
      services,
      databases,
      domains,
      deployments,
      run: (...argv: string[]) => svc(argv, { url, token }),
    };
  }

  test('each command takes several', async () => {
    const { started, services, databases, domains, run } = await sandbox();
    try {
      const of = async (...argv: string[]) => linesOf((await run(...argv, '--json', '-y')).stdout);
      const two = (ids: readonly { id: string }[]) => ids.slice(0, 2).map(({ id }) => id);
      expect(await of('metrics', ...two(services))).toHaveLength(2);
      expect(await of('db', 'inspect', ...two(databases))).toHaveLength(2);
      expect(await of('domains', 'import', ...domains.slice(0, 2))).toHaveLength(2);
      expect(await of('restart', ...two(services))).toHaveLength(2);
      const [one, other] = two(services);
      expect(await of('wp', 'run', 'cache.flush', '--service', one ?? '', '--service', other ?? '')).toHaveLength(2);
      const autopay = await of('billing', 'autopay', '--all-orgs');
      expect(autopay.length).toBeGreaterThan(1);
      expect(autopay.every(({ exitCode }) => exitCode === 0)).toBe(true);
    } finally {
      await started.close();
    }
  });

  test('a limiter is obeyed: all is done once', async () => {
    const count = 100;
    const { started, services, run } = await sandbox({ services: count, requestsPerSecond: 25 });
    try {
      const { exitCode, stdout } = await run('restart', ...services.map(({ id }) => id), '-y', '--json');
      const ends = linesOf(stdout);
      expect(ends).toHaveLength(count);
      // Some services of the sandbox have no live container.
      expect(ends.every(({ exitCode }) => exitCode === 0 || exitCode === 9)).toBe(true);
      expect([0, 9, 11]).toContain(exitCode);
      const { refused, services: counted } = started.report();
      expect(Math.max(...counted.map(({ restarts }) => restarts))).toBe(1);
      expect(refused).toBeLessThan(count / 4);
    } finally {
      await started.close();
    }
  });
});
