import type { Answer, Client } from '../api/call.ts';
import { parseHttpDate } from '../api/retry.ts';
import { getFailureRule } from '../api/statuses.ts';
import { type BodyOf, type DeviceStart, OPERATIONS } from '../contract/operations.ts';
import { CliError } from '../errors.ts';
import { asObject, asText, findField, readInstant, readNumber } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';
import { parseShownUrl } from './browser.ts';
import {
  createRefusalError,
  findErrorField,
  getErrorDetails,
  getHost,
  hasError,
  toPlainLine,
  unexpectedAnswerError,
} from './refusal.ts';

const DEFAULT_INTERVAL_SECONDS = 5;
const MIN_INTERVAL_SECONDS = 1;
const DEFAULT_LIFE_SECONDS = 900;
const MAX_LIFE_SECONDS = 3600;
/** A number of seconds that is larger is a point in time. */
const MAX_DURATION = 1e9;
const MAX_BYTES = 64 * 1024;
const MAX_NAME_LENGTH = 64;

/** A login that was started, and the name under which it waits for approval. */
export type StartedLogin = Readonly<
  { apiUrl: string; clientName: string } & ReturnType<typeof readStart>
>;

/** Returns the name of this machine, which people compare with the approval page. */
export function getClientName(chosenName: string | undefined, hostname: string): string {
  const names = [chosenName ?? '', hostname].map((name) => toPlainLine(name, MAX_NAME_LENGTH));
  return names.find(Boolean) ?? 'svc';
}

/**
 * Starts a login (operation 1). Repeating it is safe: it leaves only a code that nobody approves.
 * @throws CliError as the client does, which has no sign-in; `unexpected` for an answer that lacks
 * what a login needs.
 */
export async function startDeviceLogin(
  client: Pick<Client, 'call'>,
  attempt: Pick<StartedLogin, 'apiUrl' | 'clientName'>,
  now: () => number,
): Promise<StartedLogin> {
  const { apiUrl, clientName } = attempt;
  const answer = await client
    .call<DeviceStart>({
      operation: OPERATIONS.startDeviceLogin,
      doing: 'Starting the login',
      body: { clientName } satisfies BodyOf<'startDeviceLogin'>,
      maxBytes: MAX_BYTES,
    })
    .catch((error: unknown) => {
      throw error instanceof CliError ? explainRefusedStart(error, apiUrl) : error;
    });
  const { status, value } = answer;
  if (hasError(findField(value, 'error'))) {
    throw createRefusalError(status, value, apiUrl, 'rejected').with(
      getErrorDetails(answer, value),
    );
  }
  return { ...attempt, ...readStart(answer, apiUrl, now()) };
}

function explainRefusedStart(error: CliError, apiUrl: string): CliError {
  const { status = 0, requestId, attempts, service = {} } = error.details;
  const isRefusal = status >= 400 && getFailureRule(status).repeats.start === undefined;
  const explained = isRefusal ? createRefusalError(status, service, apiUrl, error.code) : error;
  return explained.with({ requestId, attempts, service: findErrorField(service) });
}

function readStart(
  { status, headers, value }: Answer<DeviceStart>,
  apiUrl: string,
  startedAtMs: number,
) {
  const fields: DeviceStart = asObject(value);
  const missingError = (name: string) => unexpectedAnswerError(apiUrl, `it has no ${name}`, status);
  const deviceCode = asText(fields.deviceCode);
  if (deviceCode === undefined) throw missingError('deviceCode');
  const page = readPage(fields.verificationUri, apiUrl);
  const completePage = readPage(fields.verificationUriComplete, apiUrl);
  const isElsewhere =
    page !== undefined && completePage !== undefined && page.origin !== completePage.origin;
  const complete = isElsewhere ? undefined : completePage;
  if (page === undefined && complete === undefined) throw missingError('usable verificationUri');
  const userCode = asText(fields.userCode);
  if (userCode === undefined && complete === undefined) throw missingError('userCode');
  const lifeSeconds = readLife(fields.expiresIn, parseHttpDate(headers['date']) ?? startedAtMs);
  return {
    deviceCode,
    /** The code as it came: people compare it with the page. */
    userCode,
    verificationUri: page?.href,
    /** The page with the code filled in, of the same origin. */
    verificationUriComplete: complete?.href,
    intervalSeconds: readInterval(fields.interval),
    lifeSeconds: lifeSeconds ?? DEFAULT_LIFE_SECONDS,
    /** False if the platform did not say how long the code lives: no countdown is shown then. */
    isLifeKnown: lifeSeconds !== undefined,
    startedAtMs,
    warnings: [
      userCode === undefined &&
        'The API sent no code to compare; approve only on the page of the link.',
      isElsewhere &&
        `The link with the code leads to another site than ${getHost(page.href)}, so it is left out.`,
    ].filter((text) => text !== false),
  };
}

/**
 * Reads the address of the approval page: as RFC 8628 has it, with its scheme, or relative to the
 * base address; a first part with a dot is a host.
 */
function readPage(value: unknown, apiUrl: string): URL | undefined {
  const text = asText(value)?.trim();
  if (text === undefined || /\s/.test(text)) return undefined;
  const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text);
  if (hasScheme) return parseShownUrl(text);
  const [first = ''] = text.split(/[/?#]/);
  if (/[.:]/.test(first)) return parseShownUrl(`https://${text}`);
  return parseShownUrl(parseUrl(text, apiUrl)?.href);
}

/** Reads a number of seconds, also from text. Returns undefined if it is not finite. */
export function readSeconds(value: unknown): number | undefined {
  const seconds = readNumber(typeof value === 'string' ? value.trim() : value);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function readInterval(value: unknown): number {
  const seconds = readSeconds(value);
  if (seconds === undefined || seconds <= 0) return DEFAULT_INTERVAL_SECONDS;
  // A larger one may become Infinity in milliseconds, which JSON has no form for.
  return Math.max(MIN_INTERVAL_SECONDS, Math.ceil(Math.min(seconds, MAX_DURATION) * 1000) / 1000);
}

/** Reads a life in seconds, or the point in time of its end by the server's clock. */
function readLife(value: unknown, serverNowMs: number): number | undefined {
  const number = readSeconds(value);
  const isDuration = number !== undefined && number <= MAX_DURATION;
  const seconds = isDuration ? number : (readInstant(value, { isTime: true }) - serverNowMs) / 1000;
  return seconds > 0 ? Math.min(MAX_LIFE_SECONDS, Math.ceil(seconds)) : undefined;
}
