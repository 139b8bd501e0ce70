import { CliError } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { asObject, asText, fieldOf, readNumber } from '../json/values.ts';
import type { ClientOptions } from '../service/call.ts';
import { createClient } from '../service/client.ts';
import { parseHttpDate } from '../service/retry.ts';
import { ruleOf } from '../service/statuses.ts';
import { OPERATIONS } from '../spec/operations.ts';
import type { BodyOf, DeviceStart } from '../spec/types.ts';
import { shownWebUrl } from './browser.ts';
import { detailsOf, errorFieldOf, hasError, refusalOf } from './refusal.ts';
import { hostOf, type LoginAttempt, notUnderstood } from './texts.ts';

const DEFAULT_INTERVAL_SECONDS = 5;
const MIN_INTERVAL_SECONDS = 1;
const DEFAULT_LIFE_SECONDS = 900;
const MAX_LIFE_SECONDS = 3600;
/** A larger number is a point in time. */
const MAX_DURATION = 1e9;

/** A login that waits for approval: the answer of operation 1. */
export interface StartedLogin {
  readonly apiUrl: string;
  readonly clientName: string;
  readonly deviceCode: string;
  /** The code that the user enters on the approval page; unchanged. */
  readonly userCode: string | undefined;
  readonly verificationUri: string | undefined;
  /** The approval page with the code filled in; of the same origin. */
  readonly verificationUriComplete: string | undefined;
  readonly intervalSeconds: number;
  readonly lifeSeconds: number;
  /** Whether the platform said how long the attempt lives; otherwise no countdown is shown. */
  readonly isLifeKnown: boolean;
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly warnings: readonly string[];
}

/** When the attempt expires, as ISO 8601; undefined if the platform did not say. */
export function expiryOfLogin(login: StartedLogin): string | undefined {
  if (!login.isLifeKnown) return undefined;
  return new Date(login.startedAtMs + login.lifeSeconds * 1000).toISOString();
}

interface StartOptions
  extends Pick<ClientOptions, 'send' | 'userAgent' | 'clock' | 'random' | 'retry' | 'signal' | 'runtime'> {
  readonly apiUrl: string;
  readonly clientName: string;
  /** Milliseconds for all attempts and waits together. */
  readonly timeoutMs: number;
  onRetry(text: () => string): void;
}

/** Bytes to read of an answer; a start has a few hundred. */
const MAX_BYTES = 64 * 1024;

/**
 * Operation 1: starts a login. Repeating it is safe: it leaves only a code that nobody approves.
 * @throws CliError as the client does, and for an answer without a usable start.
 */
export async function startDeviceLogin(options: StartOptions): Promise<StartedLogin> {
  const { apiUrl, clientName, clock, timeoutMs, onRetry } = options;
  const client = createClient({
    ...options,
    baseUrl: apiUrl,
    credential: undefined,
    deadlineMs: timeoutMs,
    show: () => ({ retry: onRetry, stop() {} }),
  });
  const call = {
    operation: OPERATIONS.startDeviceLogin,
    body: { clientName } satisfies BodyOf<'startDeviceLogin'>,
    maxBytes: MAX_BYTES,
  };
  const { status, headers, value } = await client.call<DeviceStart>(call).catch((error: unknown) => {
    throw error instanceof CliError ? explained(error, options) : error;
  });
  if (hasError(fieldOf(value, 'error'))) {
    throw refusalOf(status, value, options, 'rejected').with(detailsOf({ status, headers }, value));
  }
  return readDeviceStart(value, { apiUrl, clientName, headers, nowMs: clock.now(), status });
}

function explained(error: CliError, attempt: LoginAttempt): CliError {
  const { status = 0, requestId, attempts } = error.details;
  const body = error.details.service ?? {};
  const isRefusal = status >= 400 && ruleOf(status).repeats.start === undefined;
  const said = isRefusal ? refusalOf(status, body, attempt, error.code) : error;
  return said.with({ requestId, attempts, service: errorFieldOf(body) });
}

interface StartContext extends LoginAttempt {
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
  readonly status: number;
}

/**
 * Reads the answer of operation 1. Requires only the fields without which no login is possible.
 * @throws CliError `unexpected` that names the missing field.
 */
export function readDeviceStart(answer: unknown, context: StartContext): StartedLogin {
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
  const warnings = [
    ...(userCode === undefined ? ['The API sent no code to compare; approve only on the page of the link.'] : []),
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
