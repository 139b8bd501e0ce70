import type { HttpResponse, Send } from '../http/send.ts';
import { TransportError } from '../http/transport-error.ts';
import type { JsonObject } from '../json/values.ts';
import { OPERATIONS, type Operation } from '../spec/operations.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;
/** Bytes of an answer that are read; a device login needs a few hundred. */
const MAX_BYTES = 64 * 1024;

/** The connection of a device login. */
export interface LoginWire {
  /** Should open a new connection each time: an idle one may break unnoticed between two polls. */
  readonly send: Send;
  /** The base address, in its normal form. */
  readonly apiUrl: string;
  readonly userAgent: string;
}

/** An answer, possibly cut off. */
export interface Answered {
  readonly kind: 'answer';
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Whether the whole body was received. */
  readonly complete: boolean;
  /** The fault that cut it off. */
  readonly fault?: TransportError | undefined;
}

/** The answer to a request, or the fault that prevented it. */
export type LoginAnswer = Answered | { readonly kind: 'fault'; readonly fault: TransportError };

/**
 * Sends one request of the device login, once and without credentials. Keeps the part of the body that arrives before a
 * fault: it may have the token.
 * @param limits.timeoutMs at most 30 s, of which 10 s for the connection
 * @throws the signal's reason when it aborts; network faults are returned.
 */
export async function exchange(
  wire: LoginWire,
  operation: Operation,
  body: JsonObject,
  { signal, timeoutMs = TIMEOUT_MS }: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<LoginAnswer> {
  try {
    const response = await wire.send({
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
    return await readAnswer(response);
  } catch (error) {
    if (error instanceof TransportError) return { kind: 'fault', fault: error };
    throw error;
  }
}

async function readAnswer({ status, headers, body }: HttpResponse): Promise<Answered> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let fault: TransportError | undefined;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) throw new TransportError('reset', 'TOO_LARGE', 'the answer is too large');
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    fault = error;
  }
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  return { kind: 'answer', status, headers, text, complete: fault === undefined, fault };
}

/** Operation 2: asks once whether the login was approved. Rejects only with the reason of the signal. */
export type Poll = (deviceCode: string, signal: AbortSignal) => Promise<LoginAnswer>;

/** Polls over the network. */
export function createPoll(wire: LoginWire): Poll {
  return (deviceCode, signal) => exchange(wire, OPERATIONS.pollDeviceLogin, { deviceCode }, { signal });
}
