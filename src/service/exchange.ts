import type { Clock } from '../clock.ts';
import { type HttpRequest, type HttpResponse, requestIdOf, type Send } from '../http/send.ts';
import { TransportError } from '../http/transport-error.ts';
import { changesSomething } from '../spec/operations.ts';
import { type Expected, type ReadOptions, readBody, readText, readValue, Unreadable } from './body.ts';
import type { Answer, Call } from './call.ts';
import type { DebugLog } from './debug.ts';
import type { ErrorContext, Failure } from './failures.ts';

/** What one attempt brought. */
export type Result = { readonly answer: Omit<Answer, 'attempts' | 'outcomeUnknown'> } | { readonly failure: Failure };

/** What an attempt needs beside the request. */
export interface ExchangeParts {
  readonly send: Send;
  readonly clock: Clock;
  readonly log: DebugLog;
  readonly context: ErrorContext;
}

/** Bytes of an error answer that are read. */
const MAX_ERROR_BYTES = 1024 * 1024;
/** Bytes of an answer that cannot be read that are kept, for `--debug`. */
const BEGINNING_BYTES = 1024;

/**
 * One attempt: sends the request, reads the answer, and says what it means. Throws the signal's reason when aborted,
 * and what the call's stream throws.
 */
export async function exchange(request: HttpRequest, call: Call, parts: ExchangeParts): Promise<Result> {
  const { send, clock, log, context } = parts;
  const startedAt = clock.monotonic();
  let streaming = false;
  try {
    const wire = await send(request);
    log.answer(wire, clock.monotonic() - startedAt);
    if (wire.status < 200 || wire.status > 299) return { failure: await readFailure(wire, parts) };
    const onStream = () => {
      streaming = true;
    };
    return await readAnswer(wire, call, parts, onStream);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    log.transportError(error, clock.monotonic() - startedAt);
    const { failureOfTransportError } = await import('./failures.ts');
    const failure = failureOfTransportError(error, context);
    // What was handed on cannot be taken back: no second attempt.
    return {
      failure: streaming ? { error: failure.error, outcomeUnknown: changesSomething(context.operation) } : failure,
    };
  }
}

async function readAnswer(
  wire: HttpResponse,
  call: Call,
  { log, context }: ExchangeParts,
  onStream: () => void,
): Promise<Result> {
  const { status, headers } = wire;
  const expected = { accept: call.accept, contentType: headers['content-type'] ?? '' };
  const beginning: Uint8Array[] = [];
  try {
    refuseEncoding(wire);
    const text = await receive(wire, { ...call, onStream }, expected, beginning);
    const value = text === undefined ? undefined : readValue(text, expected);
    const streamed = text === undefined;
    return { answer: { status, headers, value, text: text ?? '', requestId: requestIdOf(headers), streamed } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    log.strange(Buffer.concat(beginning));
    const { failureOfUnreadable } = await import('./failures.ts');
    return { failure: failureOfUnreadable(error, wire, context) };
  }
}

/** The body as text, `undefined` where it went to the stream. Its bytes are gone by the time the text is parsed. */
async function receive(
  wire: HttpResponse,
  options: ReadOptions,
  expected: Expected,
  beginning: Uint8Array[],
): Promise<string | undefined> {
  const held = await readBody(wire, options);
  if (held === undefined) return undefined;
  const bytes = held.view();
  beginning.push(bytes.slice(0, BEGINNING_BYTES));
  const text = readText(bytes, expected);
  held.release();
  return text;
}

/** svc asks for plain bytes; what comes compressed all the same could grow without bound. */
function refuseEncoding({ headers }: HttpResponse): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new Unreadable('came compressed, which svc did not ask for');
}

async function readFailure(wire: HttpResponse, { clock, log, context }: ExchangeParts): Promise<Failure> {
  const bytes = await readSome(wire.body);
  log.strange(bytes);
  const { failureOfAnswer } = await import('./failures.ts');
  return failureOfAnswer({ status: wire.status, headers: wire.headers, bytes }, context, clock.now());
}

/** The body of an error answer; nothing of one that is far too large. */
async function readSome(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ERROR_BYTES) return new Uint8Array();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
