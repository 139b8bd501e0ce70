import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { linesOf } from './lines.ts';

/** An answer of the platform: its status, and the seconds that it asks to wait. */
type Says = readonly [status: number, retryAfter?: number] | 'reset';

const OK: Says = [200];
const FORTY: readonly Says[] = Array.from({ length: 40 }, () => [429, 7]);
const B7: Says = [503, 7];

/** Restarts `s0`, `s1` and so on, one at a time, each of which meets its answers. */
async function restart(answers: ReadonlyArray<readonly Says[]>, flags: readonly string[] = []) {
  const wire = await testWire();
  for (const [index, all] of answers.entries()) {
    const plan = wire.on('POST', `/v1/services/s${index}/restart`);
    for (const says of all) {
      if (says === 'reset') plan.reset();
      else plan.reply(says[0], { success: true }, says[1] === undefined ? {} : { 'retry-after': String(says[1]) });
    }
  }
  const clock = fakeClock();
  const argv = ['restart', ...answers.keys()].map((word) => (typeof word === 'number' ? `s${word}` : word));
  const run = await svc([...argv, '-y', '--json', '--concurrency', '1', ...flags], { url: wire.url, clock });
  const lines = linesOf(run.stdout).map(({ exitCode, attempts }) => [exitCode, attempts]);
  return { exitCode: run.exitCode, lines, waitedMs: clock.monotonic(), stderr: run.stderr };
}

// biome-ignore format: a table
test.each<[what: string, answers: ReadonlyArray<readonly Says[]>, exitCode: number, ends: ReadonlyArray<[exitCode: number, attempts: number]>, flags?: string[]]>([
  ['a 429 that says how long to wait costs no try, and the wait no time of the item', [[...FORTY, OK], [OK]], 0, [[0, 41], [0, 1]]],
  ['after 10 minutes of pauses an item fails', [[[429, 200], [429, 200], [429, 200], [429, 200]], [OK]], 11, [[7, 4], [0, 1]]],
  ['a platform that asks to wait for hours ends the run', [[[429, 7200]], [], []], 11, [[7, 1]]],
  ['a 503 that says how long to wait has the tries of a single command', [[B7, B7, B7], [B7, OK]], 11, [[8, 3], [0, 2]]],
  ['pauses are no tries of what comes after them', [[...FORTY, B7, OK], [OK]], 0, [[0, 42], [0, 1]]],
  ['--no-retry sends each request once, whatever the answer', [[[429, 7]], [[429, 7]]], 7, [[7, 1], [7, 1]], ['--no-retry']],
  ['a change without an answer is never sent again', [['reset'], [OK]], 11, [[8, 1], [0, 1]]],
])('%s', async (what, answers, exitCode, ends, flags) => {
  const run = await restart(answers, flags);
  expect([run.exitCode, run.lines]).toEqual([exitCode, ends]);
  if (what.includes('costs no try')) expect(run.waitedMs).toBeGreaterThan(FORTY.length * 7_000);
  if (what.includes('hours')) expect(run.stderr).toMatch(/asks to wait 2h.*2 not sent/);
  expect(run.stderr.includes('"outcome":"unknown"')).toBe(answers[0]?.[0] === 'reset' || what.startsWith('a 503'));
});
