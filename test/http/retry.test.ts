import { expect, test } from 'vitest';
import { leavesDoubt, repeatsOf, ruleOf } from '../../src/service/statuses.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { BUY, cliErrorOf, clientFor, RESTART, WHOAMI } from '../support/client.ts';
import { type Cell, COLUMNS, type Column, RETRY_TABLE } from '../support/retry-table.ts';
import { closedPort, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

const CLASSES = Object.keys(RETRY_TABLE) as (keyof typeof RETRY_TABLE)[];

/** What statuses.ts says, in the form of the table. */
function cellOf(retryClass: (typeof CLASSES)[number], column: Column): Cell {
  const rule = ruleOf(/^\d/.test(column) ? Number.parseInt(column, 10) : (column as 'reset'));
  const asked = repeatsOf(rule, retryClass, true);
  const unasked = repeatsOf(rule, retryClass, false);
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

test('a poll is asked again after everything that another class repeats', () => {
  for (const kind of ['reset', 'timeout', 'not_sent', 408, 425, 429, 500, 502, 503, 504, 599] as const) {
    expect(repeatsOf(ruleOf(kind), 'poll', false)).toBe(Number.POSITIVE_INFINITY);
  }
});

test('what is refused or redirected is final for every request, and any other 5xx counts as a 500', () => {
  for (const status of [400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 300, 301, 302, 303, 304, 307, 308]) {
    expect(ruleOf(status).repeats, String(status)).toEqual({});
    expect(ruleOf(status).doubtFor).toBeUndefined();
  }
  for (const status of [501, 505, 511, 520, 526, 599]) expect(ruleOf(status)).toBe(ruleOf(500));
});

/** One call of each class. What a platform does to each operation: test/trust/faulted.test.ts. */
const CALLS = {
  start: { operation: OPERATIONS.startDeviceLogin, body: { clientName: 'x' } },
  keyed: BUY,
  scan: { operation: OPERATIONS.scanDomain, body: { domain: 'example.com' } },
  read: WHOAMI,
  write: RESTART,
};

test.each(CLASSES)('%s: what never reached the platform is sent as often as the table says', async (retryClass) => {
  const notSent = `http://127.0.0.1:${await closedPort()}`;
  const { url } = await testWire({ tls: LOCALHOST_TLS });
  for (const [column, address, retry] of [
    ['not_sent', notSent, true],
    ['not_sent', notSent, false],
    ['tls', url, true],
  ] as const) {
    const attempts = retry ? RETRY_TABLE[retryClass][column].extra + 1 : 1;
    const { client, clock } = clientFor(address, { retry });
    const { code, details } = await cliErrorOf(client.call(CALLS[retryClass]));
    expect({ code, ...details }).toMatchObject({ code: 'unavailable', attempts });
    expect([details.outcome, clock.waits.length]).toEqual([undefined, attempts - 1]);
  }
});
