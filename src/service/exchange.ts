import type { Clock } from '../clock.ts';
import { type HttpRequest, type HttpResponse, requestIdOf, type Send } from '../http/send.ts';
import { isNotHttp, TransportError } from '../http/transport-error.ts';
import { type Memory, readBody } from './body.ts';
import type { Answer, Call } from './call.ts';
import type { DebugLog } from './debug.ts';
import type { ErrorContext, Failure } from './failures.ts';
import { Unreadable } from './readable.ts';

type Result = { readonly answer: Omit<Answer, 'attempts' | 'outcomeUnknown'> } | { readonly failure: Failure };

interface ExchangeParts {
  readonly send: Send;
  readonly clock: Clock;
  readonly log: DebugLog;
  readonly context: ErrorContext;
  readonly memory: Memory | undefined;
}

/** A longer error answer counts as empty. */
const MAX_ERROR_BYTES = 1024 * 1024;

/**
 * Makes one attempt: sends the request, then reads the answer or explains the failure.
 * @throws the signal's reason when aborted.
 */
export async function exchange(request: HttpRequest, call: Call, parts: ExchangeParts): Promise<Result> {
  const { send, clock, log, context } = parts;
  const startedAt = clock.monotonic();
  let wire: HttpResponse | undefined;
  try {
    wire = await send(request);
    log.answer(wire, clock.monotonic() - startedAt);
    if (wire.status < 200 || wire.status > 299) return { failure: await readFailure(wire, parts) };
    return await readAnswer(wire, call, parts);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    log.transportError(error, clock.monotonic() - startedAt);
    const { failureOfTransportError } = await import('./failures.ts');
    const failure = failureOfTransportError(error, context);
    // Do not repeat the start of a login if the other side does not speak HTTP.
    if (context.operation.retry === 'start' && wire === undefined && isNotHttp(error))
      return { failure: { error: failure.error } };
    return { failure };
  }
}

async function readAnswer(wire: HttpResponse, call: Call, { log, context, memory }: ExchangeParts): Promise<Result> {
  const { status, headers } = wire;
  try {
    const body = await readBody(wire, { ...call, memory });
    return { answer: { status, headers, requestId: requestIdOf(headers), ...body } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    log.strange(error.beginning);
    const { failureOfUnreadable } = await import('./failures.ts');
    return { failure: failureOfUnreadable(error, wire, context) };
  }
}

async function readFailure({ status, headers, body }: HttpResponse, parts: ExchangeParts): Promise<Failure> {
  const bytes = await readErrorBytes(body);
  parts.log.strange(bytes);
  const { failureOfAnswer } = await import('./failures.ts');
  return failureOfAnswer({ status, headers, bytes }, parts.context, parts.clock.now());
}

async function readErrorBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ERROR_BYTES) return new Uint8Array();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
