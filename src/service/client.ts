import type { Clock } from '../clock.ts';
import { CliError, inDoubt } from '../errors.ts';
import type { HttpRequest, Send } from '../http/send.ts';
import { RawJson, toJsonText } from '../json/raw-json.ts';
import { survey } from '../json/scan.ts';
import { parseJson } from '../json/values.ts';
import { changesSomething } from '../spec/operations.ts';
import type { Memory } from './body.ts';
import { type Budget, createBudget } from './budget.ts';
import type { Answer, Call, Client, OwnClientOptions } from './call.ts';
import { createDebugLog, type DebugLog } from './debug.ts';
import { exchange } from './exchange.ts';
import type { ErrorContext, Failure } from './failures.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { buildHeaders, buildUrl, type ClientCredential, credentialHeaders } from './request.ts';

/** What a client is made of. Times are in milliseconds. */
export interface ClientOptions extends OwnClientOptions {
  /** In the normal form of `parseBaseUrl`. */
  readonly baseUrl: string;
  readonly send: Send;
  readonly credential: ClientCredential | undefined;
  readonly org?: string | undefined;
  readonly userAgent: string;
  readonly clock: Clock;
  /** Between 0 and 1; spreads the waits. */
  readonly random: () => number;
  readonly retry: boolean;
  readonly signal: AbortSignal;
  readonly attemptTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Whether credentials may travel over plain http to another machine. */
  readonly allowHttp?: boolean | undefined;
  readonly redactor?: Redactor | undefined;
  readonly memory?: Memory | undefined;
  /** Takes the lines of `--debug`. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Shows a call to people while they wait for it. */
  readonly show?: ((call: Call) => ShownCall) | undefined;
  readonly runtime?: ErrorContext['runtime'];
  readonly explain401?: ErrorContext['explain401'];
  readonly explainMissing?: (() => CliError) | undefined;
}

/** A call that people see while they wait for its answer. */
export interface ShownCall {
  retry(text: () => string): void;
  stop(): void;
}

const DEADLINE_MS = 90_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Creates a client for one address and one sign-in. Its calls share one deadline unless `deadlinePerCall` is set. */
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

/** A call while it is under way, with what it keeps from one attempt to the next. */
interface RunningCall {
  readonly call: Call;
  readonly options: ClientOptions;
  readonly budget: Budget;
  readonly shown: ShownCall | undefined;
  readonly log: DebugLog;
  readonly context: ErrorContext;
  readonly changes: boolean;
  attempts: number;
  /** Those that do not count towards a limit, because the gate paused for them. */
  free: number;
  /** Whether an earlier attempt may have been carried out. */
  outcomeUnknown: boolean;
  lastError: CliError | undefined;
}

/** Sends one call until `nextStep` (retry.ts) says to stop. */
async function run(
  call: Call,
  options: ClientOptions,
  redactor: Redactor,
  budget: Budget,
  shown: ShownCall | undefined,
): Promise<Answer> {
  const request = buildRequest(call, options);
  const { credential, explain401, runtime } = options;
  const running: RunningCall = {
    call,
    options,
    budget,
    shown,
    log: createDebugLog(options.debug, redactor),
    context: { operation: call.operation, url: request.url, credential, explain401, runtime },
    changes: changesSomething(call.operation),
    attempts: 0,
    free: 0,
    outcomeUnknown: false,
    lastError: undefined,
  };
  for (;;) {
    running.attempts += 1;
    const leave = await passGate(running);
    const result = await attempt(request, running).finally(leave);
    const { attempts, outcomeUnknown } = running;
    if ('answer' in result) return { ...result.answer, attempts, outcomeUnknown };
    await waitOrThrow(result.failure, running);
  }
}

async function passGate(running: RunningCall): Promise<(() => void) | undefined> {
  const { options, budget, changes, outcomeUnknown } = running;
  const { gate } = options;
  if (gate === undefined) return undefined;
  const entering = budget.outside(() => gate.enter(changes));
  return interruptible(entering, running, outcomeUnknown);
}

async function attempt(request: RequestWithoutTimeouts, running: RunningCall): ReturnType<typeof exchange> {
  const { call, options, budget, log, context, changes, attempts, outcomeUnknown, lastError } = running;
  const { send, clock, memory } = options;
  const timeoutMs = Math.min(options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS, budget.remainingMs());
  if (timeoutMs <= 0) throw lastError === undefined ? outOfTime() : finalError(lastError, call, outcomeUnknown);
  const connectTimeoutMs = Math.min(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, timeoutMs);
  log.request(call, request.url, attempts, request.body?.length ?? 0);
  if (attempts === 1) call.sending?.();
  const sending = exchange({ ...request, timeoutMs, connectTimeoutMs }, call, { send, clock, log, context, memory });
  return interruptible(sending, running, outcomeUnknown || changes);
}

/** Returns when the request may be sent again, or throws the error of the failed attempt. */
async function waitOrThrow(failure: Failure, running: RunningCall): Promise<void> {
  const { call, options, budget, shown, log, changes } = running;
  const { clock, random, retry, signal, gate } = options;
  // Before anything else: the others must hear of a pause at once.
  const pause = gate?.failed(failure, changes);
  running.lastError = failure.error.with({ attempts: running.attempts });
  const { nextStep, retryText } = await import('./retry.ts');
  if (pause === 'free' && retry) {
    running.free += 1;
    return;
  }
  // The gate waits as long as the platform asks.
  const step = nextStep(pause === undefined ? failure : { ...failure, retryAfterMs: 0 }, {
    retryClass: call.operation.retry,
    retry,
    attempts: running.attempts - running.free,
    remainingMs: budget.remainingMs(),
    waitedMs: budget.waitedMs(),
    random,
  });
  running.outcomeUnknown ||= step.outcomeUnknown;
  if (step.waitMs === undefined) throw finalError(running.lastError, call, running.outcomeUnknown);
  if (pause !== undefined) return;
  log.wait(step.waitMs);
  const until = clock.monotonic() + step.waitMs;
  const nextAttempt = running.attempts + 1;
  shown?.retry(() => retryText(failure.error, until - clock.monotonic(), nextAttempt, step.attempts));
  await interruptible(budget.wait(step.waitMs, signal), running, running.outcomeUnknown);
}

type RequestWithoutTimeouts = Omit<HttpRequest, 'timeoutMs' | 'connectTimeoutMs'>;

/** Throws for every mistake in a call before anything is sent. */
function buildRequest(call: Call, options: ClientOptions): RequestWithoutTimeouts {
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

function finalError(error: CliError, { settling }: Call, outcomeUnknown: boolean): CliError {
  return outcomeUnknown ? inDoubt(error, settling) : error;
}

/** Turns an interrupt into an error in doubt if the request may have been carried out. */
async function interruptible<T>(
  work: Promise<T>,
  { call, options: { signal } }: RunningCall,
  outcomeUnknown: boolean,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isInterrupt = signal.aborted && error === signal.reason && error instanceof CliError;
    throw isInterrupt ? finalError(error, call, outcomeUnknown) : error;
  }
}

function outOfTime(): CliError {
  return new CliError('unavailable', 'The time of this command is up; this request was not sent.', {
    hint: 'Give it longer with --timeout, for example --timeout 5m.',
  });
}
