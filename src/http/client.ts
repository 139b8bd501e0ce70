import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { Operation } from '../spec/operations.ts';
import { rawJson, toJsonText } from '../spec/raw-json.ts';
import { type Budget, createBudget } from './budget.ts';
import type { Answer, Call, Client } from './call.ts';
import { type ClientCredential, credentialHeaders } from './credential.ts';
import { createDebugLog } from './debug.ts';
import { exchange } from './exchange.ts';
import { changesSomething, type ErrorContext } from './failure.ts';
import { buildHeaders } from './headers.ts';
import { buildUrl } from './path.ts';
import { createRedactor, type Redactor } from './redact.ts';
import type { Send, WireRequest } from './send.ts';

/** What a client is made of. */
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
  /** False for exactly one request a call. */
  readonly retry: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds for all requests and waits together; 90 s unless told otherwise. */
  readonly deadlineMs?: number | undefined;
  /** Whether each call has the whole time for itself: for waiting and watching, which have limits of their own. */
  readonly deadlinePerCall?: boolean | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Whether credentials may travel over plain http to another machine. */
  readonly allowHttp?: boolean | undefined;
  readonly redactor?: Redactor | undefined;
  /** Takes the lines of `--debug`. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Why the sign-in was refused and what to do, where the caller knows more. */
  readonly explain401?: ErrorContext['explain401'];
  /** The error where there is no sign-in, where the caller knows more. */
  readonly explainMissing?: (() => CliError) | undefined;
}

const DEADLINE_MS = 90_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** The client that every command talks to the service through. */
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

async function run(call: Call, options: ClientOptions, redactor: Redactor, budget: Budget): Promise<Answer> {
  const { send, clock, random, retry, signal } = options;
  const request = buildRequest(call, options);
  const log = createDebugLog(options.debug, redactor);
  const context: ErrorContext = { ...options, operation: call.operation, url: request.url };
  let inDoubt = false;
  let last: CliError | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const timeoutMs = Math.min(options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS, budget.remainingMs());
    if (timeoutMs <= 0) throw last === undefined ? outOfTime() : finalError(last, inDoubt, call.operation);
    const connectTimeoutMs = Math.min(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, timeoutMs);
    log.request(call, request.url, attempts, request.body?.length ?? 0);
    const sending = exchange({ ...request, timeoutMs, connectTimeoutMs }, call, { send, clock, log, context });
    const result = await interruptible(sending, inDoubt || changesSomething(call.operation), signal);
    if ('answer' in result) return { ...result.answer, attempts, inDoubt };
    const { nextStep } = await import('./failures.ts');
    const step = nextStep(result.failure, { retryClass: call.operation.retry, retry, attempts, budget, random });
    inDoubt ||= step.inDoubt;
    last = result.failure.error.with({ attempts });
    if (step.kind === 'stop') throw finalError(last, inDoubt, call.operation);
    log.wait(step.waitMs);
    await interruptible(budget.wait(step.waitMs, signal), inDoubt, signal);
  }
}

type Prepared = Omit<WireRequest, 'timeoutMs' | 'connectTimeoutMs'>;

/** Everything that can be wrong with a call is found here, before anything is sent. */
function buildRequest(call: Call, options: ClientOptions): Prepared {
  const url = buildUrl(options.baseUrl, call);
  const common = buildHeaders(call, options);
  const { credential, allowHttp = false, explainMissing } = options;
  const own = credentialHeaders(call.operation, credential, url, allowHttp, explainMissing);
  const { method } = call.operation;
  return { method, url, headers: { ...common, ...own }, body: bytesOf(call.body), signal: options.signal };
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(toJsonText(body));
}

function previewBody(body: unknown): unknown {
  if (!(body instanceof Uint8Array)) return body ?? null;
  const text = Buffer.from(body).toString('utf8');
  try {
    JSON.parse(text);
    return rawJson(text);
  } catch {
    return text;
  }
}

/** Whatever its own words are, a change that may have happened is one outcome for scripts: `unavailable`, unknown. */
function finalError(error: CliError, inDoubt: boolean, { retry }: Operation): CliError {
  if (!inDoubt) return error;
  // A request with a key is repeated rather than looked into; who holds the key says how.
  const advice = retry === 'keyed' ? [] : ['It may have been carried out all the same. Check before you repeat it.'];
  const lines = [...(error.details.lines ?? []), ...advice];
  return new CliError('unavailable', error.message, { ...error.details, outcome: 'unknown', lines });
}

/** Adds to an interrupt that what it cut off may have been carried out. */
async function interruptible<T>(work: Promise<T>, inDoubt: boolean, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (inDoubt && signal.aborted && error === signal.reason && error instanceof CliError) {
      throw error.with({ outcome: 'unknown' });
    }
    throw error;
  }
}

function outOfTime(): CliError {
  return new CliError('unavailable', 'The time of this command is up; this request was not sent.', {
    hint: 'a longer --timeout',
  });
}
