import type { ErrorContext } from '../api/call.ts';
import { collectBytes } from '../collect.ts';
import { type BodyOf, OPERATIONS } from '../contract/operations.ts';
import { type HttpResponse, type Send, TransportError } from '../http/send.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** The longest wait for an answer, which may be the one with the token. */
const MAX_TIMEOUT_MS = 90_000;
/** The shortest wait, even if the code expires meanwhile: it may have been approved before. */
const MIN_TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024;

/** An answer, with the fault that cut it off. */
export interface PollResponse extends Pick<HttpResponse, 'status' | 'headers'> {
  readonly text: string;
  readonly fault?: TransportError | undefined;
}

/** The answer to a poll, or what prevented it. */
export type PollResult = PollResponse | TransportError;

/**
 * Operation 2: asks once whether the login was approved. Rejects only with the reason of the
 * signal.
 * @param remainingMs milliseconds that the code still lives
 */
export type Poll = (
  deviceCode: string,
  signal: AbortSignal,
  remainingMs: number,
) => Promise<PollResult>;

/**
 * Creates a poll without credentials, and without the client of the platform: an answer that is cut
 * off or odd may have the token.
 * @param send opens a new connection each time: an idle one may break unnoticed between two polls
 */
export function createPoll(send: Send, apiUrl: string, userAgent: string): Poll {
  const { operation, url } = createPollContext(apiUrl);
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
    'User-Agent': userAgent,
  };
  return async (deviceCode, signal, remainingMs) => {
    try {
      const response = await send({
        method: operation.method,
        url,
        headers,
        body: Buffer.from(JSON.stringify({ deviceCode } satisfies BodyOf<'pollDeviceLogin'>)),
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        timeoutMs: Math.max(MIN_TIMEOUT_MS, Math.min(MAX_TIMEOUT_MS, remainingMs)),
        signal,
      });
      return await readAnswer(response);
    } catch (error) {
      return toTransportError(error);
    }
  };
}

/** Creates the context for errors about the poll at a base address. */
export function createPollContext(apiUrl: string): ErrorContext {
  const operation = OPERATIONS.pollDeviceLogin;
  return { operation, url: new URL(apiUrl + operation.path), credential: undefined };
}

async function readAnswer({ status, headers, body }: HttpResponse): Promise<PollResponse> {
  // A part of an answer may have the token already.
  const chunks: Uint8Array[] = [];
  let fault: TransportError | undefined;
  try {
    const bytes = await collectBytes(body, MAX_BYTES, chunks);
    if (bytes === undefined) {
      fault = new TransportError('reset', 'TOO_LARGE', 'the answer is too large');
    }
  } catch (error) {
    fault = toTransportError(error);
  }
  return { status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)), fault };
}

function toTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  throw error;
}
