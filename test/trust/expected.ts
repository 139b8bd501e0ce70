import fc from 'fast-check';
import { type Cell, RETRY_TABLE } from '../support/retry-table.ts';
import type { WireFault } from './faults.ts';
import type { Use } from './uses.ts';

/** How a fault is met: it strikes so often, then all is well. */
export interface Meeting {
  readonly times: number;
  readonly flags: readonly string[];
  /** What spreads the waits; between 0 and 1. */
  readonly random: number;
}

/** Any way of meeting a fault. */
export const anyMeeting: fc.Arbitrary<Meeting> = fc.record({
  times: fc.constantFrom(1, 2, 3, 4),
  flags: fc.subarray(['--json', '--no-retry', '--debug']),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** What must come of it. */
export interface Expected {
  readonly exitCode: number;
  /** How often the request of the operation is sent. */
  readonly requests: number;
  /** Whether the error must say that the change may have been made. */
  readonly inDoubt: boolean;
}

const FINAL: Cell = { extra: 0, leavesDoubt: false, ifAsked: false };

/** What the tables of exit codes and retries make of a fault. */
export function expectedOf(use: Use, fault: WireFault, { times, flags }: Meeting): Expected {
  const { retry } = use.operation;
  const retries = !flags.includes('--no-retry');
  if (retry === 'start' || retry === 'poll') return expectedOfLogin(fault[retry], times, retry === 'poll' || retries);
  const cell = fault.column === undefined ? FINAL : RETRY_TABLE[retry][fault.column];
  const asksToComeBack = fault.name.endsWith('for 1 s');
  const extra = !retries || fault.slow || (cell.ifAsked && !asksToComeBack) ? 0 : cell.extra;
  if (times <= extra) return { exitCode: 0, requests: times + 1, inDoubt: false };
  const changes = retry === 'write' || retry === 'keyed';
  const inDoubt = cell.leavesDoubt || (fault.unreadable === true && changes);
  return { exitCode: inDoubt ? 8 : fault.exitCode, requests: extra + 1, inDoubt };
}

function expectedOfLogin([patience, exitCode]: WireFault['start'], times: number, retries: boolean): Expected {
  const tries = retries ? patience : 1;
  const gotThrough = times < tries;
  return { exitCode: gotThrough ? 0 : exitCode, requests: gotThrough ? times + 1 : tries, inDoubt: false };
}
