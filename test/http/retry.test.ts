import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/service/call.ts';
import type { ClientOptions } from '../../src/service/client.ts';
import { OUTCOMES, type Outcome, outcomeOfStatus, RETRY_TABLE } from '../../src/service/retry.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { closedPort, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire, type Wire } from '../support/wire.ts';

/**
 * The retry table, written a second time: extra attempts; `?` when the request may have been carried out;
 * `ra` for extra attempts only when the service asks for them.
 */
const WRITTEN_DOWN = `
  class  not_sent tls reset timeout 408 409 425 429_retry_after 429 500 502 503  504
  start  2        0   2     2       2   0   2   2               2   2   2   2    2
  poll   0        0   0     0       0   0   0   0               0   0   0   0    0
  keyed  2        0   2?    2?      2?  2?  2   2               2   2?  2?  2?   2?
  scan   2        0   2     1       2   0   2   2               2   2   2   2    2
  read   2        0   2     2       2   0   2   2               2   2   2   2    2
  write  2        0   0?    0?      0?  0   1   2               0   0?  0?  ra2? 0?
`;

test('the retry table matches the one written down here', () => {
  const [head = [], ...rows] = WRITTEN_DOWN.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const written = rows.map(([name, ...cells]) => [
    name,
    Object.fromEntries(
      cells.map((cell, index) => [
        head[index + 1],
        {
          extra: Number(/\d/.exec(cell)?.[0]),
          afterwards: cell.endsWith('?') ? 'unknown' : 'fail',
          ...(cell.startsWith('ra') ? { needsRetryAfter: true } : {}),
        },
      ]),
    ),
  ]);
  expect(Object.fromEntries(written)).toEqual(RETRY_TABLE);
});

test.each([400, 401, 403, 404, 405, 410, 413, 415, 422, 300, 301, 302, 303, 304, 307, 308])(
  'a %i is final for every request',
  (status) => {
    expect(outcomeOfStatus(status, false)).toBeUndefined();
    expect(outcomeOfStatus(status, true)).toBeUndefined();
  },
);

test.each([501, 505, 511, 520, 526, 599])('a %i counts as a 500', (status) => {
  expect(outcomeOfStatus(status, false)).toBe('500');
});

const CALLS = Object.values(OPERATIONS).map(
  (operation: Operation): Call => ({
    operation,
    path: { id: 's1', domain: 'example.com', deploymentId: 'd1' },
    ...(operation.method === 'POST' && operation.name !== 'restartService' ? { body: { name: operation.name } } : {}),
  }),
);

describe.each(CALLS)('$operation.name ($operation.retry)', (call) => {
  test.each(OUTCOMES)('%s: as many attempts as the table says, then its outcome', async (outcome) => {
    const cell = RETRY_TABLE[call.operation.retry][outcome];
    // No answer asks for a wait here except 429_retry_after, so what needs one gets no extra attempt.
    const attempts = cell.needsRetryAfter ? 1 : cell.extra + 1;
    const { url, more, wire } = await scene(call, outcome, attempts);
    const { client, sent, clock } = clientFor(url, more);
    const error = await cliErrorOf(client.call(call));
    expect({ attempts: error.details.attempts, outcome: error.details.outcome }).toEqual({
      attempts,
      outcome: cell.afterwards === 'unknown' ? 'unknown' : undefined,
    });
    if (error.details.outcome === 'unknown') expect(error.code).toBe('unavailable');
    expect(sent).toHaveLength(attempts);
    expect(clock.waits).toHaveLength(attempts - 1);
    expectSameBytes(wire);
  });

  test.each(OUTCOMES)('%s: exactly one request without retries', async (outcome) => {
    const { url, more } = await scene(call, outcome, 1);
    const { client, sent, clock } = clientFor(url, { ...more, retry: false });
    const error = await cliErrorOf(client.call(call));
    expect([error.details.attempts, sent.length, clock.waits]).toEqual([1, 1, []]);
    const inDoubt = RETRY_TABLE[call.operation.retry][outcome].afterwards === 'unknown';
    expect(error.details.outcome).toBe(inDoubt ? 'unknown' : undefined);
  });
});

interface Scene {
  readonly url: string;
  readonly wire?: Wire;
  readonly more?: Partial<ClientOptions>;
}

/** A service on which the call ends with the outcome, as often as it is sent. */
async function scene(call: Call, outcome: Outcome, times: number): Promise<Scene> {
  if (outcome === 'not_sent') return { url: `http://127.0.0.1:${await closedPort()}` };
  if (outcome === 'tls') return { url: (await testWire({ tls: LOCALHOST_TLS })).url };
  const wire = await testWire();
  const path = call.operation.path.replace(/\{(\w+)\}/g, (_, name) => call.path?.[name] ?? '');
  const plan = wire.on(call.operation.method, path);
  for (let count = 0; count < times; count += 1) {
    if (outcome === 'reset') plan.reset();
    else if (outcome === 'timeout') plan.hang();
    else if (outcome === '429_retry_after') plan.reply(429, { error: 'slowly' }, { 'retry-after': '2' });
    else plan.reply(Number(outcome), { error: 'no' });
  }
  return { url: wire.url, wire, more: outcome === 'timeout' ? { attemptTimeoutMs: 150 } : {} };
}

function expectSameBytes(wire: Wire | undefined): void {
  const [first, ...others] = wire?.requests ?? [];
  for (const other of others) {
    expect([other.body, other.headers]).toEqual([first?.body, first?.headers]);
  }
}
