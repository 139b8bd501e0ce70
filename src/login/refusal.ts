import { CliError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { requestIdOf } from '../http/send.ts';
import type { TransportError } from '../http/transport-error.ts';
import { isObject, type JsonObject, parseJson } from '../json/values.ts';
import { readErrorObject } from '../service/error-body.ts';
import type { LoginAnswer } from './exchange.ts';
import { type Attempt, hostOf, noDeviceLogin, notUnderstood, plain } from './texts.ts';

/** How many ends of a cut text are tried; the first few find all that an answer of this service can hold. */
const MOST_TRIES = 64;

/**
 * The fields of a JSON object that were received whole before its text was cut off; `undefined` where none was. The
 * field at the cut is left out, unless it ends in a quote or a bracket: half a number looks like a whole one.
 */
export function parseCutObject(text: string): JsonObject | undefined {
  let end = /["}\]]\s*$/.test(text) ? text.length : text.lastIndexOf(',');
  for (let tries = 0; tries < MOST_TRIES && end > 0; tries += 1) {
    const value = parseJson(`${text.slice(0, end)}}`);
    if (isObject(value)) return value;
    end = text.lastIndexOf(',', end - 1);
  }
  return undefined;
}

/** Whether an answer is a page for people: the service itself sends none. */
export function isWebPage(contentType: string | undefined, text: string): boolean {
  return /html/i.test(contentType ?? '') || /^\s*</.test(text);
}

/** How many fields of an error object are shown. */
const MOST_FIELDS = 20;

/**
 * The error of an answer that refuses: the service's own words if it has any, never the raw body, which may hold
 * what must not be shown.
 */
export function refusalOf(status: number, body: JsonObject, attempt: Attempt, code: ErrorCode): CliError {
  if (status === 404 || status === 405) return noDeviceLogin(attempt, status).with({ lines: linesOf(body) });
  const { text, fields } = wordsOf(body);
  if (text === '' && fields.length === 0 && !hasError(body['error'])) {
    return notUnderstood(attempt, `HTTP ${status}`, status);
  }
  const said = text === '' ? '' : `: ${text}`;
  return new CliError(code, `${hostOf(attempt.apiUrl)} refused the login${said} (HTTP ${status}).`, { lines: fields });
}

/** What the service says of an error, for people: its message, and its field errors. */
export function linesOf(body: JsonObject): string[] {
  const { text, fields } = wordsOf(body);
  return text === '' ? fields : [text, ...fields];
}

function wordsOf(body: JsonObject): { text: string; fields: string[] } {
  const { text = '', lines } = readErrorObject(body);
  return { text: plain(text), fields: lines.slice(0, MOST_FIELDS).map((line) => plain(line)) };
}

/**
 * What the error of an answer tells scripts: the status, the id of the request, and the `error` field as it came. The
 * other fields of a login's answers may be secrets.
 */
export function saidWith(
  { status, headers }: Extract<LoginAnswer, { kind: 'answer' }>,
  { error }: JsonObject,
): Pick<ErrorDetails, 'status' | 'requestId' | 'service'> {
  return { status, requestId: requestIdOf(headers), service: hasError(error) ? { error } : undefined };
}

/** A break of the network as the end of the login. */
export function brokenOff(fault: TransportError): CliError {
  const isTls = fault.kind === 'tls';
  return new CliError('unavailable', fault.message, {
    hint: isTls ? 'NODE_EXTRA_CA_CERTS=<file>, if a private authority signs the certificate' : undefined,
    cause: fault,
  });
}

/** Whether the `error` field of an answer says anything. */
export function hasError(error: unknown): boolean {
  return typeof error === 'string' ? plain(error) !== '' : isObject(error) || Array.isArray(error);
}
