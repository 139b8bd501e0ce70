import type { HttpResponse, Send } from '../http/send.ts';
import { TransportError } from '../http/transport-error.ts';
import type { JsonObject } from '../json/values.ts';
import { OPERATIONS, type Operation } from '../spec/operations.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;
/** Bytes of an answer that are read; a device login needs a few hundred. */
const LARGEST_ANSWER = 64 * 1024;

/** What the two requests of a device login need. */
export interface LoginWire {
  /** Best one that opens a new connection each time: between two polls, old ones die unseen. */
  readonly send: Send;
  /** The base address, in its normal form. */
  readonly apiUrl: string;
  readonly userAgent: string;
}

/** What ends a request from this side. */
export interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** Milliseconds that it may take; 30 s unless told otherwise, of which 10 s for the connection. */
  readonly timeoutMs?: number;
}

/** What came back: an answer as far as it was received, or nothing but a break on the way. */
export type LoginAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
      /** Whether that is all of it. */
      readonly complete: boolean;
      /** What cut it off. */
      readonly fault?: TransportError | undefined;
    }
  | { readonly kind: 'fault'; readonly fault: TransportError };

/**
 * Sends one request of the device login, once and without credentials, and keeps everything that is received: what came
 * before a break may hold the token.
 * @throws the signal's reason when it is aborted; every break of the network is an answer.
 */
export async function exchange(
  wire: LoginWire,
  operation: Operation,
  body: JsonObject,
  { signal, timeoutMs = TIMEOUT_MS }: ExchangeLimits,
): Promise<LoginAnswer> {
  try {
    const answer = await wire.send({
      method: operation.method,
      url: new URL(wire.apiUrl + operation.path),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'Accept-Encoding': 'identity',
        'User-Agent': wire.userAgent,
      },
      body: Buffer.from(JSON.stringify(body)),
      connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      timeoutMs: Math.min(TIMEOUT_MS, timeoutMs),
      signal,
    });
    const { status, headers } = answer;
    return { kind: 'answer', status, headers, ...(await readBody(answer)) };
  } catch (error) {
    if (error instanceof TransportError) return { kind: 'fault', fault: error };
    throw error;
  }
}

async function readBody(answer: HttpResponse): Promise<{ text: string; complete: boolean; fault?: TransportError }> {
  const chunks: Uint8Array[] = [];
  const text = (): string =>
    Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  let size = 0;
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LARGEST_ANSWER) {
        return {
          text: text(),
          complete: false,
          fault: new TransportError('reset', 'TOO_LARGE', 'the answer is too large'),
        };
      }
    }
  } catch (error) {
    if (error instanceof TransportError) return { text: text(), complete: false, fault: error };
    throw error;
  }
  return { text: text(), complete: true };
}

/**
 * Operation 2, sent once: asks whether the login was approved. Rejects only with the reason of the signal, which is
 * aborted when nobody waits for the answer any more.
 */
export type Poll = (deviceCode: string, signal: AbortSignal) => Promise<LoginAnswer>;

/** Polls over the network. */
export function createPoll(wire: LoginWire): Poll {
  return (deviceCode, signal) => exchange(wire, OPERATIONS.pollDeviceLogin, { deviceCode }, { signal });
}
