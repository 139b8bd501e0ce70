import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { isNotHttp, type TransportError } from '../http/transport-error.ts';
import { asObject, asText, isObject, parseJson, readNumber } from '../json/values.ts';
import {
  codeOfStatus,
  type FailedAttempt,
  isTransient,
  nextStep,
  outcomeOfStatus,
  parseHttpDate,
  parseRetryAfter,
  retryText,
  waitInWords,
} from '../service/retry.ts';
import { readInstant } from '../spec/instant.ts';
import { OPERATIONS } from '../spec/operations.ts';
import type { DeviceStart } from '../spec/types.ts';
import { shownWebUrl } from './browser.ts';
import { type Answered, exchange, type LoginAnswer, type LoginWire } from './exchange.ts';
import { brokenOff, detailsOf, hasError, isWebPage, linesOf, refusalOf } from './refusal.ts';
import { type Attempt, hostOf, notUnderstood, redirected, webPage } from './texts.ts';

const DEFAULT_INTERVAL_SECONDS = 5;
const MIN_INTERVAL_SECONDS = 1;
const DEFAULT_LIFE_SECONDS = 900;
const MAX_LIFE_SECONDS = 3600;
/** A larger number is a point in time. */
const MAX_DURATION = 1e9;

/** A login that waits for approval: the answer of operation 1. */
export interface DeviceLogin {
  readonly apiUrl: string;
  /** The name that the approval page shows. */
  readonly clientName: string;
  /** Secret. */
  readonly deviceCode: string;
  /** The code that the user enters on the approval page; unchanged. */
  readonly userCode: string | undefined;
  readonly verificationUri: string | undefined;
  /** The approval page with the code filled in; of the same origin. */
  readonly verificationUriComplete: string | undefined;
  readonly intervalSeconds: number;
  readonly lifeSeconds: number;
  /** Whether the service said how long the attempt lives; otherwise no countdown is shown. */
  readonly isLifeKnown: boolean;
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Sentences for the user. */
  readonly warnings: readonly string[];
}

/** When the attempt expires, as ISO 8601; undefined if the service did not say. */
export function expiryOfLogin(login: DeviceLogin): string | undefined {
  if (!login.isLifeKnown) return undefined;
  return new Date(login.startedAtMs + login.lifeSeconds * 1000).toISOString();
}

interface StartOptions extends LoginWire {
  readonly clientName: string;
  readonly clock: Clock;
  /** Between 0 and 1; spreads the waits. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Whether to repeat a start that failed with a temporary problem, as `RETRY_TABLE` says. */
  readonly retry: boolean;
  /** Milliseconds for all attempts and waits together. */
  readonly timeoutMs: number;
  /** Shows from now on why the request is sent again, and when. */
  onRetry(text: () => string): void;
}

/**
 * Operation 1: starts a login. Repeating it is safe: it leaves only a code that nobody approves.
 * @throws CliError: `unavailable` without an answer in three attempts or in time, else depending on the answer.
 */
export async function startDeviceLogin(options: StartOptions): Promise<DeviceLogin> {
  const { clientName, clock, random, retry, signal } = options;
  const { retry: retryClass } = OPERATIONS.startDeviceLogin;
  const until = clock.monotonic() + options.timeoutMs;
  let waitedMs = 0;
  for (let attempts = 1; ; attempts += 1) {
    const limits = { signal, timeoutMs: until - clock.monotonic() };
    const answer = await exchange(options, OPERATIONS.startDeviceLogin, { clientName }, limits);
    const start = judgeStart(answer, options, clock.now());
    if (start.kind === 'started') return start.login;
    const error = start.error.with({ attempts });
    const remainingMs = until - clock.monotonic();
    const step = nextStep(start, { retryClass, retry, attempts, remainingMs, waitedMs, random });
    if (step.waitMs === undefined) throw error;
    waitedMs += step.waitMs;
    const again = clock.monotonic() + step.waitMs;
    options.onRetry(() => retryText(error, again - clock.monotonic(), attempts + 1, step.attempts));
    await clock.sleep(step.waitMs, signal);
  }
}

type Start =
  | { readonly kind: 'started'; readonly login: DeviceLogin }
  | ({ readonly kind: 'problem'; readonly error: CliError } & FailedAttempt);

function judgeStart(answer: LoginAnswer, attempt: Attempt, nowMs: number): Start {
  if (answer.kind === 'fault') return isNotHttp(answer.fault) ? problem(brokenOff(answer.fault)) : broken(answer.fault);
  const start = judgeAnswer(answer, attempt, nowMs);
  if (start.kind === 'started') return start;
  return { ...start, error: start.error.with(detailsOf(answer, asObject(parseJson(answer.text)))) };
}

function judgeAnswer(answer: Answered, attempt: Attempt, nowMs: number): Start {
  const { status, headers, text, fault } = answer;
  const body = parseJson(text);
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  const outcome = outcomeOfStatus(status, retryAfterMs !== undefined);
  if (status >= 300 && status < 400) return problem(redirected(attempt, status, headers['location']));
  if (isTransient(status)) return { ...problem(overloaded(answer, attempt, nowMs)), outcome, retryAfterMs };
  if (status < 200 || status >= 300) return problem(refusalOf(status, asObject(body), attempt, codeOfStatus(status)));
  if (fault !== undefined) return broken(fault);
  if (hasError(asObject(body)['error'])) return problem(refusalOf(status, asObject(body), attempt, 'rejected'));
  if (body === undefined && isWebPage(answer)) return problem(webPage(attempt, status));
  if (!isObject(body)) return problem(notUnderstood(attempt, 'it is not a JSON object', status));
  return { kind: 'started', login: readDeviceStart(body, { ...attempt, headers, nowMs, status }) };
}

function problem(error: CliError) {
  return { kind: 'problem', error } as const;
}

function broken(fault: TransportError): Start {
  return { ...problem(brokenOff(fault)), outcome: fault.kind === 'proxy' ? undefined : fault.kind };
}

function overloaded({ status, headers, text }: Answered, attempt: Attempt, nowMs: number): CliError {
  const pauseMs = parseRetryAfter(headers, nowMs);
  const seconds = pauseMs === undefined ? undefined : Math.ceil(pauseMs / 1000);
  const isLimit = codeOfStatus(status) === 'rate_limited';
  const words = isLimit ? 'gets too many requests' : 'has a problem';
  const message = `${hostOf(attempt.apiUrl)} ${words} (HTTP ${status}).`;
  return new CliError(isLimit ? 'rate_limited' : 'unavailable', message, {
    lines: linesOf(asObject(parseJson(text))),
    retryAfterSeconds: seconds,
    hint: {
      say: `Sign in again ${seconds ? waitInWords(seconds, nowMs).whenOver : 'in a while'}.`,
      run: ['svc login'],
    },
  });
}

interface StartContext extends Attempt {
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
  readonly status: number;
}

/**
 * Reads the answer of operation 1. Requires only the fields without which no login is possible.
 * @throws CliError `unexpected` that names the missing field.
 */
export function readDeviceStart(answer: unknown, context: StartContext): DeviceLogin {
  const { apiUrl, clientName, nowMs } = context;
  const fields: DeviceStart = asObject(answer);
  const missing = (name: string): Error => notUnderstood(context, `it has no ${name}`, context.status);
  const deviceCode = asText(fields.deviceCode);
  if (deviceCode === undefined) throw missing('deviceCode');
  const page = shownWebUrl(fields.verificationUri);
  const completePage = shownWebUrl(fields.verificationUriComplete);
  const isElsewhere = page !== undefined && completePage !== undefined && page.origin !== completePage.origin;
  const complete = isElsewhere ? undefined : completePage;
  if (page === undefined && complete === undefined) throw missing('usable verificationUri');
  const userCode = asText(fields.userCode);
  if (userCode === undefined && complete === undefined) throw missing('userCode');
  const warnings: string[] = [];
  if (userCode === undefined) {
    warnings.push('The service sent no code to compare; approve only on the page of the link.');
  }
  if (isElsewhere) {
    warnings.push(`The link with the code leads to another site than ${hostOf(page.href)}, so it is left out.`);
  }
  const lifeSeconds = readLife(fields.expiresIn, context);
  return {
    apiUrl,
    clientName,
    deviceCode,
    userCode,
    verificationUri: page?.href,
    verificationUriComplete: complete?.href,
    intervalSeconds: readInterval(fields.interval),
    lifeSeconds: lifeSeconds ?? DEFAULT_LIFE_SECONDS,
    isLifeKnown: lifeSeconds !== undefined,
    startedAtMs: nowMs,
    warnings,
  };
}

/** Reads a finite number of seconds, also from text. Returns undefined for anything else. */
export function readSeconds(value: unknown): number | undefined {
  const seconds = readNumber(typeof value === 'string' ? value.trim() : value);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function readInterval(value: unknown): number {
  const seconds = readSeconds(value);
  if (seconds === undefined || seconds <= 0) return DEFAULT_INTERVAL_SECONDS;
  return Math.max(MIN_INTERVAL_SECONDS, Math.ceil(seconds * 1000) / 1000);
}

/** Seconds that the attempt lives: the number sent, or the time from the answer's `Date` to the instant sent. */
function readLife(value: unknown, { headers, nowMs }: StartContext): number | undefined {
  const number = readSeconds(value);
  const isDuration = number !== undefined && number <= MAX_DURATION;
  const serverNowMs = parseHttpDate(headers['date']) ?? nowMs;
  const seconds = isDuration ? number : (readInstant(value, { isTime: true }) - serverNowMs) / 1000;
  return seconds > 0 ? Math.min(MAX_LIFE_SECONDS, Math.ceil(seconds)) : undefined;
}
