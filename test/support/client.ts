import type { Answer, Call, ClientOptions } from '../../src/api/call.ts';
import { createClient } from '../../src/api/client.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts';
import { CliError } from '../../src/errors.ts';
import { createSingleSend } from '../../src/http/engines.ts';
import type { HttpRequest } from '../../src/http/send.ts';
import { fakeClock } from './clock.ts';
import { testWire } from './wire.ts';
import type { WireHeaders } from './wire-plan.ts';

/** What no output and no other request may ever show. */
export const CANARY = 'svc_CANARY_0123456789';

/**
 * A client on real sockets and a clock that never waits, signed in with {@link CANARY}; and what it
 * sends and says.
 */
export function clientFor(baseUrl: string, more: Partial<ClientOptions> = {}) {
  const clock = fakeClock();
  const sent: HttpRequest[] = [];
  const debug: string[] = [];
  const direct = more.send ?? createSingleSend();
  const client = createClient({
    baseUrl,
    credential: { kind: 'bearer', token: CANARY, source: 'SVC_TOKEN' },
    userAgent: 'svc/test',
    clock,
    random: () => 0,
    retry: true,
    signal: new AbortController().signal,
    debug: (line) => debug.push(line),
    ...more,
    send: (request) => {
      sent.push(request);
      return direct(request);
    },
  });
  return { client, clock, sent, debug };
}

/** The error that the work ends with, which must be one that svc expects. */
export async function cliErrorOf(work: Promise<unknown>): Promise<CliError> {
  const error = await work.then(
    (value) => new Error(`there was no error, but ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  if (error instanceof CliError) return error;
  throw error;
}

export const WHOAMI: Call = { operation: OPERATIONS.getUser };
export const RESTART: Call = { operation: OPERATIONS.restartService, path: { id: 's1' } };
export const BUY: Call = { operation: OPERATIONS.createOrder, body: { items: [{ planId: 'p' }] } };

export type Reply =
  | readonly [status: number, body?: unknown, headers?: WireHeaders]
  | 'reset'
  | 'hang';

export function pathOf(operation: Operation, values: Call['path'] = {}): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/**
 * Sends a call to a platform that gives these answers in turn. Ends with the answer or with the
 * error.
 */
export async function sendTo(
  replies: readonly Reply[],
  call: Call,
  more: Partial<ClientOptions> = {},
) {
  const wire = await testWire();
  const plan = wire.on(call.operation.method, pathOf(call.operation, call.path));
  for (const reply of replies) typeof reply === 'string' ? plan[reply]() : plan.reply(...reply);
  const seen = clientFor(wire.url, more);
  const end: unknown = await seen.client
    .call(call)
    .catch((thrown) => cliErrorOf(Promise.reject(thrown)));
  return { ...seen, wire, answer: end as Answer, error: end as CliError };
}
