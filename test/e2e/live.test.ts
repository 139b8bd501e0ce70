import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV, type TerminalOptions } from '../terminal/script.ts';

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const MARKS_PASTES = '\u001b[?2004h';
const ENTERED = '\u001b[?1049h';
const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** The live view on a terminal of 80 × 30, against a platform that answers until it is taken away. */
async function living({ args = ['metrics', 'svc_1', '--watch'], ...options }: TerminalOptions = {}) {
  const wire = await testWire();
  let isLost = false;
  const points = (cpuPercent: number) =>
    Array.from({ length: 60 }, (_, minutes) => ({
      time: new Date(Date.now() - (60 - minutes) * 60_000).toISOString(),
      cpuPercent,
    }));
  wire.on('GET', '/v1/services/svc_1/metrics/history').act(({ response, socket }) => {
    if (isLost) socket.destroy();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ points: points(42) }));
  }, true);
  const env = {
    ...TERMINAL_ENV,
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  const run = onTerminal(program.command, { args, env, ...options });
  const lose = () => {
    isLost = true;
  };
  return { run, wire, lose };
}

test.each([
  ['q', 'q', 0],
  ['Ctrl-C', CTRL_C, 130],
  ['Ctrl-C after keys that do nothing', `xyz\u001b[5~${CTRL_C}`, 130],
])('%s leaves the terminal as it was, without an error', async (_name, keys, code) => {
  const { run } = await living();
  await run.shows('cpuPercent');
  run.type(keys);
  expect(await run.ended()).toBe(code);
  const output = run.output();
  expect(output.startsWith(`${MARKS_PASTES}${ENTERED}`)).toBe(true);
  expect(output.endsWith(LEFT)).toBe(true);
  expect(output).not.toMatch(/Error|xyz|\^C/);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s restores the terminal, and echo with it', async (signal, code) => {
  const { run } = await living({ before: 'trap : HUP', after: 'stty -a' });
  await run.shows('cpuPercent');
  run.signal(signal);
  expect(await run.ended()).toBe(code);
  await until(() => /[ ;]-?echo\b/.test(run.output()), run.output);
  expect(run.output()).toContain(LEFT);
  expect(run.output()).toMatch(/[ ;\n]icanon\b[\s\S]*[ ;\n]echo\b/);
});

test('keys, arrows and ranges are heard', async () => {
  const { run, wire } = await living();
  await run.shows('cpuPercent');
  let from = run.output().length;
  run.type('3');
  await run.shows('last 1d', from);
  await until(() => wire.requests.length === 2);
  from = run.output().length;
  run.type('?');
  await run.shows('another service', from);
  from = run.output().length;
  run.type('\u001b[B');
  await run.shows('cpuPercent', from);
  run.type('q');
  expect(await run.ended()).toBe(0);
});

test('a resize draws for the new size at once, without asking again', async () => {
  const { run, wire } = await living({ args: ['metrics', 'svc_1', '--watch', '--interval', '1h'] });
  await run.shows('cpuPercent');
  for (const [columns, rows] of [
    [120, 40],
    [60, 16],
    [40, 8],
  ] as const) {
    const from = run.output().length;
    run.resize(columns, rows);
    await run.shows('cpuPercent', from);
    await until(() => /\u001b\[J[^\n]*quit[^\n]*$/.test(run.output()));
    const frame = run.output().split('\u001b[H').at(-1) ?? '';
    expect(frame.split('\n')).toHaveLength(rows);
  }
  expect(wire.requests).toHaveLength(1);
  run.type('q');
  expect(await run.ended()).toBe(0);
});

test('Ctrl-Z gives the terminal back, and fg draws the charts at once', async () => {
  const { run, wire } = await living({ args: ['metrics', 'svc_1', '--watch', '--interval', '1h'], jobs: true });
  await run.shows('cpuPercent');
  run.type(CTRL_Z);
  await run.shows('<stopped>');
  const stopped = run.output();
  expect(stopped).toMatch(/\u001b\[\?1049l[\s\S]*<stopped>$/);
  run.type('\r');
  await run.shows('cpuPercent', stopped.length);
  run.type('q');
  expect(await run.ended()).toBe(0);
  expect(wire.requests).toHaveLength(1);
});

test('a server that is lost leaves the values, and r finds it again', async () => {
  const { run, lose } = await living({ args: ['metrics', 'svc_1', '--watch', '--interval', '1h', '--no-retry'] });
  await run.shows('42%');
  lose();
  const from = run.output().length;
  run.type('r');
  await run.shows('no answer since ', from);
  await run.shows('42%', from);
  run.type('q');
  expect(await run.ended()).toBe(0);
});

test('R restarts after y and Enter, and not after pasted text', async () => {
  const { run, wire } = await living();
  wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true });
  await run.shows('cpuPercent');
  run.type('R');
  await run.shows('Restart svc_1?');
  run.type('y\r');
  run.type('\u001b[200~y\r\u001b[201~');
  let from = run.output().length;
  // A key that comes in one piece with pasted text is taken for pasted, too.
  await until(() => run.output().includes('Not restarted.', from) || run.type('n'));
  expect(wire.requests.some(({ method }) => method === 'POST')).toBe(false);
  from = run.output().length;
  run.type('R');
  await run.shows('Restart svc_1?', from);
  from = run.output().length;
  run.type('y');
  await run.shows('Restart svc_1?', from);
  // An Enter that comes at once is taken for pasted.
  await until(() => wire.requests.some(({ method }) => method === 'POST') || run.type('\r'));
  await run.shows('The restart of svc_1 was accepted.', from);
  run.type('q');
  expect(await run.ended()).toBe(0);
});

test.each([
  ['TERM=dumb', { TERM: 'dumb' }],
  ['ACCESSIBLE', { ACCESSIBLE: '1' }],
])('%s gets the table', async (_name, more) => {
  const wire = await testWire();
  wire.on('GET', '/v1/services/svc_1/metrics/history').always(200, { points: [] });
  const folder = await temporaryFolder();
  const env = { ...TERMINAL_ENV, SVC_API_URL: wire.url, SVC_TOKEN: CANARY_TOKEN, SVC_CONFIG_DIR: folder, ...more };
  const run = onTerminal(program.command, { args: ['metrics', 'svc_1', '--watch'], env });
  await run.shows('Ctrl-C to stop.');
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(run.output()).not.toContain(ENTERED);
});
