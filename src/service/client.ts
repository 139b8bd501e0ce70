import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { HttpRequest, Send } from '../http/send.ts';
import { rawJson, toJsonText } from '../json/raw-json.ts';
import { isTooDeep } from '../json/tokens.ts';
import { parseJson } from '../json/values.ts';
import { changesSomething, type Operation } from '../spec/operations.ts';
import type { Answer, Call, Client } from './call.ts';
import { createDebugLog } from './debug.ts';
import { exchange } from './exchange.ts';
import type { ErrorContext } from './failures.ts';
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
  /** Takes the lines of `--debug`. */
  readonly debug?: ((line: string) => void) | undefined;
  readonly explain401?: ErrorContext['explain401'];
  /** Makes the error for a missing sign-in. */
  readonly explainMissing?: (() => CliError) | undefined;
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
      return budget.during(() => run(call, options, redactor, budget)) as Promise<Answer<T>>;
    },
    preview(call) {
      const url = buildUrl(options.baseUrl, call);
      const headers = buildHeaders(call, options);
      return { method: call.operation.method, url: url.href, headers, body: previewBody(call.body) };
    },
  };
}

/** Sends one call until `nextStep` (retry.ts) says to stop. */
async function run(call: Call, options: ClientOptions, redactor: Redactor, budget: Budget): Promise<Answer> {
  const { send, clock, random, retry, signal } = options;
  const request = buildRequest(call, options);
  const log = createDebugLog(options.debug, redactor);
  const context: ErrorContext = { ...options, operation: call.operation, url: request.url };
  let outcomeUnknown = false;
  let last: CliError | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const timeoutMs = Math.min(options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS, budget.remainingMs());
    if (timeoutMs <= 0) throw last === undefined ? outOfTime() : finalError(last, outcomeUnknown, call.operation);
    const connectTimeoutMs = Math.min(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, timeoutMs);
    log.request(call, request.url, attempts, request.body?.length ?? 0);
    const sending = exchange({ ...request, timeoutMs, connectTimeoutMs }, call, { send, clock, log, context });
    const result = await interruptible(sending, outcomeUnknown || changesSomething(call.operation), signal);
    if ('answer' in result) return { ...result.answer, attempts, outcomeUnknown };
    const { nextStep } = await import('./retry.ts');
    const { retry: retryClass } = call.operation;
    const [remainingMs, waitedMs] = [budget.remainingMs(), budget.waitedMs()];
    const step = nextStep(result.failure, { retryClass, retry, attempts, remainingMs, waitedMs, random });
    outcomeUnknown ||= step.outcomeUnknown;
    last = result.failure.error.with({ attempts });
    if (step.waitMs === undefined) throw finalError(last, outcomeUnknown, call.operation);
    log.wait(step.waitMs);
    await interruptible(budget.wait(step.waitMs, signal), outcomeUnknown, signal);
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
  return isTooDeep(text) || parseJson(text) === undefined ? text : rawJson(text);
}

/** A change with an unknown outcome is `unavailable`, whatever the last answer said: scripts need to know one case only. */
function finalError(error: CliError, outcomeUnknown: boolean, { retry }: Operation): CliError {
  if (!outcomeUnknown) return error;
  // A request with a key can simply be repeated; its caller explains how.
  const advice = retry === 'keyed' ? [] : ['The change may have gone through. Check before you retry.'];
  const lines = [...(error.details.lines ?? []), ...advice];
  return new CliError('unavailable', error.message, { ...error.details, outcome: 'unknown', lines });
}

/** Adds to an interrupt that the request may have been carried out. */
async function interruptible<T>(work: Promise<T>, outcomeUnknown: boolean, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isInterrupt = signal.aborted && error === signal.reason && error instanceof CliError;
    throw outcomeUnknown && isInterrupt ? error.with({ outcome: 'unknown' }) : error;
  }
}

function outOfTime(): CliError {
  return new CliError('unavailable', 'The time of this command is up; this request was not sent.', {
    hint: 'Give it longer with --timeout, for example --timeout 5m.',
  });
}

/** The time that requests and the waits between them may take, in milliseconds. */
interface Budget {
  remainingMs(): number;
  waitedMs(): number;
  /** Counts the time of the work. Time between two pieces of work, such as a person's answer, is free. */
  during<T>(work: () => Promise<T>): Promise<T>;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

function createBudget(clock: Clock, totalMs: number): Budget {
  let usedMs = 0;
  let waitedMs = 0;
  let running = 0;
  let startedAt = 0;
  return {
    remainingMs: () => totalMs - usedMs - (running > 0 ? clock.monotonic() - startedAt : 0),
    waitedMs: () => waitedMs,
    async during(work) {
      if (running === 0) startedAt = clock.monotonic();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) usedMs += clock.monotonic() - startedAt;
      }
    },
    async wait(ms, signal) {
      waitedMs += ms;
      await clock.sleep(ms, signal);
    },
  };
}
