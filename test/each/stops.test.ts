import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { fakeClock } from '../support/clock.ts';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';
import { countingService, type Deed, FINE } from './counting-service.ts';
import { linesOf } from './lines.ts';

const GONE: Deed = { carriesOut: false, answer: 404 };

async function restarts(count: number, decide: (id: string) => Deed) {
  const service = await countingService(decide);
  const cwd = await temporaryFolder();
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  const argv = ['restart', '--services', 'list.txt', '-y', '--json'];
  return {
    ...service,
    ids,
    cwd,
    run: (more: readonly string[] = [], onStart?: Parameters<typeof svc>[1] & object) =>
      svc([...argv, ...more], { url: service.url, cwd, ...onStart }),
    argv,
  };
}

describe('--max-failures', () => {
  test.each([
    ['3', 3],
    ['10%', 2],
    ['7%', 2],
  ])('%s stops a run of 20 after %d failures, and says what was not sent', async (limit, most) => {
    const { run, requests } = await restarts(20, () => GONE);
    const { exitCode, stdout, error } = await run(['--max-failures', limit, '--concurrency', '1']);
    expect(exitCode).toBe(11);
    expect(linesOf(stdout)).toHaveLength(most);
    expect(requests()).toBe(most);
    expect(error['error']).toContain(`${most} failed, ${20 - most} not sent`);
  });

  test('counts jobs that outlast their wait, and the command that goes on repeats nothing that is in doubt', async () => {
    const { url, cwd, timesOf } = await countingService(
      () => FINE,
      () => ({ jobId: 'job_1', status: 'running' }),
    ).then(async (service) => ({ ...service, cwd: await temporaryFolder() }));
    const ids = ['s1', 's2'].flatMap((id) => ['--service', id]);
    const argv = ['wp', 'run', 'backup', ...ids, '--yes', '--json', '--wait', '--wait-timeout', '1s'];
    const more = ['--concurrency', '1', '--max-failures', '1', '--resume', 'run.ndjson', '--retry-unknown'];
    const { exitCode, error } = await svc([...argv, ...more], { url, cwd });
    expect([exitCode, timesOf('s2')]).toEqual([11, 0]);
    expect(error['next']).toEqual([expect.not.stringContaining('--retry-unknown')]);
  });

  test.each(['0', '101%', 'some', '5.5'])('%s is refused', async (limit) => {
    const { run, requests } = await restarts(2, () => FINE);
    expect((await run(['--max-failures', limit])).exitCode).toBe(2);
    expect(requests()).toBe(0);
  });
});

describe('Ctrl-C', () => {
  test('says more than an alarm before it', async () => {
    const wire = await testWire();
    let interrupt = () => {};
    const points = { points: [{ time: '2026-11-25T11:59:30Z', cpu: 90 }] };
    wire.on('GET', '/v1/services/s1/metrics/history').reply(200, points);
    wire.on('GET', '/v1/services/s2/metrics/history').act(({ response }) => {
      interrupt();
      send(response, 200, { points: [] });
    });
    const run = await svc(['metrics', 's1', 's2', 's3', '--fail-if', 'cpu>80', '--json', '--concurrency', '1'], {
      url: wire.url,
      clock: fakeClock('2026-11-25T12:00:00Z'),
      onStart: (signal) => (interrupt = () => signal('SIGINT')),
    });
    expect(run).toMatchObject({ exitCode: 130, error: { code: 'interrupted', summary: { alerts: 1, left: 1 } } });
  });

  test('lets finish what is under way, sends nothing more, and says how to go on', async () => {
    const wire = await testWire();
    let interrupt = () => {};
    wire.on('POST', '/v1/services/s1/restart').act(({ response }) => {
      interrupt();
      send(response, 200, { success: true });
    });
    const cwd = await temporaryFolder();
    const { exitCode, stdout, error } = await svc(
      ['restart', 's1', 's2', 's3', '-y', '--json', '--concurrency', '1', '--log', 'run.ndjson'],
      { url: wire.url, cwd, onStart: (signal) => (interrupt = () => signal('SIGINT')) },
    );
    expect(exitCode).toBe(130);
    expect(linesOf(stdout)).toMatchObject([{ item: 's1', exitCode: 0 }]);
    expect(error).toMatchObject({ code: 'interrupted', exitCode: 130 });
    expect(error['error']).toContain('1 of 3 services done, 2 not sent');
    expect(error['next']).toEqual(['svc restart s1 s2 s3 --concurrency 1 --yes --resume run.ndjson']);
  });

  test('ends a pause at once', async () => {
    const wire = await testWire();
    let interrupt = () => {};
    wire.on('POST', '/v1/services/s1/restart').reply(429, {}, { 'retry-after': '300' });
    const clock: Clock = {
      ...systemClock,
      sleep(ms, signal) {
        if (ms > 100_000) queueMicrotask(interrupt);
        return systemClock.sleep(ms, signal);
      },
    };
    const { exitCode, error } = await svc(['restart', 's1', 's2', '-y', '--json', '--concurrency', '1'], {
      url: wire.url,
      clock,
      onStart: (signal) => (interrupt = () => signal('SIGTERM')),
    });
    expect(exitCode).toBe(143);
    expect(error['outcome']).toBeUndefined();
  });

  test('pressed twice ends the process at once; what was under way is in doubt', async () => {
    const { command } = await builtProgram();
    let child: ChildProcess | undefined;
    const { url, cwd, argv, run, timesOf } = await restarts(3, (id) => {
      if (id !== 's0' || child === undefined) return FINE;
      child.kill('SIGINT');
      // Two that come at once are one.
      const again = setInterval(() => child?.kill('SIGINT') || clearInterval(again), 300);
      return { carriesOut: true, answer: 'hang' };
    });
    const env = { PATH: process.env['PATH'], SVC_API_URL: url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
    const [node, script] = command;
    child = spawn(node, [script, ...argv, '--concurrency', '1', '--log', 'run.ndjson'], { cwd, env });
    await once(child, 'close');
    expect(child.exitCode).toBe(130);
    child = undefined;
    const { exitCode, stdout } = await run(['--resume', 'run.ndjson']);
    expect(exitCode).toBe(11);
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ item: 's0', exitCode: 8, attempts: 0 }));
    expect([timesOf('s0'), timesOf('s1'), timesOf('s2')]).toEqual([1, 1, 1]);
  });
});

test('a closed pipe ends a run of reads quietly, and one of changes with what was not sent', async () => {
  const { command } = await builtProgram();
  const { url, cwd, requests } = await restarts(300, () => FINE);
  const env = { PATH: process.env['PATH'] ?? '', SVC_API_URL: url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
  const line = (args: string) => `${command.join(' ')} ${args} --services list.txt --json -y`;
  const head = (args: string) =>
    new Promise<{ exitCode: number | null; stderr: string }>((resolve) => {
      const child = spawn('bash', ['-c', `${line(args)} | head -n 3 >/dev/null; exit \${PIPESTATUS[0]}`], {
        cwd,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr.on('data', (text) => (stderr += text));
      child.on('close', (exitCode) => resolve({ exitCode, stderr }));
    });
  expect(await head('metrics')).toEqual({ exitCode: 0, stderr: '' });
  expect(requests()).toBeLessThan(300);
  const before = requests();
  const changes = await head('restart');
  expect(changes.exitCode).toBe(1);
  expect(changes.stderr).toContain('not sent');
  expect(requests() - before).toBeLessThan(300);
});
