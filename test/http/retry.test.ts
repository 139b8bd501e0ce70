import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/service/call.ts';
import type { ClientOptions } from '../../src/service/client.ts';
import { leavesDoubt, repeatsOf, ruleOf } from '../../src/service/statuses.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { type Cell, COLUMNS, type Column, RETRY_TABLE } from '../support/retry-table.ts';
import { closedPort, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire, type Wire } from '../support/wire.ts';

const CLASSES = Object.keys(RETRY_TABLE) as (keyof typeof RETRY_TABLE)[];

/** What statuses.ts says, in the form of the table. */
function cellOf(retryClass: (typeof CLASSES)[number], column: Column): Cell {
  const rule = ruleOf(/^\d/.test(column) ? Number.parseInt(column, 10) : (column as 'reset'));
  const asked = repeatsOf(rule, retryClass, true);
  const unasked = repeatsOf(rule, retryClass, false);
  const isAsked = column === '429_retry_after';
  return {
    extra: isAsked || column === '503' ? asked : unasked,
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

test.each([400, 401, 403, 404, 405, 410, 413, 415, 422, 300, 301, 302, 303, 304, 307, 308])(
  'a %i is final for every request',
  (status) => {
    expect(ruleOf(status).repeats).toEqual({});
    expect(ruleOf(status).doubtFor).toBeUndefined();
  },
);

test.each([501, 505, 511, 520, 526, 599])('a %i counts as a 500', (status) => {
  expect(ruleOf(status)).toBe(ruleOf(500));
});

const CALLS = Object.values(OPERATIONS)
  .filter(({ retry }) => retry !== 'poll')
  .map(
    (operation: Operation): Call => ({
      operation,
      path: { id: 's1', domain: 'example.com', deploymentId: 'd1' },
      ...(operation.method === 'POST' && operation.name !== 'restartService' ? { body: { name: operation.name } } : {}),
    }),
  );

describe.each(CALLS)('$operation.name ($operation.retry)', (call) => {
  const row = RETRY_TABLE[call.operation.retry as keyof typeof RETRY_TABLE];

  test.each(COLUMNS)('%s: as many attempts as the table says, then its outcome', async (column) => {
    const cell = row[column];
    // No answer asks for a wait here except 429_retry_after, so what needs one gets no extra attempt.
    const attempts = cell.ifAsked ? 1 : cell.extra + 1;
    const { url, more, wire } = await scene(call, column, attempts);
    const { client, sent, clock } = clientFor(url, more);
    const error = await cliErrorOf(client.call(call));
    expect({ attempts: error.details.attempts, outcome: error.details.outcome }).toEqual({
      attempts,
      outcome: cell.leavesDoubt ? 'unknown' : undefined,
    });
    if (error.details.outcome === 'unknown') expect(error.code).toBe('unavailable');
    expect(sent).toHaveLength(attempts);
    expect(clock.waits).toHaveLength(attempts - 1);
    expectSameBytes(wire);
  });

  test.each(COLUMNS)('%s: exactly one request without retries', async (column) => {
    const { url, more } = await scene(call, column, 1);
    const { client, sent, clock } = clientFor(url, { ...more, retry: false });
    const error = await cliErrorOf(client.call(call));
    expect([error.details.attempts, sent.length, clock.waits]).toEqual([1, 1, []]);
    expect(error.details.outcome).toBe(row[column].leavesDoubt ? 'unknown' : undefined);
  });
});

interface Scene {
  readonly url: string;
  readonly wire?: Wire;
  readonly more?: Partial<ClientOptions>;
}

/** A service on which the call ends with this failure, as often as it is sent. */
async function scene(call: Call, column: Column, times: number): Promise<Scene> {
  if (column === 'not_sent') return { url: `http://127.0.0.1:${await closedPort()}` };
  if (column === 'tls') return { url: (await testWire({ tls: LOCALHOST_TLS })).url };
  const wire = await testWire();
  const path = call.operation.path.replace(/\{(\w+)\}/g, (_, name) => call.path?.[name] ?? '');
  const plan = wire.on(call.operation.method, path);
  for (let count = 0; count < times; count += 1) {
    if (column === 'reset') plan.reset();
    else if (column === 'timeout') plan.hang();
    else if (column === '429_retry_after') plan.reply(429, { error: 'slowly' }, { 'retry-after': '2' });
    else plan.reply(Number(column), { error: 'no' });
  }
  return { url: wire.url, wire, more: column === 'timeout' ? { attemptTimeoutMs: 150 } : {} };
}

function expectSameBytes(wire: Wire | undefined): void {
  const [first, ...others] = wire?.requests ?? [];
  for (const other of others) {
    expect([other.body, other.headers]).toEqual([first?.body, first?.headers]);
  }
}
