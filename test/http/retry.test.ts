import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/api/retry.ts';
import { getFailureRule, getMaxRepeats, leavesDoubt } from '../../src/api/statuses.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { BUY, cliErrorOf, clientFor, RESTART, WHOAMI } from '../support/client.ts';
import { type Cell, COLUMNS, type Column, RETRY_TABLE } from '../support/retry-table.ts';
import { closedPort, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

const CLASSES = Object.keys(RETRY_TABLE) as (keyof typeof RETRY_TABLE)[];

/** What statuses.ts says, in the form of the table. */
function cellOf(retryClass: (typeof CLASSES)[number], column: Column): Cell {
  const rule = getFailureRule(
    /^\d/.test(column) ? Number.parseInt(column, 10) : (column as 'reset'),
  );
  const [asked = 0, unasked = 0] = [true, false].map((isAsked) =>
    getMaxRepeats(rule, retryClass, isAsked),
  );
  return {
    extra: column === '429_retry_after' || column === '503' ? asked : unasked,
    leavesDoubt: leavesDoubt(rule, retryClass),
    ifAsked: column === '503' && asked !== unasked,
  };
}

test.each(CLASSES)('%s: repeats are those of the table', (retryClass) => {
  const said = Object.fromEntries(COLUMNS.map((column) => [column, cellOf(retryClass, column)]));
  expect(said).toEqual(RETRY_TABLE[retryClass]);
});

/** One call of each class. What a platform does to each operation: test/trust/faulted.test.ts. */
const CALLS = {
  start: { operation: OPERATIONS.startDeviceLogin, body: { clientName: 'x' } },
  keyed: BUY,
  scan: { operation: OPERATIONS.scanDomain, body: { domain: 'example.com' } },
  read: WHOAMI,
  write: RESTART,
};

test.each(CLASSES)(
  '%s: what never reached the platform is sent as often as the table says',
  async (retryClass) => {
    const notSent = `http://127.0.0.1:${await closedPort()}`;
    const { url } = await testWire({ tls: LOCALHOST_TLS });
    for (const [column, address] of [
      ['not_sent', notSent],
      ['tls', url],
    ] as const) {
      const attempts = RETRY_TABLE[retryClass][column].extra + 1;
      const { client, clock } = clientFor(address);
      const { code, details } = await cliErrorOf(client.call(CALLS[retryClass]));
      expect({ code, ...details }).toMatchObject({ code: 'unavailable', attempts });
      expect([details.outcome, clock.waits.length]).toEqual([undefined, attempts - 1]);
    }
  },
);

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SERVER_NOW = 'Sun, 01 Mar 2026 12:00:00 GMT';
const HOUR = 3_600_000;

test.each<[text: string, ms: number | undefined]>([
  ['0', 0],
  ['120', 120_000],
  ['999999999', 999_999_999_000],
  ['Sun, 01 Mar 2026 11:59:59 GMT', 0],
  // Fractions are rounded up.
  ['29.5', 30_000],
  ['0.2', 1_000],
  // The other dates that a recipient must read (RFC 9110, 5.6.7), and spellings of GMT.
  ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
  ['Sun Mar  1 12:00:30 2026', 30_000],
  ['Sun, 01 Mar 2026 12:00:30 UTC', 30_000],
  ['Sun, 01 Mar 2026 12:00:30 +0000', 30_000],
  ['Sun, 01 Mar 2026 13:00:30 +0100', 30_000],
  ['Wednesday, 06-Nov-94 08:49:37 GMT', undefined],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  // Of several headers, which are joined, the longest.
  ['4, 4', 4_000],
  ['30, 30', 30_000],
  ['1, 2', 2_000],
  ['soon, 5', 5_000],
  ['5, Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:00:30 GMT, Sun Mar  1 12:00:40 2026, 2.5', 40_000],
  // Any other form counts as absent.
  ...[
    '',
    '-1',
    '1e3',
    '.5',
    '1000000000',
    '٣',
    'soon',
    '2026-03-01T12:00:30Z',
    'Mon, 01 Mar 2026 12:00:30 GMT',
    'Sun, 01 Mar 2026 12:00:30 CET',
    'Sun, 01 Foo 2026 12:00:30 GMT',
    'Sun, 31 Feb 2026 12:00:30 GMT',
  ].map((text): [string, undefined] => [text, undefined]),
])('Retry-After: %s asks for %s ms', (text, expected) => {
  expect(parseRetryAfter({ 'retry-after': text, date: SERVER_NOW }, NOW)).toBe(expected);
});

test.each([
  ['the date of the answer', { date: SERVER_NOW }, [30_000, 30_000, 30_000]],
  ['the local clock without a usable one', { date: 'today' }, [HOUR + 30_000, 30_000, 0]],
])('a date counts from %s', (_what, headers, waits) => {
  const soon = { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT', ...headers };
  expect([-HOUR, 0, HOUR].map((ms) => parseRetryAfter(soon, NOW + ms))).toEqual(waits);
});
