import { CliError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { readErrorObject } from '../http/error-body.ts';
import { requestIdOf } from '../http/send.ts';
import type { TransportError } from '../http/transport-error.ts';
import { isObject, type JsonObject } from '../spec/read.ts';
import type { LoginAnswer } from './exchange.ts';
import { plain } from './plain.ts';
import { type Attempt, hostOf, noDeviceLogin, notUnderstood } from './texts.ts';

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
