import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { isNotHttp } from '../http/transport-error.ts';
import { asObject, asText, isObject, parseJson, readNumber } from '../json/values.ts';
import { codeOfStatus, isTransient, parseHttpDate, parseRetryAfter, waitInWords } from '../service/retry.ts';
import { readInstant } from '../spec/instant.ts';
import { OPERATIONS } from '../spec/operations.ts';
import type { DeviceStart } from '../spec/types.ts';
import { shownWebUrl } from './browser.ts';
import { exchange, type LoginAnswer, type LoginWire } from './exchange.ts';
import { brokenOff, hasError, isWebPage, linesOf, refusalOf, saidWith } from './refusal.ts';
import { type Attempt, hostOf, notUnderstood, redirected, webPage } from './texts.ts';

/** Seconds between polls where the service names none that makes sense. */
const DEFAULT_INTERVAL_SECONDS = 5;
const SHORTEST_INTERVAL_SECONDS = 1;
/** Seconds that an attempt lives where the service does not say so. */
const DEFAULT_LIFE_SECONDS = 900;
const LONGEST_LIFE_SECONDS = 3600;
/** A larger number is a point in time. */
const LARGEST_DURATION = 1e9;

/** A login that waits for approval: the answer of operation 1 as svc understands it. */
export interface DeviceLogin {
  readonly apiUrl: string;
  /** The name that the approval page shows. */
  readonly clientName: string;
  /** Secret. */
  readonly deviceCode: string;
  /** What the user types on the approval page; exactly as it came. */
  readonly userCode: string | undefined;
  readonly verificationUri: string | undefined;
  /** The approval page with the code filled in; of the same origin. */
  readonly verificationUriComplete: string | undefined;
  readonly intervalSeconds: number;
  readonly lifeSeconds: number;
  /** Whether the service said how long the attempt lives; otherwise no countdown is shown. */
  readonly isLifeKnown: boolean;
  /** When the answer came, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** What is odd about the answer, for the user. */
  readonly warnings: readonly string[];
}

/** What an answer of operation 1 is read with. */
interface StartContext {
  readonly apiUrl: string;
  readonly clientName: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
  readonly status: number;
}

/**
 * Reads the answer of operation 1. Only what no login can go on without is required.
 * @throws CliError `unexpected` that names the missing field.
 */
export function readDeviceStart(answer: unknown, context: StartContext): DeviceLogin {
  const { apiUrl, clientName, nowMs } = context;
  const fields: DeviceStart = asObject(answer);
  const missing = (what: string): Error => notUnderstood(context, `it has no ${what}`, context.status);
  const deviceCode = asText(fields.deviceCode);
  if (deviceCode === undefined) throw missing('deviceCode');
  const page = shownWebUrl(fields.verificationUri);
  const completePage = shownWebUrl(fields.verificationUriComplete);
  const isElsewhere = page !== undefined && completePage !== undefined && page.origin !== completePage.origin;
  const complete = isElsewhere ? undefined : completePage;
  if (page === undefined && complete === undefined) throw missing('usable verificationUri');
  const userCode = asText(fields.userCode);
  if (userCode === undefined && complete === undefined) throw missing('userCode');
  const warnings = [
    ...(userCode === undefined ? ['The service sent no code to compare; approve only on the page of the link.'] : []),
    ...(isElsewhere
      ? [`The link with the code leads to another site than ${hostOf(page.href)}, so it is left out.`]
      : []),
  ];
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

/** When the attempt ends, as ISO 8601; `undefined` where the service did not say. */
export function expiryOfLogin(login: DeviceLogin): string | undefined {
  if (!login.isLifeKnown) return undefined;
  return new Date(login.startedAtMs + login.lifeSeconds * 1000).toISOString();
}

/** A finite number of seconds, also as text; `undefined` for anything else. */
export function readSeconds(value: unknown): number | undefined {
  const seconds = readNumber(typeof value === 'string' ? value.trim() : value);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function readInterval(value: unknown): number {
  const seconds = readSeconds(value);
  if (seconds === undefined || seconds <= 0) return DEFAULT_INTERVAL_SECONDS;
  return Math.max(SHORTEST_INTERVAL_SECONDS, Math.ceil(seconds * 1000) / 1000);
}

/** Seconds that the attempt lives: a number of them, or a point in time seen from the answer's own `Date`. */
function readLife(value: unknown, { headers, nowMs }: StartContext): number | undefined {
  const number = readSeconds(value);
  const isDuration = number !== undefined && number <= LARGEST_DURATION;
  const serverNowMs = parseHttpDate(headers['date']) ?? nowMs;
  const seconds = isDuration ? number : (readInstant(value, { isTime: true }) - serverNowMs) / 1000;
  return seconds > 0 ? Math.min(LONGEST_LIFE_SECONDS, Math.ceil(seconds)) : undefined;
}

/** Seconds before the second and the third try. */
const PAUSES_SECONDS = [1, 2];
/** Longest pause that the service may ask for here, in seconds. */
const LONGEST_PAUSE_SECONDS = 30;

/** How a login is started. */
interface StartOptions extends LoginWire {
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
  if (isTransient(status)) {
    return { kind: 'problem', error: overloaded(answer, attempt, nowMs), mayPass: true };
  }
  return final(refusalOf(status, asObject(parseJson(text)), attempt, codeOfStatus(status)));
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
  const isLimit = codeOfStatus(status) === 'rate_limited';
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
