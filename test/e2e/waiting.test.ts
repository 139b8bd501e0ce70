import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { CANARY_TOKEN, svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire, type Wire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

const CTRL_C = '\u0003';
const ACTIONS = '/v1/services/svc_1/actions';

async function surroundings(wire: Wire) {
  const own = {
    SVC_TOKEN: CANARY_TOKEN,
    SVC_SERVICE: 'svc_1',
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  return { ...TERMINAL_ENV, ...own, SVC_API_URL: wire.url };
}

/** svc on a real terminal that is wide enough for every line, against the wire. */
async function svcOnTerminal(wire: Wire, args: readonly string[]) {
  return onTerminal((await builtProgram()).command, {
    args,
    env: await surroundings(wire),
    columns: 120,
  });
}

const ODD = '/v1/services/svc_1/odd';
test.each([
  [['restart'], 'restart', 'The restart may have happened.', 'svc metrics svc_1'],
  [['wp', 'run', 'backup', '--json'], 'actions', 'backup may be queued.', '"outcome":"unknown"'],
  [
    ['api', '-X', 'POST', ODD, '--yes'],
    'odd',
    'The change may have gone through.',
    `svc api ${ODD}`,
  ],
])('after Ctrl-C it is said what may have happened: %j', async (args, last, words, next) => {
  const wire = await testWire();
  wire.on('POST', `/v1/services/svc_1/${last}`).hang();
  const onStart = (interrupt: (signal: 'SIGINT') => void) =>
    void until(() => wire.requests.length === 1).then(() => interrupt('SIGINT'));
  const env = await surroundings(wire);
  const { exitCode, shown } = await svc(args, {
    env,
    terminal: { columns: 120, rows: 30 },
    onStart,
  });
  expect(exitCode).toBe(130);
  expect(shown).toContain(words);
  expect(shown.replaceAll(/\u001b\[\d+m/g, '')).toContain(next);
});

/**
 * Long enough for an answer to reach the filter; a shorter time would only make the test see less.
 */
const UNTIL_THE_FILTER_RUNS_MS = 1_000;

test('Ctrl-C ends a --jq filter that never ends', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, { user: {} });
  const run = await svcOnTerminal(wire, [
    'whoami',
    '--jq',
    'reduce repeat(1) as $one (0; . + $one)',
  ]);
  await until(() => wire.requests.length === 1);
  await sleep(UNTIL_THE_FILTER_RUNS_MS);
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(run.output()).not.toContain('0');
});

test('people read that a busy platform is asked again, and how far a job is', async () => {
  const wire = await testWire();
  wire
    .on('POST', ACTIONS)
    .reply(429, {}, { 'retry-after': '1' })
    .reply(200, { jobId: 'job_1', status: 'queued' });
  // Each answer waits until the state before it is on the screen.
  const job = wire.on('GET', `${ACTIONS}/job_1`);
  job.act(async ({ response }) => {
    await run.shows('backup  queued');
    send(response, 200, { jobId: 'job_1', status: 'running', progress: 40 });
  });
  job.act(async ({ response }) => {
    await run.shows('backup  running 40%');
    send(response, 200, { jobId: 'job_1', status: 'done', progress: 100 });
  });
  const run = await svcOnTerminal(wire, ['wp', 'run', 'backup', '--wait']);
  expect(await run.ended()).toBe(0);
  // A slow machine may draw it when less than half a second is left.
  expect(run.output()).toMatch(/The platform is busy \(429\)\. Retrying(?: in 1 s)? \(2 of 3\)/);
  expect(run.output()).toMatch(/✓.* backup is done \([\d.]+m?s\)\./);
});
