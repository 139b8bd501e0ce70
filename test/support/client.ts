import { CliError } from '../../src/errors.ts';
import type { HttpRequest } from '../../src/http/send.ts';
import { createSingleSend } from '../../src/http/single.ts';
import type { Client } from '../../src/service/call.ts';
import { type ClientOptions, createClient } from '../../src/service/client.ts';
import { type FakeClock, fakeClock } from './clock.ts';

/** What no output and no other request may ever show. */
export const CANARY = 'svc_CANARY_0123456789';

/** A client on real sockets and a clock that never waits. */
export interface TestClient {
  readonly client: Client;
  readonly clock: FakeClock;
  /** Every request that was handed to the engine. */
  readonly sent: HttpRequest[];
  /** What `--debug` would have shown. */
  readonly debug: string[];
}

/** A client for the address, signed in with {@link CANARY} unless told otherwise; `random` is 0. */
export function clientFor(baseUrl: string, more: Partial<ClientOptions> = {}): TestClient {
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
