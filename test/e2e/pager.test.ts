import { readdirSync } from 'node:fs';
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

const FIRST_LINE = 'metric0';
const LAST_LINE = 'metric59';
const less = needs('less');
const PROMPT = 'q to quit, Space for more';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** Runs svc on a terminal of 30 rows. */
function svc(args: readonly string[], env: Readonly<Record<string, string>> = {}, more: TerminalOptions = {}) {
  return onTerminal(program.command, { args, env: { ...TERMINAL_ENV, ...env }, ...more });
}

/** Shows a service with sixty series, a row each. */
async function metrics(
  env: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
  more?: TerminalOptions,
) {
  const wire = await testWire();
  const values = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`metric${index}`, index]));
  const points = [{ time: new Date().toISOString(), ...values }];
  wire.on('GET', '/v1/services/svc_1/metrics/history').always(200, { points });
  const folder = await temporaryFolder();
  const own = { SVC_API_URL: wire.url, SVC_TOKEN: CANARY_TOKEN, SVC_CONFIG_DIR: folder };
  return svc(['metrics', 'svc_1', ...words], { ...own, ...env }, more);
}

/** The pager that svc runs on a terminal. */
function lessOf({ pid }: TerminalRun): number {
  const [svc = Number.NaN] = childrenOf(pid);
  return childrenOf(svc)[0] ?? Number.NaN;
}

describe('data that is taller than the terminal', () => {
  test.skipIf(less.missing).each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ])(less.title('is shown page by page, and %s ends it quietly'), async (_name, key) => {
    const run = await metrics();
    await run.shows(FIRST_LINE);
    await run.shows(PROMPT);
    expect(run.output()).not.toContain(LAST_LINE);
    // Between its prompt and its wait for a key, less would take a Ctrl-C for nothing.
    await until(() => stateOf(lessOf(run)) === 'S');
    run.type(key);
    expect(await run.ended()).toBe(0);
    expect(run.output()).not.toMatch(/Error|Interrupted|Cancelled/);
  });

  test.skipIf(less.missing)(less.title('lets no key write a file or run a program'), async () => {
    const folder = await temporaryFolder();
    const run = await metrics({}, [], { before: `cd '${folder}'` });
    await run.shows(PROMPT);
    run.type('svc status\r');
    await run.shows('not available');
    run.type('q');
    expect(await run.ended()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each<[string, string[], Readonly<Record<string, string>>]>([
    ['PAGER=cat', [], { PAGER: 'cat' }],
    ['an empty PAGER', [], { PAGER: '' }],
    ['--no-pager', ['--no-pager'], {}],
    ['CI', [], { CI: '1' }],
    ['SVC_NO_INPUT', [], { SVC_NO_INPUT: '1' }],
    ['a screen reader', [], { ACCESSIBLE: '1' }],
    ['a simple terminal', [], { TERM: 'dumb' }],
    ['a pager that is not there', [], { PAGER: 'no-such-pager' }],
    ['a pager of the current folder', [], { PAGER: './pager' }],
    ['a pager that fails', [], { PAGER: 'false' }],
  ])('is printed at once with %s', async (_name, words, env) => {
    const run = await metrics(env, words);
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain(LAST_LINE);
    expect(run.output()).not.toContain(PROMPT);
  });

  test('goes through the program that PAGER names, with its arguments and without the token', async () => {
    const numbered = await metrics({ PAGER: 'sed s/^/page:/' });
    expect(await numbered.ended()).toBe(0);
    expect(numbered.output()).toContain(`page:  ${LAST_LINE}`);
    const environment = await metrics({ PAGER: 'env' });
    expect(await environment.ended()).toBe(0);
    expect(environment.output()).toContain('LESSSECURE=1');
    expect(environment.output()).not.toContain(CANARY_TOKEN);
  });

  test('is written into a file as it is, and as JSON at once', async () => {
    const file = join(await temporaryFolder(), 'metrics.txt');
    expect(await (await metrics({}, [], { stdout: file })).ended()).toBe(0);
    expect(await readFile(file, 'utf8')).toContain(LAST_LINE);
    const json = await metrics({ PAGER: 'sed s/^/page:/' }, ['--json']);
    expect(await json.ended()).toBe(0);
    expect(json.output()).not.toContain('page:');
  });

  test.skipIf(less.missing)(less.title('is left by SIGTERM with its exit code'), async () => {
    const run = await metrics();
    await run.shows(PROMPT);
    run.signal('SIGTERM');
    expect(await run.ended()).toBe(143);
  });
});

test.each([
  [[]],
  [['--help']],
  [['buy', '--help']],
  [['help', 'all']],
  [['help', 'environment']],
  [['domains']],
  [['--version']],
])('svc %j is printed at once, however tall it is', async (args) => {
  const run = svc(args, { PAGER: 'sed s/^/paged:/', HOME: await temporaryFolder() });
  expect(await run.ended()).toBe(args[0] === 'domains' ? 2 : 0);
  expect(run.output()).not.toContain('paged:');
});
