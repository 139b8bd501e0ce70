import type { Clock } from '../clock.ts';
import { CliError, type ErrorCode } from '../errors.ts';
import { isNotHttp } from '../http/faults.ts';
import { parseRetryAfter, waitInWords } from '../http/retry-after.ts';
import { OPERATIONS } from '../spec/operations.ts';
import { asObject, isObject, parseJson } from '../spec/read.ts';
import { isWebPage } from './answer-body.ts';
import { type DeviceLogin, readDeviceStart } from './device-start.ts';
import { exchange, type LoginAnswer, type LoginWire } from './exchange.ts';
import { brokenOff, hasError, linesOf, refusalOf, saidWith } from './refusal.ts';
import { type Attempt, hostOf, notUnderstood, redirected, webPage } from './texts.ts';

/** Seconds before the second and the third try. */
const PAUSES_SECONDS = [1, 2];
/** Longest pause that the service may ask for here, in seconds. */
const LONGEST_PAUSE_SECONDS = 30;

/** How a login is started. */
export interface StartOptions extends LoginWire {
  readonly clientName: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether a start that failed for a passing reason is tried again, up to twice. */
  readonly retry: boolean;
  /** Milliseconds for all tries together. */
  readonly timeoutMs: number;
}

/**
 * Operation 1: starts a login. A start that is repeated leaves nothing behind but a code that nobody approves.
 * @throws CliError: `unavailable` where nobody answered in three tries or in time, else as the answer says.
 */
export async function startDeviceLogin(options: StartOptions): Promise<DeviceLogin> {
  const { clientName, clock, signal } = options;
  const until = clock.monotonic() + options.timeoutMs;
  for (let tries = 1; ; tries += 1) {
    const answer = await exchange(
      options,
      OPERATIONS.startDeviceLogin,
      { clientName },
      { signal, timeoutMs: until - clock.monotonic() },
    );
    const start = judgeStart(answer, options, clock.now());
    if (start.kind === 'started') return start.login;
    const pauseSeconds = PAUSES_SECONDS[tries - 1];
    const asked = start.error.details.retryAfterSeconds ?? 0;
    const isWorthATry = start.mayPass && options.retry && asked <= LONGEST_PAUSE_SECONDS;
    const pauseMs = Math.max(pauseSeconds ?? 0, asked) * 1000;
    const isInTime = clock.monotonic() + pauseMs < until;
    if (pauseSeconds === undefined || !isWorthATry || !isInTime) throw start.error.with({ attempts: tries });
    await clock.sleep(pauseMs, signal);
  }
}

/** What the answer to a start means: a login that waits for approval, or the reason why there is none. */
type Start =
  | { readonly kind: 'started'; readonly login: DeviceLogin }
  | { readonly kind: 'problem'; readonly error: CliError; readonly mayPass: boolean };

type Answered = Extract<LoginAnswer, { kind: 'answer' }>;

/** Codes of the refusals that have one of their own. */
const CODES: Readonly<Record<number, ErrorCode>> = { 401: 'unauthenticated', 403: 'forbidden' };

/** Judges the answer to operation 1. */
function judgeStart(answer: LoginAnswer, attempt: Attempt, nowMs: number): Start {
  if (answer.kind === 'fault') {
    const mayPass = ['not_sent', 'reset', 'timeout'].includes(answer.fault.kind) && !isNotHttp(answer.fault);
    return { kind: 'problem', error: brokenOff(answer.fault), mayPass };
  }
  const start = judgeAnswer(answer, attempt, nowMs);
  if (start.kind === 'started') return start;
  return { ...start, error: start.error.with(saidWith(answer, asObject(parseJson(answer.text)))) };
}

function judgeAnswer(answer: Answered, attempt: Attempt, nowMs: number): Start {
  const { status, headers, text } = answer;
  if (status >= 200 && status < 300) return judgeSuccess(answer, attempt, nowMs);
  if (status >= 300 && status < 400) return final(redirected(attempt, status, headers['location']));
  if (status >= 500 || [408, 425, 429].includes(status)) {
    return { kind: 'problem', error: overloaded(answer, attempt, nowMs), mayPass: true };
  }
  return final(refusalOf(status, asObject(parseJson(text)), attempt, CODES[status] ?? 'rejected'));
}

function judgeSuccess(answer: Answered, attempt: Attempt, nowMs: number): Start {
  const { status, headers, text, fault } = answer;
  if (fault !== undefined) return { kind: 'problem', error: brokenOff(fault), mayPass: true };
  const body = parseJson(text);
  if (hasError(asObject(body)['error'])) return final(refusalOf(status, asObject(body), attempt, 'rejected'));
  if (body === undefined && isWebPage(headers['content-type'], text)) return final(webPage(attempt, status));
  if (!isObject(body)) return final(notUnderstood(attempt, 'it is not a JSON object', status));
  return { kind: 'started', login: readDeviceStart(body, { ...attempt, headers, nowMs, status }) };
}

function overloaded({ status, headers, text }: Answered, attempt: Attempt, nowMs: number): CliError {
  const pauseMs = parseRetryAfter(headers, nowMs);
  const seconds = pauseMs === undefined ? undefined : Math.ceil(pauseMs / 1000);
  const isLimit = status === 429;
  const words = isLimit ? 'gets too many requests' : 'has a problem';
  return new CliError(
    isLimit ? 'rate_limited' : 'unavailable',
    `${hostOf(attempt.apiUrl)} ${words} (HTTP ${status}).`,
    {
      lines: linesOf(asObject(parseJson(text))),
      retryAfterSeconds: seconds,
      hint: `svc login, ${seconds ? waitInWords(seconds, nowMs).whenOver : 'in a while'}`,
    },
  );
}

function final(error: CliError): Start {
  return { kind: 'problem', error, mayPass: false };
}
