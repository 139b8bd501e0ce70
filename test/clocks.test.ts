import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodesOf, type SyntaxNode } from './support/syntax.ts';

/*
 * No verdict of a test may hang on how fast or slow a machine is. So tests do not measure time, and do not wait for it:
 * they pass a clock, wait for an event (`until`), or count. test/README.md says how; here are the few that are argued.
 */

/** The places that read a clock, and why no verdict hangs on it. */
const READS: Readonly<Record<string, string>> = {
  'e2e/live.test.ts': 'makes times of day for an answer',
  'support/lifetimes.ts': 'chooses moments for kills; whatever the moment, the end must be the same',
  'trust/signals.test.ts': 'chooses moments for signals, and reports how soon they end svc',
  'sign-in/journal.test.ts': 'sets times of files',
  'store/lock.test.ts': 'sets times of files, and compares them with a time that a fake clock has moved on',
};

/** The places that let time pass, and why no verdict hangs on how long it takes. */
const WAITS: Readonly<Record<string, string>> = {
  'e2e/killed-buyer.ts': 'kills at any moment',
  'e2e/waiting.test.ts': 'nothing may be shown meanwhile, and a filter has no event; a shorter time only sees less',
  'each/log.test.ts': 'waits on the clock that the test passes',
  'each/shared-log.test.ts': 'starts and kills at any moment',
  'each/stops.test.ts': 'sends a signal again until it is heard',
  'orders/processes.test.ts': 'kills at any moment',
  'orders/writer.ts': 'stays until it is killed',
  'screens/stage.ts': 'looks again until it is there',
  'support/held-lock.ts': 'renews a lock as another process does',
  'support/keyed-service.ts': 'answers slowly',
  'support/shell.ts': 'gives a shell time to write its history',
  'support/tcp.ts': 'finds out whether a queue is full; it is asked twice',
  'support/until.ts': 'looks again until it is there',
  'support/virtual-clock.ts': 'lets other work happen between two instants of a clock of its own',
  'support/wire-plan.ts': 'answers slowly',
  'terminal/progress.test.ts': 'nothing may be drawn meanwhile; a shorter time only sees less',
  'terminal/script-scope.ts': 'the same',
  'terminal/sink.test.ts': 'writes until the other end is gone',
  'trust/pipes.test.ts': 'reads slowly',
  'trust/signals.test.ts': 'sends signals at any moment',
  'sign-in/processes.test.ts': 'kills at any moment',
  'store/named-file.test.ts': 'a signal at any moment',
};

/** Their time limit is a second, which a busy machine takes for a start of Node. */
const IMPATIENT = ['vi.waitUntil', 'vi.waitFor', 'expect.poll', 'context.expect.poll'];
const CLOCKS = ['performance.now', 'Date.now', 'process.hrtime', 'process.hrtime.bigint', 'process.cpuUsage'];
const TIMERS = ['setTimeout', 'setInterval', 'sleep', 'systemClock.sleep', 'node:timers/promises'];
/** Milliseconds; below this a time limit of a test is a verdict on the machine. */
const LEAST_LIMIT_MS = 300_000;

const FOLDER = import.meta.dirname;
/** Those of other platforms start a machine inside the machine. */
const APART = /^(?:windows|arm64|conformance)\//;
const calls = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !APART.test(file))
  .flatMap((file) => callsIn(file, readFileSync(join(FOLDER, file), 'utf8')));
const filesWith = (names: readonly string[]) =>
  [...new Set(calls.filter(({ name }) => names.includes(name)).map(({ file }) => file))].sort();

test('only these tests read a clock', () => {
  expect(filesWith(CLOCKS)).toEqual(Object.keys(READS).sort());
});

test('only these tests let time pass', () => {
  expect(filesWith(TIMERS)).toEqual(Object.keys(WAITS).sort());
});

test('no test waits for something for a second only', () => {
  expect(filesWith(IMPATIENT)).toEqual([]);
});

test('the time limit of a test only ends what never ends', () => {
  const tests = calls.filter(({ name }) => /^(?:test|it|describe|beforeAll|afterAll|beforeEach)\b/.test(name));
  expect(tests.length).toBeGreaterThan(1_500);
  const short = tests.filter(({ limits }) => limits.some((ms) => ms < LEAST_LIMIT_MS));
  expect(short.map(({ file, limits }) => `${file}: ${limits}`)).toEqual([]);
});

test.each<[text: string, name: string, limits: readonly number[]]>([
  ['expect(performance.now() - at).toBeLessThan(900)', 'performance.now', []],
  ['await expect.poll(() => size)', 'expect.poll', []],
  ["test('x', { timeout: 5_000 }, run)", 'test', [5_000]],
  ["test.each([1])('x', run, 20_000)", 'test.each', [20_000]],
  ['const then = Date.now()', 'Date.now', []],
  ["import { setTimeout as after } from 'node:timers/promises'", 'node:timers/promises', []],
])('%s is seen', (text, name, limits) => {
  expect(callsIn('x.test.ts', text)).toContainEqual({ file: 'x.test.ts', name, limits });
});

interface Call {
  readonly file: string;
  /** What is called, such as `vi.waitUntil`; of `test.each(…)(…)`, `test.each`. Or a module that is imported. */
  readonly name: string;
  /** Whole numbers among the arguments, and those of an option `timeout`: the time limits, if it is a test. */
  readonly limits: readonly number[];
}

function callsIn(file: string, text: string): Call[] {
  return nodesOf(text).flatMap((node) => {
    const { type, source } = node;
    if (type === 'ImportDeclaration') return { file, name: String((source as SyntaxNode)['value']), limits: [] };
    if (type !== 'CallExpression') return [];
    const limits = (node['arguments'] as readonly SyntaxNode[]).flatMap(limitsIn);
    return { file, name: nameOf(node['callee'] as SyntaxNode), limits };
  });
}

function nameOf(node: SyntaxNode): string {
  if (node['type'] === 'Identifier') return String(node['name']);
  if (node['type'] === 'CallExpression') return nameOf(node['callee'] as SyntaxNode);
  if (node['type'] !== 'MemberExpression') return '';
  return `${nameOf(node['object'] as SyntaxNode)}.${nameOf(node['property'] as SyntaxNode)}`;
}

function limitsIn(node: SyntaxNode): number[] {
  if (typeof node['value'] === 'number') return [node['value']];
  if (node['type'] !== 'ObjectExpression') return [];
  return (node['properties'] as readonly SyntaxNode[])
    .filter((property) => (property['key'] as SyntaxNode | undefined)?.['name'] === 'timeout')
    .flatMap((property) => limitsIn(property['value'] as SyntaxNode));
}
