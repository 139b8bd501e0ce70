import { CliError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { requestIdOf } from '../http/send.ts';
import { isObject, type JsonObject, parseJson } from '../json/values.ts';
import { readErrorObject } from '../service/error-body.ts';
import type { Answered } from './exchange.ts';
import { hostOf, type LoginAttempt, noDeviceLogin, notUnderstood, plain } from './texts.ts';

const MAX_FIELDS = 20;
/** How many commas of a cut text are tried as its end; an answer of the API has far fewer fields. */
const MAX_CUTS = 64;

/** The error of an answer that refuses, in the platform's words if it has any. Never shows the raw body: it may be secret. */
export function refusalOf(status: number, body: JsonObject, attempt: LoginAttempt, code: ErrorCode): CliError {
  const { text, fields } = wordsOf(body);
  if (status === 404 || status === 405) {
    return noDeviceLogin(attempt, status).with({ lines: text === '' ? fields : [text, ...fields] });
  }
  if (text === '' && fields.length === 0 && !hasError(body['error'])) {
    return notUnderstood(attempt, `HTTP ${status}`, status);
  }
  const said = text === '' ? '' : `: ${text}`;
  const message = `${hostOf(attempt.apiUrl)} refused the login${said} (HTTP ${status}).`;
  return new CliError(code, message, { status, lines: fields });
}

function wordsOf(body: JsonObject): { text: string; fields: string[] } {
  const { text = '', lines } = readErrorObject(body);
  return { text: plain(text), fields: lines.slice(0, MAX_FIELDS).map((line) => plain(line)) };
}

/** Error details for scripts. */
export function detailsOf({ status, headers }: Pick<Answered, 'status' | 'headers'>, body: JsonObject): ErrorDetails {
  return { status, requestId: requestIdOf(headers), service: errorFieldOf(body) };
}

/** What is kept of the API's Error object: other fields of a login's answers may be secrets. */
export function errorFieldOf({ error }: JsonObject): JsonObject | undefined {
  return hasError(error) ? { error } : undefined;
}

/** Whether the `error` field of an answer has any content. */
export function hasError(error: unknown): boolean {
  return typeof error === 'string' ? plain(error) !== '' : isObject(error) || Array.isArray(error);
}

/** Whether an answer is a web page: the API itself sends none. */
export function isWebPage({ headers, text }: Answered): boolean {
  return /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text);
}

/**
 * Parses the fields that arrived whole before a JSON object was cut off. Returns undefined if there are none. Leaves out
 * the last field unless it ends in a quote or a bracket: half a number looks like a whole one.
 */
export function parseCutObject(text: string): JsonObject | undefined {
  let end = /["}\]]\s*$/.test(text) ? text.length : text.lastIndexOf(',');
  for (let cuts = 0; cuts < MAX_CUTS && end > 0; cuts += 1) {
    const value = parseJson(`${text.slice(0, end)}}`);
    if (isObject(value)) return value;
    end = text.lastIndexOf(',', end - 1);
  }
  return undefined;
}
