import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * No verdict of a test may hang on how fast or slow a machine is. So tests do not measure time, and
 * do not wait for it: they pass a clock, wait for an event (`until`), or count. test/README.md says
 * how; here are the few that are argued.
 */

/** The places that read a clock, and why no verdict hangs on it. */
const READS: Readonly<Record<string, string>> = {
  'e2e/live.test.ts': 'makes times of day for an answer',
  'support/lifetimes.ts':
    'chooses moments for kills; whatever the moment, the end must be the same',
  'trust/signals.test.ts': 'chooses moments for signals, and reports how soon they end svc',
  'sign-in/journal.test.ts': 'sets times of files',
  'store/lock.test.ts':
    'sets times of files, and compares them with a time that a fake clock has moved on',
};

/** The places that let time pass, and why no verdict hangs on how long it takes. */
const WAITS: Readonly<Record<string, string>> = {
  'e2e/killed-buyer.ts': 'kills at any moment',
  'e2e/waiting.test.ts':
    'nothing may be shown meanwhile, and a filter has no event; a shorter time only sees less',
  'batch/log.test.ts': 'waits on the clock that the test passes',
  'batch/shared-log.test.ts': 'starts and kills at any moment',
  'batch/stops.test.ts': 'sends a signal again until it is heard',
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
  'trust/signals.test.ts': 'sends signals at any moment',
  'sign-in/processes.test.ts': 'kills at any moment',
  'store/named-file.test.ts': 'a signal at any moment',
};

/** Their time limit is a second, which a busy machine takes for a start of Node. */
const IMPATIENT = /\bvi\.waitUntil\(|\bvi\.waitFor\(|\bexpect\.poll\(/;
const CLOCKS = /\bperformance\.now\(|\bDate\.now\(|\bprocess\.(?:hrtime|cpuUsage)\b/;
const TIMERS =
  /(?<!\.)\b(?:setTimeout|setInterval)\(|\bsystemClock\.sleep\(|await sleep\(|'node:timers\/promises'/;
/** A time limit of a test: an option, or the last argument. */
const LIMIT = /^ *(?:test|describe)\b.*\btimeout: (\d[\d_]*)|^ {0,2}(?:\}, )?(\d[\d_]*),?\n?\);/gm;
/** Milliseconds; below this a time limit of a test is a verdict on the machine. */
const LEAST_LIMIT_MS = 300_000;

const FOLDER = import.meta.dirname;
/** Those of other platforms start a machine inside the machine. */
const APART = /^(?:windows|arm64|conformance)\//;
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !APART.test(file) && file !== 'clocks.test.ts')
  .sort();
const textOf = (file: string) =>
  readFileSync(join(FOLDER, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(textOf(file)));

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
  const limits = files.flatMap((file) =>
    [...textOf(file).matchAll(LIMIT)].map(([, at, last]) => [file, at ?? last ?? '']),
  );
  expect(limits.length).toBeGreaterThan(5);
  expect(
    limits.filter(([, limit = '']) => Number(limit.replaceAll('_', '')) < LEAST_LIMIT_MS),
  ).toEqual([]);
});
