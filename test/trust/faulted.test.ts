import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { figure } from '../support/figure.ts';
import { inTurn, tries } from '../support/property.ts';
import { type Cell, RETRY_TABLE } from '../support/retry-table.ts';
import type { Run } from '../support/svc.ts';
import { FAULTS, type WireFault } from './faults.ts';
import { actOf, type Service, testService } from './service.ts';
import { aboutUse, isAbout, runUse, USES, type Use, wellAnswered } from './uses.ts';

const { numRuns: ROUNDS, seed: SEED } = tries(1, 20_260_401);

/** A way of meeting a fault: it strikes so often, then all is well. `random` spreads the waits. */
interface Meeting {
  readonly times: number;
  readonly flags: readonly string[];
  readonly random: number;
}
const anyMeeting: fc.Arbitrary<Meeting> = fc.record({
  times: fc.constantFrom(1, 2, 3, 4),
  flags: fc.subarray(['--json', '--no-retry', '--debug']),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
});

const FINAL: Cell = { extra: 0, leavesDoubt: false, ifAsked: false };

/** What the tables of exit codes and retries make of a fault. */
function expectedOf(use: Use, fault: WireFault, { times, flags }: Meeting) {
  const { retry } = use.operation;
  const retries = !flags.includes('--no-retry');
  if (retry === 'start' || retry === 'poll')
    return expectedOfLogin(fault[retry], times, retry === 'poll' || retries);
  const cell = fault.column === undefined ? FINAL : RETRY_TABLE[retry][fault.column];
  const asksToComeBack = fault.name.endsWith('for 1 s');
  const extra = !retries || fault.slow || (cell.ifAsked && !asksToComeBack) ? 0 : cell.extra;
  if (times <= extra) return { exitCode: 0, requests: times + 1, inDoubt: false };
  const changes = retry === 'write' || retry === 'keyed';
  const inDoubt = cell.leavesDoubt || (fault.unreadable === true && changes);
  return { exitCode: inDoubt ? 8 : fault.exitCode, requests: extra + 1, inDoubt };
}

function expectedOfLogin(
  [patience, exitCode]: WireFault['start'],
  times: number,
  retries: boolean,
) {
  const tries = retries ? patience : 1;
  const gotThrough = times < tries;
  return {
    exitCode: gotThrough ? 0 : exitCode,
    requests: gotThrough ? times + 1 : tries,
    inDoubt: false,
  };
}

/**
 * Runs a command line whose request meets the fault, and holds what comes of it against the tables.
 */
async function meet(service: Service, use: Use, fault: WireFault, how: Meeting): Promise<void> {
  const strike = actOf(fault.does);
  const well = wellAnswered(use);
  let met = 0;
  service.expect(
    aboutUse(use, (exchange) => (++met > how.times ? well(exchange) : strike(exchange))),
  );
  const slow = fault.slow ? ['--timeout', '5s'] : [];
  const clock = fault.slow && use.operation.retry !== 'poll' ? { clock: systemClock } : {};
  const run = await runUse(use, service, [...how.flags, ...slow], {
    ...clock,
    random: () => how.random,
  });
  const expected = expectedOf(use, fault, how);
  const about = `${use.operation.name}: ${fault.name}, ${JSON.stringify(how)}\n${run.stdout}\n${run.stderr}`;
  const requests = service.requests.filter((request) => isAbout(use, request));
  expect([run.exitCode, requests.length], about).toEqual([expected.exitCode, expected.requests]);
  // Even on the same host, a redirect would send a body or a key once more.
  expect(service.requests.map(({ path }) => path)).not.toContain('/v1/elsewhere');
  expectReadable(use, run, how.flags, about);
  if (!how.flags.includes('--json') || run.exitCode === 0) return;
  expect(run.error, about).toMatchObject({
    exitCode: run.exitCode,
    code: expect.stringMatching(/^[a-z_]+$/),
  });
  expect(run.error['outcome'], about).toBe(expected.inDoubt ? 'unknown' : undefined);
  if (fault.says === undefined) return;
  expect(run.error, about).toMatchObject({
    error: fault.says,
    status: Number(fault.name),
    requestId: 'req_7',
  });
  expect(Object.values(run.error), about).not.toContain('theirs');
}

/** One result or one error; no stack unless --debug shows it, no bug, no secret. */
function expectReadable(
  use: Use,
  { exitCode, stdout, stderr }: Run,
  flags: readonly string[],
  about: string,
): void {
  if (exitCode !== 0) expect(stdout, about).toMatch(/^$|^\{"event":"login_pending"/);
  // With --json, a database is shown as the platform describes it.
  const shown = use.operation.name === 'getDatabase' ? stderr : stdout + stderr;
  expect(shown, about).not.toMatch(/did not expect|CANARY/);
  if (!flags.includes('--debug')) expect(stderr, about).not.toMatch(/^ +at .*:\d+:\d+/m);
}

/** The operations, by how their requests are sent again. */
const KINDS = [...new Set(USES.map(({ operation }) => operation.retry))].map((retry) =>
  USES.filter(({ operation }) => operation.retry === retry),
);

const QUICK = FAULTS.filter(({ slow }) => !slow).flatMap((fault, turn) =>
  KINDS.flatMap((kind) => inTurn(kind, turn).map((use) => [use, fault] as const)),
);

test(`every fault on each kind of operation ends as the tables say (${ROUNDS} rounds, seed ${SEED})`, async () => {
  const service = await testService();
  const meetings = fc.sample(anyMeeting, { numRuns: QUICK.length * ROUNDS, seed: SEED });
  for (const [index, how] of meetings.entries()) {
    const [use, fault] = QUICK[index % QUICK.length] ?? [];
    if (use !== undefined && fault !== undefined) await meet(service, use, fault, how);
  }
  figure(
    'Faulted requests',
    meetings.length,
    `${FAULTS.length} faults on ${USES.length} operations, seed ${SEED}`,
  );
}, 600_000);

// A poll has 30 s, which no flag shortens: those are waited for only if there is time.
const SLOW = USES.filter(({ operation }) => ROUNDS > 1 || operation.retry !== 'poll').flatMap(
  (use) => FAULTS.filter(({ slow }) => slow).map((fault) => [use, fault] as const),
);

test('what never ends is ended by the time limit', async () => {
  const meeting = { flags: ['--json'], random: 0.5, times: 1 };
  await Promise.all(
    SLOW.map(async ([use, fault]) => meet(await testService(), use, fault, meeting)),
  );
  figure('Faulted requests', SLOW.length);
}, 600_000);
