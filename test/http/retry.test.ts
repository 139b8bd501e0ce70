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

test.each(CLASSES)(
  '%s: what never reached the platform is sent as often as the table says, and not in doubt',
  async (retryClass) => {
    const urls = {
      not_sent: `http://127.0.0.1:${await closedPort()}`,
      tls: (await testWire({ tls: LOCALHOST_TLS })).url,
    };
    for (const [column, url] of Object.entries(urls)) {
      for (const retry of [true, false]) {
        const attempts = retry ? RETRY_TABLE[retryClass][column as Column].extra + 1 : 1;
        const { client, sent, clock } = clientFor(url, { retry });
        const { details, code } = await cliErrorOf(client.call(CALLS[retryClass]));
        expect({ code, ...details }).toMatchObject({ code: 'unavailable', attempts });
        expect(details.outcome).toBeUndefined();
        expect([sent.length, clock.waits.length]).toEqual([attempts, attempts - 1]);
      }
    }
  },
);
