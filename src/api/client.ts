import type { Clock } from '../clock.ts';
import { collectBytes } from '../collect.ts';
import { changesSomething, isRead } from '../contract/operations.ts';
import { CliError, inDoubt } from '../errors.ts';
import {
  getRequestId,
  type HttpRequest,
  type HttpResponse,
  isNotHttp,
  TransportError,
} from '../http/send.ts';
import { readBody, Unreadable } from './body.ts';
import type { Answer, Call, Client, ClientOptions, ErrorContext } from './call.ts';
import type { Failure } from './failures.ts';
import { findErrorObject, unwrap } from './read-answer.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { createPreview, createRequest } from './request.ts';

const DEADLINE_MS = 90_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Creates a client, whose calls share one deadline unless `deadlinePerCall` is set. */
export function createClient(options: ClientOptions): Client {
  const redactor = options.redactor ?? createRedactor();
  redactor.add(options.credential?.token);
  const log = createDebugLog(options.debug, redactor);
  const newBudget = () => createBudget(options.clock, options.deadlineMs);
  const shared = newBudget();
  return {
    call<T>(call: Call) {
      const budget = options.deadlinePerCall ? newBudget() : shared;
      const running = startCall(call, options, budget, log);
      return budget
        .during(() => repeatUntilAnswered(running))
        .finally(() => running.shown?.stop()) as Promise<Answer<T>>;
    },
    preview: (call) => createPreview(call, options),
  };
}

type RunningCall = ReturnType<typeof startCall>;

function startCall(
  call: Call,
  options: ClientOptions,
  budget: ReturnType<typeof createBudget>,
  log: DebugLog,
) {
  return {
    call,
    options,
    budget,
    log,
    shown: options.show?.(call),
    changes: changesSomething(call.operation),
    attempts: 0,
    /** The attempts for which the gate paused. */
    uncountedAttempts: 0,
    outcomeUnknown: false,
    /** Whether the platform may have received a change that it has not answered. */
    isOnItsWay: false,
    lastError: undefined as CliError | undefined,
  };
}

async function repeatUntilAnswered(running: RunningCall): Promise<Answer> {
  const { call, options, budget, changes } = running;
  const { gate } = options;
  const request = createRequest(call, options);
  for (;;) {
    running.attempts += 1;
    const entering = Promise.resolve(gate && budget.outside(() => gate.enter(changes)));
    const leave = await waitInterruptibly(entering, running);
    const result = await attempt(running, request).finally(leave);
    const { attempts, outcomeUnknown } = running;
    if ('answer' in result) return { ...result.answer, attempts, outcomeUnknown };
    await waitOrThrow(result.failure, running);
  }
}

async function attempt(
  running: RunningCall,
  request: ReturnType<typeof createRequest>,
): ReturnType<typeof exchange> {
  const { call, options, budget, log, changes, attempts, outcomeUnknown, lastError } = running;
  const timeoutMs = Math.min(ATTEMPT_TIMEOUT_MS, budget.remainingMs());
  if (timeoutMs <= 0 && lastError !== undefined) {
    throw toFinalError(lastError, call, outcomeUnknown);
  }
  if (timeoutMs <= 0) {
    const text = 'The time of this command is up; this request was not sent.';
    const hint = 'Give it longer with --timeout, for example --timeout 5m.';
    throw new CliError('unavailable', text, { hint });
  }
  const connectTimeoutMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
  log.request(call, request, attempts);
  if (attempts === 1) call.onFirstAttempt?.();
  const onSend = () => {
    running.isOnItsWay = changes;
  };
  const limits = { timeoutMs, connectTimeoutMs, onSend };
  return waitInterruptibly(exchange({ ...request, ...limits }, call, options, log), running);
}

async function waitOrThrow(failure: Failure, running: RunningCall): Promise<void> {
  const { call, options, budget, shown, log, changes } = running;
  const { clock, random, retry, signal, gate } = options;
  // Before anything else: the others must hear of a pause at once.
  const pause = gate?.failed(failure, changes);
  running.isOnItsWay = false;
  running.lastError = failure.error.with({ attempts: running.attempts });
  const { describeRetry, planRetry } = await import('./retry.ts');
  if (pause === 'free' && retry) {
    running.uncountedAttempts += 1;
    return;
  }
  // The gate waits as long as the platform asks.
  const step = planRetry(pause === undefined ? failure : { ...failure, retryAfterMs: 0 }, {
    retryClass: call.operation.retry,
    retry,
    attempts: running.attempts - running.uncountedAttempts,
    remainingMs: budget.remainingMs(),
    waitedMs: budget.waitedMs(),
    random,
  });
  running.outcomeUnknown ||= step.outcomeUnknown;
  if (step.waitMs === undefined) {
    throw toFinalError(running.lastError, call, running.outcomeUnknown);
  }
  if (pause !== undefined) return;
  log.wait(step.waitMs);
  const until = clock.monotonic() + step.waitMs;
  const nextAttempt = running.attempts + 1;
  shown?.retry(() =>
    describeRetry(failure.error, until - clock.monotonic(), nextAttempt, step.attempts),
  );
  await waitInterruptibly(budget.wait(step.waitMs, signal), running);
}

function toFinalError(error: CliError, { settling }: Call, outcomeUnknown: boolean): CliError {
  return outcomeUnknown ? inDoubt(error, settling) : error;
}

/** Waits for work. The error of an interrupt says whether the request may have been carried out. */
async function waitInterruptibly<T>(work: Promise<T>, running: RunningCall): Promise<T> {
  const { call, options } = running;
  try {
    return await work;
  } catch (error) {
    const { aborted, reason } = options.signal;
    const mayBeDone = running.outcomeUnknown || running.isOnItsWay;
    const isInterrupt = aborted && error === reason && error instanceof CliError;
    throw isInterrupt ? toFinalError(error, call, mayBeDone) : error;
  }
}

function createBudget(clock: Clock, totalMs = DEADLINE_MS) {
  let usedMs = 0;
  let waitedMs = 0;
  let running = 0;
  let startedAt = 0;
  return {
    remainingMs: () => totalMs - usedMs - (running > 0 ? clock.monotonic() - startedAt : 0),
    waitedMs: () => waitedMs,
    /** Counts the time of the work; that between two calls, such as a person's answer, is free. */
    async during<T>(work: () => Promise<T>): Promise<T> {
      if (running === 0) startedAt = clock.monotonic();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) usedMs += clock.monotonic() - startedAt;
      }
    },
    /** Takes the time of this work out of the count. */
    async outside<T>(work: () => Promise<T>): Promise<T> {
      const from = clock.monotonic();
      try {
        return await work();
      } finally {
        usedMs -= clock.monotonic() - from;
      }
    },
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      waitedMs += ms;
      await clock.sleep(ms, signal);
    },
  };
}

type Result =
  | { readonly answer: Omit<Answer, 'attempts' | 'outcomeUnknown'> }
  | { readonly failure: Failure };

const loadFailures = () => import('./failures.ts');

/** A longer error answer counts as empty. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** Makes one attempt. Throws the signal's reason when aborted. */
async function exchange(
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
type DebugLog = ReturnType<typeof createDebugLog>;

const MAX_SNIPPET_LENGTH = 200;

/** Creates the log of `--debug`: no body, no credential, and a query value only if svc made it. */
function createDebugLog(sink: ((line: string) => void) | undefined, redactor: Redactor) {
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
