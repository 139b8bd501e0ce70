import { parseHttpDate } from '../http/retry.ts';
import { readInstant } from '../spec/instant.ts';
import { asObject, asText, readNumber } from '../spec/read.ts';
import type { DeviceStart } from '../spec/types.ts';
import { hostOf, notUnderstood } from './texts.ts';
import { shownWebUrl } from './web-url.ts';

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
export interface StartContext {
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
