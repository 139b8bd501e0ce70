import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN, type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire, type Wire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

const CTRL_C = '\u0003';
const ACTIONS = '/v1/services/svc_1/actions';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

async function surroundings(wire: Wire) {
  return {
    ...TERMINAL_ENV,
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_SERVICE: 'svc_1',
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
}

/** svc on a real terminal that is wide enough for every line, against the wire. */
async function svcOnTerminal(wire: Wire, args: readonly string[]) {
  return onTerminal(program.command, { args, env: await surroundings(wire), columns: 120 });
}

/** svc in this process, with streams that say they are such a terminal. */
async function svcHere(wire: Wire, args: readonly string[], more: Pick<RunOptions, 'env' | 'onStart'> = {}) {
  const env = { ...(await surroundings(wire)), ...more.env };
  return svc(args, { ...more, env, terminal: { columns: 120, rows: 30 } });
}

/** Interrupts svc once it has come so far. */
function interruptedWhen(isSo: (shown: string) => boolean): NonNullable<RunOptions['onStart']> {
  return (interrupt, shown) => void until(() => isSo(shown())).then(() => interrupt('SIGINT'));
}

test.each([
  ['GET', '/v1/user', 'whoami', 'Asking 127.0.0.1:'],
  ['POST', '/v1/domains/import/scan', 'domains import a.test', 'Scanning the DNS of a.test'],
  ['POST', '/v1/services/svc_1/restart', 'restart', 'Restarting svc_1'],
])('no wait is silent: %s %s, svc %s', async (method, path, line, words) => {
  const wire = await testWire();
  wire.on(method, path).hang();
  const run = await svcHere(wire, line.split(' '), { onStart: interruptedWhen((shown) => shown.includes(words)) });
  expect(run.exitCode).toBe(130);
  expect(run.shown).toContain('Interrupted.');
});

const ODD = '/v1/services/svc_1/odd';
test.each([
  [['restart'], 'restart', 'The restart may have happened. Check before you repeat it.', 'svc metrics svc_1'],
  [['wp', 'run', 'backup'], 'actions', 'backup may be queued. Look at svc_1 in the dashboard', ''],
  [['api', '-X', 'POST', ODD, '--yes'], 'odd', 'The change may have gone through.', `svc api ${ODD}`],
])('after Ctrl-C it is said what may have happened: %j', async (args, last, words, next) => {
  for (const flags of [[], ['--json']]) {
    const wire = await testWire();
    wire.on('POST', `/v1/services/svc_1/${last}`).hang();
    const onStart = interruptedWhen(() => wire.requests.length === 1);
    const { exitCode, shown } = await svcHere(wire, [...args, ...flags], { onStart });
    expect(exitCode).toBe(130);
    expect(shown).toContain(words);
    expect(shown.replaceAll(/\u001b\[\d+m/g, '')).toContain(next);
    if (flags.length > 0) expect(shown).toContain('"outcome":"unknown"');
  }
});

/** Long enough for an answer to reach the filter; a shorter time would only make the test see less. */
const UNTIL_THE_FILTER_RUNS_MS = 1_000;

test('Ctrl-C ends a --jq filter that never ends', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, { user: {} });
  const run = await svcOnTerminal(wire, ['whoami', '--jq', 'reduce repeat(1) as $one (0; . + $one)']);
  await until(() => wire.requests.length === 1);
  await sleep(UNTIL_THE_FILTER_RUNS_MS);
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(run.output()).not.toContain('0');
});

test('a busy platform is asked again, and people read why, when and for which time', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(503, {}, { 'retry-after': '1' }).reply(429, {}, { 'retry-after': '1' });
  wire.on('GET', '/v1/user').reply(503, {});
  const run = await svcOnTerminal(wire, ['whoami']);
  expect(await run.ended()).toBe(8);
  // A slow machine may draw it when less than half a second is left.
  expect(run.output()).toMatch(/The platform is busy \(503\)\. Retrying(?: in 1 s)? \(2 of 3\)/);
  expect(run.output()).toMatch(/The platform is busy \(429\)\. Retrying(?: in 1 s)? \(3 of 3\)/);
  expect(run.output()).toContain('is down or overloaded (503), after 3 attempts.');
});

test('a job shows its state, how far it is and the time', async () => {
  const wire = await testWire();
  wire.on('POST', ACTIONS).reply(200, { jobId: 'job_1', status: 'queued' });
  // Each answer waits until the state before it is on the screen.
  const job = wire.on('GET', `${ACTIONS}/job_1`);
  job.act(async ({ response }) => {
    await run.shows('backup  queued');
    send(response, 200, { jobId: 'job_1', status: 'running', progress: 40 });
  });
  job.act(async ({ response }) => {
    await run.shows('backup  running 40%');
    send(response, 200, { jobId: 'job_1', status: 'done', startedAt: '2026-03-01T12:00:00Z', progress: 100 });
  });
  const run = await svcOnTerminal(wire, ['wp', 'run', 'backup', '--wait']);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toMatch(/✓.* backup is done \([\d.]+m?s\)\./);
  expect(run.output()).not.toContain('startedAt');
});
