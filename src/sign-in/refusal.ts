import { readErrorObject } from '../api/error-body.ts';
import { onOneLine } from '../contract/text.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { getRequestId } from '../http/send.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';
import type { PollResponse } from './exchange.ts';

const MAX_FIELDS = 20;

/** In the platform's words. Never shows the raw body: it may be secret. */
export function createRefusalError(
  status: number,
  body: JsonObject,
  apiUrl: string,
  code: ErrorCode,
): CliError {
  const { text = '', lines } = readErrorObject(body);
  const said = toPlainLine(text);
  const fields = lines.slice(0, MAX_FIELDS).map((line) => toPlainLine(line));
  if (status === 404 || status === 405) {
    const lines = [said, ...fields].filter(Boolean);
    const meant = /^(.*)\/v1$/.exec(apiUrl)?.[1];
    const hint =
      meant === undefined
        ? 'Check the address, or set SVC_TOKEN.'
        : `The address ends in /v1, which svc adds itself. Use ${meant}`;
    const details = { status, lines, hint };
    return new CliError(
      status === 404 ? 'not_found' : 'rejected',
      `There is no device login at ${apiUrl}.`,
      details,
    );
  }
  if (said === '' && fields.length === 0 && !hasError(body['error'])) {
    return unexpectedAnswerError(apiUrl, `HTTP ${status}`, status);
  }
  const message = `${getHost(apiUrl)} refused the login${said === '' ? '' : `: ${said}`} (HTTP ${status}).`;
  return new CliError(code, message, { status, lines: fields });
}

/** The API's answer has an unexpected form; `reason` follows a colon. */
export function unexpectedAnswerError(apiUrl: string, reason: string, status: number): CliError {
  const message = `Unexpected answer from ${getHost(apiUrl)}: ${reason}.`;
  return new CliError('unexpected', message, {
    status,
    lines: [`Check the address ${apiUrl}.`],
    hint: 'svc doctor',
  });
}

/** The error of a login that the platform ended. */
export function loginEndedError(message: string, lines?: readonly string[]): CliError {
  return new CliError('failed', message, { lines, hint: 'svc login' });
}

/** The login was not approved in time. `problem` is the last one. */
export function loginExpiredError(problem?: string): CliError {
  return loginEndedError(
    'The code expired before it was approved.',
    problem === undefined ? undefined : [`Last: ${problem}`],
  );
}

/** Error details for scripts. */
export function getErrorDetails(
  { status, headers }: Pick<PollResponse, 'status' | 'headers'>,
  body: JsonObject,
): ErrorDetails {
  return { status, requestId: getRequestId(headers), service: findErrorField(body) };
}

/** Other fields of a login's answers may be secrets. */
export function findErrorField({ error }: JsonObject): JsonObject | undefined {
  return hasError(error) ? { error } : undefined;
}

/** Whether the `error` field has any content. */
export function hasError(error: unknown): boolean {
  return typeof error === 'string'
    ? toPlainLine(error) !== ''
    : isObject(error) || Array.isArray(error);
}

/** With its port. */
export function getHost(address: string): string {
  return parseUrl(address)?.host ?? address;
}

/** On one line, without control, format and direction characters. */
export function toPlainLine(text: string, maxLength = 200): string {
  // The first cut keeps the work small; the second counts visible characters.
  const visible = onOneLine(text.slice(0, maxLength * 4));
  const characters = [...visible];
  return characters.length <= maxLength
    ? visible
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}
