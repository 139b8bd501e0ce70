import { collectBytes } from '../collect.ts';
import { isRead } from '../contract/operations.ts';
import { getRequestId, type HttpRequest, type HttpResponse } from '../http/send.ts';
import { isNotHttp, TransportError } from '../http/transport-error.ts';
import { readBody, Unreadable } from './body.ts';
import type { Answer, Call, ClientOptions, ErrorContext } from './call.ts';
import type { Failure } from './failures.ts';
import { findErrorObject, unwrap } from './own-level.ts';
import type { Redactor } from './redact.ts';

type Result =
  | { readonly answer: Omit<Answer, 'attempts' | 'outcomeUnknown'> }
  | { readonly failure: Failure };

const loadFailures = () => import('./failures.ts');

/** A longer error answer counts as empty. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** Makes one attempt. Throws the signal's reason when aborted. */
export async function exchange(
  request: HttpRequest,
  call: Call,
  options: ClientOptions,
  log: DebugLog,
): Promise<Result> {
  const { operation } = call;
  const { send, clock } = options;
  const context: ErrorContext = { ...options, operation, url: request.url };
  const startedAt = clock.monotonic();
  let wire: HttpResponse | undefined;
  try {
    wire = await send(request);
    const { status, headers } = wire;
    log.answer(wire, clock.monotonic() - startedAt);
    if (status >= 200 && status <= 299) return await readSuccess(wire, call, options);
    const whole = await collectBytes(wire.body, MAX_ERROR_BYTES).catch(ignoreBrokenBody);
    const answer = { status, headers, bytes: whole ?? Buffer.of() };
    log.strange(answer.bytes);
    return { failure: (await loadFailures()).createAnswerFailure(answer, context, clock.now()) };
  } catch (error) {
    if (error instanceof Unreadable && wire !== undefined) {
      log.strange(error.beginning);
      return { failure: (await loadFailures()).createUnreadableFailure(error, wire, context) };
    }
    if (!(error instanceof TransportError)) throw error;
    log.transportError(error, clock.monotonic() - startedAt);
    const failure = (await loadFailures()).createTransportFailure(error, context, clock.now());
    // Do not repeat the start of a login if the other side does not speak HTTP.
    const isFinal = operation.retry === 'start' && wire === undefined && isNotHttp(error);
    return { failure: isFinal ? { error: failure.error } : failure };
  }
}

/** Reads a 2xx. For a read that has nothing but an Error object it is a refusal. */
async function readSuccess(
  wire: HttpResponse,
  call: Call,
  { memory }: ClientOptions,
): Promise<Result> {
  const { operation } = call;
  const { status, headers } = wire;
  const { text, value } = await readBody(wire, call, memory);
  const answer = { operation, status, headers, requestId: getRequestId(headers), text };
  if (call.accept === 'anything') return { answer: { ...answer, value, wrappers: [] } };

  const refusal = isRead(operation) ? findErrorObject(value, operation) : undefined;
  if (refusal !== undefined) {
    return { failure: (await loadFailures()).createRefusal(refusal, wire) };
  }
  return { answer: { ...answer, ...unwrap(value, operation) } };
}

/** The status was received and decides; what is cut may be half of a word. */
function ignoreBrokenBody(error: unknown): undefined {
  if (!(error instanceof TransportError)) throw error;
}

/** Writes the lines of `--debug`. */
export type DebugLog = ReturnType<typeof createDebugLog>;

const MAX_SNIPPET_LENGTH = 200;

/** Creates the log of `--debug`: no body, no credential, and a query value only if svc made it. */
export function createDebugLog(sink: ((line: string) => void) | undefined, redactor: Redactor) {
  const write = (text: string) =>
    sink?.(redactor.redact(text).replace(/[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f…]+/g, ' '));
  return {
    request(
      { showsQuery }: Call,
      { method, url, body }: Pick<HttpRequest, 'method' | 'url' | 'body'>,
      attempt: number,
    ) {
      const shown = [...url.searchParams].map(([name, value]) => {
        return showsQuery === true ? `${name}=${value}` : `${name}=…`;
      });
      const query = shown.length === 0 ? '' : `?${shown.join('&')}`;
      const size = body?.length ? `, ${body.length} bytes` : '';
      write(`> ${method} ${url.origin}${url.pathname}${query} (attempt ${attempt}${size})`);
    },
    answer({ status, headers }: HttpResponse, elapsedMs: number) {
      const type = headers['content-type'] ?? 'no type';
      const id = headers['x-request-id'];
      const end = id === undefined ? '' : `, request ${id}`;
      write(`< ${status} ${type}, ${Math.round(elapsedMs)} ms${end}`);
    },
    strange(bytes: Uint8Array) {
      const text = Buffer.from(bytes).toString('utf8').trim();
      // Text that starts like JSON may be a cut answer with a secret in it.
      if (text === '' || /^[{["]/.test(text)) return;
      write(`< ${redactor.redact(text).slice(0, MAX_SNIPPET_LENGTH)}`);
    },
    transportError: ({ kind, message }: TransportError, elapsedMs: number) =>
      write(`! ${kind}: ${message}, ${Math.round(elapsedMs)} ms`),
    wait: (ms: number) => write(`  waiting ${(ms / 1000).toFixed(2)} s`),
  };
}
