import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV, type TerminalOptions, type TerminalRun } from '../terminal/script.ts';
import { childrenOf, stateOf } from './login/stage.ts';

const LAST_LINE = 'svc help <topic>';
const less = needs('less');
/** Of `less`. */
const PROMPT = '\n:\u001b[K';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** Runs svc on a terminal of 30 rows. */
function svc(args: readonly string[], env: Readonly<Record<string, string>> = {}, more: TerminalOptions = {}) {
  return onTerminal(program.command, { args, env: { ...TERMINAL_ENV, ...env }, ...more });
}

/** The pager that svc runs on a terminal. */
function lessOf({ pid }: TerminalRun): number {
  const [svc = Number.NaN] = childrenOf(pid);
  return childrenOf(svc)[0] ?? Number.NaN;
}

describe('help that is taller than the terminal', () => {
  test.skipIf(less.missing).each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ])(less.title('is shown page by page, and %s ends it quietly'), async (_name, key) => {
    const run = svc(['--help']);
    await run.shows('Usage: svc');
    await run.shows(PROMPT);
    expect(run.output()).not.toContain(LAST_LINE);
    // Between its prompt and its wait for a key, less would take a Ctrl-C for nothing.
    await until(() => stateOf(lessOf(run)) === 'S');
    run.type(key);
    expect(await run.ended()).toBe(0);
    expect(run.output()).not.toMatch(/Error|Interrupted|Cancelled/);
  });

  test.each([
    ['PAGER=cat', ['--help'], { PAGER: 'cat' }],
    ['an empty PAGER', ['help'], { PAGER: '' }],
    ['--no-pager', ['--help', '--no-pager'], {}],
    ['help --no-pager', ['help', '--no-pager'], {}],
    ['CI', ['help'], { CI: '1' }],
    ['SVC_NO_INPUT', ['--help'], { SVC_NO_INPUT: '1' }],
    ['a screen reader', ['help'], { ACCESSIBLE: '1' }],
    ['a simple terminal', ['--help'], { TERM: 'dumb' }],
    ['a pager that is not there', ['help'], { PAGER: 'no-such-pager' }],
    ['a pager of the current folder', ['--help'], { PAGER: './pager' }],
    ['a pager that fails', ['help'], { PAGER: 'false' }],
  ])('is printed at once with %s', async (_name, args, env) => {
    const run = svc(args, env);
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain(LAST_LINE);
    expect(run.output()).not.toContain(PROMPT);
  });

  test('goes through the program that PAGER names, with its arguments and without the token', async () => {
    const numbered = svc(['--help'], { PAGER: 'sed s/^/page:/' });
    expect(await numbered.ended()).toBe(0);
    expect(numbered.output()).toContain('page:Usage: svc');
    const environment = svc(['--help'], { PAGER: 'env', SVC_TOKEN: CANARY_TOKEN });
    expect(await environment.ended()).toBe(0);
    expect(environment.output()).toContain('LESS=FRXK');
    expect(environment.output()).not.toContain(CANARY_TOKEN);
  });

  test('is written into a file as it is', async () => {
    const file = join(await temporaryFolder(), 'help.txt');
    expect(await svc(['--help'], {}, { stdout: file }).ended()).toBe(0);
    expect(await readFile(file, 'utf8')).toContain(LAST_LINE);
  });

  test.skipIf(less.missing)(less.title('is left by SIGTERM with its exit code'), async () => {
    const run = svc(['--help']);
    await run.shows(PROMPT);
    run.signal('SIGTERM');
    expect(await run.ended()).toBe(143);
  });
});

test('what fits on the terminal is printed at once', async () => {
  const run = svc(['--version'], { PAGER: 'sed s/^/page:/' });
  expect(await run.ended()).toBe(0);
  expect(run.output()).not.toContain('page:');
});

test('an answer is shown page by page, and as JSON at once', async () => {
  const wire = await testWire();
  const points = Array.from({ length: 30 }, (_, index) => [`metric${index}`, index]);
  const now = new Date().toISOString();
  wire
    .on('GET', '/v1/services/svc_1/metrics/history')
    .always(200, { points: [{ time: now, ...Object.fromEntries(points) }] });
  const env = {
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
    PAGER: 'sed s/^/page:/',
  };
  const people = svc(['metrics', 'svc_1'], env);
  expect(await people.ended()).toBe(0);
  expect(people.output()).toContain('page:  metric29');
  const json = svc(['metrics', 'svc_1', '--json'], env);
  expect(await json.ended()).toBe(0);
  expect(json.output()).not.toContain('page:');
});
