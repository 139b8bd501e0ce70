import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV, type TerminalOptions } from '../terminal/script.ts';

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const ENTERED = '\u001b[?1049h';
const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** The live view on a terminal of 80 × 30, against a platform that answers. */
async function living(more: readonly string[] = [], options: TerminalOptions = {}) {
  const wire = await testWire();
  const points = Array.from({ length: 60 }, (_, minutes) => ({
    time: new Date(Date.now() - (60 - minutes) * 60_000).toISOString(),
    cpuPercent: 42,
  }));
  wire.on('GET', '/v1/services/svc_1/metrics/history').always(200, { points });
  const own = {
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  const args = ['metrics', 'svc_1', '--watch', ...more];
  const run = onTerminal(program.command, { args, env: { ...TERMINAL_ENV, ...own }, ...options });
  return { run, wire };
}

test('Ctrl-C right after keys that do nothing and an arrow leaves the terminal as it was, without an error', async () => {
  const { run } = await living();
  await run.shows('42%');
  run.type(`xyz?\u001b[5~\u001b[A${CTRL_C}`);
  expect(await run.ended()).toBe(130);
  // It marks pastes before it enters.
  expect(run.output().startsWith(`\u001b[?2004h${ENTERED}`)).toBe(true);
  expect(run.output().endsWith(LEFT)).toBe(true);
  expect(run.output()).not.toMatch(/Error|xyz|\^C/);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s restores the terminal, and echo with it', async (signal, code) => {
  const { run } = await living([], { before: 'trap : HUP', after: 'stty -a' });
  await run.shows('42%');
  run.signal(signal);
  expect(await run.ended()).toBe(code);
  await until(() => /[ ;]-?echo\b/.test(run.output()), run.output);
  expect(run.output()).toContain(LEFT);
  expect(run.output()).toMatch(/[ ;\n]icanon\b[\s\S]*[ ;\n]echo\b/);
});

test('a condition that holds is told behind the restored terminal', async () => {
  const { run } = await living(['--fail-if', 'cpu>40']);
  expect(await run.ended()).toBe(9);
  const behind = run.output().slice(run.output().lastIndexOf(LEFT));
  expect(behind.replaceAll(/\u001b\[\d*m/g, '')).toContain('Alert: cpuPercent is 42 at ');
});

test('a resize, even to no columns and back, draws for the new size, Ctrl-Z gives the terminal back, fg draws: each without asking again', async () => {
  const { run, wire } = await living(['--interval', '1h'], { jobs: true });
  await run.shows('42%');
  const wide = run.output().length;
  run.resize(40, 12);
  await run.shows('42%', wide);
  await until(() => /\u001b\[J[^\n]*refresh[^\n]*$/.test(run.output()));
  expect(run.output().split('\u001b[H').at(-1)?.split('\n')).toHaveLength(12);
  const narrow = run.output().length;
  run.loseSize();
  await run.shows('42%', narrow);
  const lost = run.output().length;
  run.resize(80, 30);
  await run.shows('42%', lost);
  run.type(CTRL_Z);
  await run.shows('<stopped>');
  const stopped = run.output();
  expect(stopped).toMatch(/\u001b\[\?1049l[\s\S]*<stopped>$/);
  run.type('\r');
  await run.shows('42%', stopped.length);
  run.type('q');
  expect(await run.ended()).toBe(0);
  expect(wire.requests).toHaveLength(1);
});
