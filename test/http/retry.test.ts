import { describe, expect, test } from 'vitest';
import type { ClientOptions } from '../../src/service/client.ts';
import { leavesDoubt, repeatsOf, ruleOf } from '../../src/service/statuses.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { BUY, cliErrorOf, clientFor, pathOf, RESTART, WHOAMI } from '../support/client.ts';
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

/** One call of each class. Each operation meets each fault in test/trust/faulted.test.ts. */
const CALLS = {
  start: { operation: OPERATIONS.startDeviceLogin, body: { clientName: 'x' } },
  keyed: BUY,
  scan: { operation: OPERATIONS.scanDomain, body: { domain: 'example.com' } },
  read: WHOAMI,
  write: RESTART,
};

describe.each(CLASSES)('%s', (retryClass) => {
  test.each(COLUMNS)(
    '%s: as many attempts as the table says, then its outcome; one without retries',
    async (column) => {
      const cell = RETRY_TABLE[retryClass][column];
      for (const retry of [true, false]) {
        // No answer asks for a wait here except 429_retry_after, so what needs one gets no extra attempt.
        const attempts = !retry || cell.ifAsked ? 1 : cell.extra + 1;
        const { url, requests, more } = await scene(CALLS[retryClass], column, attempts);
        const { client, sent, clock } = clientFor(url, { ...more, retry });
        const { details, code } = await cliErrorOf(client.call(CALLS[retryClass]));
        const outcome = cell.leavesDoubt ? 'unknown' : undefined;
        expect({ attempts: details.attempts, outcome: details.outcome }).toEqual({ attempts, outcome });
        if (outcome !== undefined) expect(code).toBe('unavailable');
        expect([sent.length, clock.waits.length]).toEqual([attempts, attempts - 1]);
        expect(new Set(requests.map(({ body, headers }) => JSON.stringify([body, headers]))).size).toBeLessThan(2);
      }
    },
  );
});

/** A service on which the call ends with this failure, as often as it is sent. */
async function scene(call: typeof WHOAMI, column: Column, times: number) {
  const more: Partial<ClientOptions> = column === 'timeout' ? { attemptTimeoutMs: 150 } : {};
  if (column === 'not_sent') return { url: `http://127.0.0.1:${await closedPort()}`, requests: [], more };
  const wire = await testWire(column === 'tls' ? { tls: LOCALHOST_TLS } : {});
  if (column === 'tls') return { ...wire, more };
  const plan = wire.on(call.operation.method, pathOf(call.operation, call.path));
  for (let count = 0; count < times; count += 1) {
    if (column === 'reset') plan.reset();
    else if (column === 'timeout') plan.hang();
    else if (column === '429_retry_after') plan.reply(429, { error: 'slowly' }, { 'retry-after': '2' });
    else plan.reply(Number(column), { error: 'no' });
  }
  return { ...wire, more };
}
