import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV, type TerminalOptions } from '../terminal/script.ts';
import { childrenOf, stateOf } from './login/stage.ts';

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const MARKS_PASTES = '\u001b[?2004h';
const ENTERED = '\u001b[?1049h';
/** Below 60 columns the table is drawn that these tests are about. */
const NARROW = 59;
const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** `svc metrics --watch` on a terminal, against a platform that always answers with this value. */
async function watching(cpuPercent: number, more: readonly string[] = [], options: TerminalOptions = {}) {
  const wire = await testWire();
  const points = [125, 65, 5].map((seconds) => ({
    time: new Date(Date.now() - seconds * 1000).toISOString(),
    cpuPercent,
  }));
  wire.on('GET', '/v1/services/svc_1/metrics/history').always(200, { points });
  const env = {
    ...TERMINAL_ENV,
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  const run = onTerminal(program.command, {
    args: ['metrics', 'svc_1', '--watch', ...more],
    env,
    columns: NARROW,
    ...options,
  });
  return { run, wire };
}

test.each([
  ['Ctrl-C', CTRL_C, 130],
  ['Ctrl-C right after an arrow key', `\u001b[A${CTRL_C}`, 130],
  ['q', 'q', 0],
])(
  '%s ends the watch without an error, without its echo, and leaves the terminal as it was',
  async (_name, key, code) => {
    const { run } = await watching(42);
    await run.shows('Press q or Ctrl-C to stop.');
    await run.shows('42%');
    run.type(`xyz\r${key}`);
    expect(await run.ended()).toBe(code);
    const output = run.output();
    expect(output).toMatch(/cpuPercent .*42%/);
    expect(output).not.toMatch(/Error|xyz|\^C/);
    expect(output.startsWith(`${MARKS_PASTES}${ENTERED}`)).toBe(true);
    expect(output.endsWith(LEFT)).toBe(true);
  },
);

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s restores the terminal', async (signal, code) => {
  const { run } = await watching(42, [], { before: 'trap : HUP' });
  await run.shows('42%');
  run.signal(signal);
  expect(await run.ended()).toBe(code);
  expect(run.output()).toContain(LEFT);
});

test('an error ends the watch behind the restored terminal', async () => {
  const { run } = await watching(42, ['--series', 'nope']);
  expect(await run.ended()).toBe(2);
  expect(run.output()).toMatch(/\u001b\[\?1049l[\s\S]*There is no series "nope"/);
});

test('a condition that holds ends the watch with an alert and exit code 9', async () => {
  const { run } = await watching(42, ['--fail-if', 'cpu>40']);
  expect(await run.ended()).toBe(9);
  expect(run.output()).toMatch(/\u001b\[\?1049l[\s\S]*Alert:[\s\S]* cpuPercent is 42 at /);
  expect(run.output()).not.toContain('Error');
});

test('the values are drawn anew at once when the size changes, and their age every second, without asking again', async () => {
  const { run, wire } = await watching(42, ['--interval', '1h']);
  await run.shows('Updates every 1h.');
  await run.shows('42%');
  const before = run.output().length;
  run.resize(50, 12);
  await run.shows('42%', before);
  const drawn = run.output().match(/\(\d+ (?:seconds|minutes?) ago\)/g)?.length ?? 0;
  expect(drawn).toBeGreaterThan(1);
  const later = run.output().length;
  await run.shows('42%', later);
  expect(wire.requests).toHaveLength(1);
});

test('Ctrl-Z gives the terminal back, and fg draws the values at once', async () => {
  const { run, wire } = await watching(42, ['--interval', '1h'], { jobs: true });
  await run.shows('42%');
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

test('in the background it waits for fg, as full-screen programs do', async () => {
  const { run } = await watching(42, [], { jobs: 'background' });
  await until(() => stateOf(childrenOf(run.pid)[0] ?? Number.NaN) === 'T');
  expect(run.output()).toBe('');
  run.type('fg\r');
  await run.shows('42%');
  run.type('q');
  expect(await run.ended()).toBe(0);
});

test('no character of a drawing is cleared after it is drawn', async () => {
  const { run } = await watching(42, [], { columns: 50 });
  await run.shows('42%');
  run.type('q');
  expect(await run.ended()).toBe(0);
  // At the edge of the terminal the cursor stays on the last character, so clearing behind it would take it away.
  expect(run.output()).toContain('\u001b[K');
  expect(run.output()).not.toMatch(/[^\n\u001bH]\u001b\[[KJ]/);
});
