import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { HttpRequest, Send } from '../http/send.ts';
import { RawJson, toJsonText } from '../json/raw-json.ts';
import { survey } from '../json/scan.ts';
import { parseJson } from '../json/values.ts';
import { changesSomething } from '../spec/operations.ts';
import type { Memory } from './body.ts';
import type { Answer, Call, Client } from './call.ts';
import { createDebugLog } from './debug.ts';
import { exchange } from './exchange.ts';
import type { ErrorContext, Failure } from './failures.ts';
import { inDoubt } from './in-doubt.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { buildHeaders, buildUrl, type ClientCredential, credentialHeaders } from './request.ts';

export interface ClientOptions {
  /** In the normal form of `parseBaseUrl`. */
  readonly baseUrl: string;
  readonly send: Send;
  readonly credential: ClientCredential | undefined;
  readonly org?: string | undefined;
  readonly userAgent: string;
  readonly clock: Clock;
  /** Between 0 and 1; spreads the waits. */
  readonly random: () => number;
  /** False for exactly one request per call. */
  readonly retry: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds for all requests and waits together; 90 s by default. */
  readonly deadlineMs?: number | undefined;
  /** Gives each call the whole deadline: for waiting and watching, which have limits of their own. */
  readonly deadlinePerCall?: boolean | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Whether credentials may travel over plain http to another machine. */
  readonly allowHttp?: boolean | undefined;
  readonly redactor?: Redactor | undefined;
  /** Limits large answers further. */
  readonly memory?: Memory | undefined;
  /** Takes the lines of `--debug`. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Shows a call to people while they wait for it. */
  readonly show?: ((call: Call) => ShownCall) | undefined;
  /** Decides with others when each request is sent. */
  readonly gate?: Gate | undefined;
  readonly explain401?: ErrorContext['explain401'];
  /** Makes the error for a missing sign-in. */
  readonly explainMissing?: (() => CliError) | undefined;
}

/** The pace that several clients share. */
export interface Gate {
  /** Resolves when the next request may be sent; this time counts for no deadline. */
  enter(changes: boolean): Promise<void>;
  /**
   * Called with each failed attempt. Returns undefined unless the wait that the service asks for is now a pause of the
   * gate, and otherwise whether the attempt counts.
   */
  failed(failure: Failure, changes: boolean): 'free' | 'counted' | undefined;
}

export interface ShownCall {
  /** Says from now on why the request is sent again, and when. */
  retry(text: () => string): void;
  stop(): void;
}

const DEADLINE_MS = 90_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

export function createClient(options: ClientOptions): Client {
  const redactor = options.redactor ?? createRedactor();
  redactor.add(options.credential?.token);
  const newBudget = () => createBudget(options.clock, options.deadlineMs ?? DEADLINE_MS);
  const shared = newBudget();
  return {
    call<T>(call: Call) {
      const budget = options.deadlinePerCall ? newBudget() : shared;
      const shown = options.show?.(call);
      const running = budget.during(() => run(call, options, redactor, budget, shown));
      return running.finally(() => shown?.stop()) as Promise<Answer<T>>;
    },
    preview(call) {
      const url = buildUrl(options.baseUrl, call);
      const headers = buildHeaders(call, options);
      return { method: call.operation.method, url: url.href, headers, body: previewBody(call.body) };
    },
  };
}

/** Sends one call until `nextStep` (retry.ts) says to stop. */
async function run(
  call: Call,
  options: ClientOptions,
  redactor: Redactor,
  budget: Budget,
  shown: ShownCall | undefined,
): Promise<Answer> {
  const { send, clock, random, retry, signal, gate, memory } = options;
  const request = buildRequest(call, options);
  const changes = changesSomething(call.operation);
  const log = createDebugLog(options.debug, redactor);
  const { credential, explain401 } = options;
  const context: ErrorContext = { operation: call.operation, url: request.url, credential, explain401 };
  let outcomeUnknown = false;
  let free = 0;
  let last: CliError | undefined;
  for (let attempts = 1; ; attempts += 1) {
    if (gate !== undefined)
      await interruptible(
        budget.outside(() => gate.enter(changes)),
        outcomeUnknown,
        call,
        signal,
      );
    const timeoutMs = Math.min(options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS, budget.remainingMs());
    if (timeoutMs <= 0) throw last === undefined ? outOfTime() : finalError(last, outcomeUnknown, call);
    const connectTimeoutMs = Math.min(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, timeoutMs);
    log.request(call, request.url, attempts, request.body?.length ?? 0);
    const sending = exchange({ ...request, timeoutMs, connectTimeoutMs }, call, { send, clock, log, context, memory });
    const result = await interruptible(sending, outcomeUnknown || changes, call, signal);
    if ('answer' in result) return { ...result.answer, attempts, outcomeUnknown };
    const { nextStep, retryText } = await import('./retry.ts');
    last = result.failure.error.with({ attempts });
    const pause = gate?.failed(result.failure, changes);
    if (pause === 'free' && retry) {
      free += 1;
      continue;
    }
    const { retry: retryClass } = call.operation;
    const [remainingMs, waitedMs] = [budget.remainingMs(), budget.waitedMs()];
    const state = { retryClass, retry, attempts: attempts - free, remainingMs, waitedMs, random };
    // The gate waits as long as the service asks.
    const step = nextStep(pause === undefined ? result.failure : { ...result.failure, retryAfterMs: 0 }, state);
    outcomeUnknown ||= step.outcomeUnknown;
    if (step.waitMs === undefined) throw finalError(last, outcomeUnknown, call);
    if (pause !== undefined) continue;
    log.wait(step.waitMs);
    const until = clock.monotonic() + step.waitMs;
    const { error } = result.failure;
    shown?.retry(() => retryText(error, until - clock.monotonic(), attempts + 1, step.attempts));
    await interruptible(budget.wait(step.waitMs, signal), outcomeUnknown, call, signal);
  }
}

/** Throws for every mistake in a call before anything is sent. */
function buildRequest(call: Call, options: ClientOptions): Omit<HttpRequest, 'timeoutMs' | 'connectTimeoutMs'> {
  const { credential, allowHttp = false, explainMissing, signal } = options;
  const url = buildUrl(options.baseUrl, call);
  const headers = {
    ...buildHeaders(call, options),
    ...credentialHeaders(call.operation, credential, url, allowHttp, explainMissing),
  };
  return { method: call.operation.method, url, headers, body: bytesOf(call.body), signal };
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(toJsonText(body));
}

function previewBody(body: unknown): unknown {
  if (!(body instanceof Uint8Array)) return body ?? null;
  const text = Buffer.from(body).toString('utf8');
  return survey(text).isTooDeep || parseJson(text) === undefined ? text : new RawJson(text);
}

function finalError(error: CliError, outcomeUnknown: boolean, { settling }: Call): CliError {
  return outcomeUnknown ? inDoubt(error, settling) : error;
}

/** Adds to an interrupt that the request may have been carried out. */
async function interruptible<T>(
  work: Promise<T>,
  outcomeUnknown: boolean,
  call: Call,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isInterrupt = signal.aborted && error === signal.reason && error instanceof CliError;
    throw isInterrupt ? finalError(error, outcomeUnknown, call) : error;
  }
}

function outOfTime(): CliError {
  return new CliError('unavailable', 'The time of this command is up; this request was not sent.', {
    hint: 'Give it longer with --timeout, for example --timeout 5m.',
  });
}

type Budget = ReturnType<typeof createBudget>;

/** The time that requests and the waits between them may take, in milliseconds. */
function createBudget(clock: Clock, totalMs: number) {
  let usedMs = 0;
  let waitedMs = 0;
  let running = 0;
  let startedAt = 0;
  return {
    remainingMs: () => totalMs - usedMs - (running > 0 ? clock.monotonic() - startedAt : 0),
    waitedMs: () => waitedMs,
    /** Counts the time of the work. Time between two pieces of work, such as a person's answer, is free. */
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
    /** Does not count the time of the work. */
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
