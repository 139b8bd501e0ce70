import { readErrorObject } from '../api/error-body.ts';
import { onOneLine } from '../contract/text.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { getRequestId } from '../http/send.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';
import type { PollResponse } from './exchange.ts';

const MAX_FIELDS = 20;

/**
 * Creates the error of a refused login, in the platform's words. Never shows the raw body: it may
 * be secret.
 */
export function createRefusalError(
  status: number,
  body: JsonObject,
  apiUrl: string,
  code: ErrorCode,
): CliError {
  const { text = '', lines } = readErrorObject(body);
  const reason = toPlainLine(text);
  const fields = lines.slice(0, MAX_FIELDS).map((line) => toPlainLine(line));
  if (status === 404 || status === 405) {
    const base = /^(.*)\/v1$/.exec(apiUrl)?.[1];
    const useBase = base && `The address ends in /v1, which svc adds itself. Use ${base}`;
    return new CliError(
      status === 404 ? 'not_found' : 'rejected',
      `There is no device login at ${apiUrl}.`,
      {
        status,
        lines: [reason, ...fields].filter(Boolean),
        hint: useBase || 'Check the address, or set SVC_TOKEN.',
      },
    );
  }
  if (reason === '' && fields.length === 0 && !hasError(body['error'])) {
    return unexpectedAnswerError(apiUrl, `HTTP ${status}`, status);
  }
  const because = reason && `: ${reason}`;
  return new CliError(code, `${getHost(apiUrl)} refused the login${because} (HTTP ${status}).`, {
    status,
    lines: fields,
  });
}

/** Creates the error of an answer of an unexpected form; `reason` follows a colon. */
export function unexpectedAnswerError(apiUrl: string, reason: string, status: number): CliError {
  return new CliError('unexpected', `Unexpected answer from ${getHost(apiUrl)}: ${reason}.`, {
    status,
    lines: [`Check the address ${apiUrl}.`],
    hint: 'svc doctor',
  });
}

/** Creates the error of a login that the platform ended. */
export function loginEndedError(message: string, lines?: readonly string[]): CliError {
  return new CliError('failed', message, { lines, hint: 'svc login' });
}

/** Creates the error of a login that was not approved in time. `problem` is the last one. */
export function loginExpiredError(problem?: string): CliError {
  return loginEndedError(
    'The code expired before it was approved.',
    problem === undefined ? undefined : [`Last: ${problem}`],
  );
}

/** Returns the details of an error for scripts. */
export function getErrorDetails(
  { status, headers }: Pick<PollResponse, 'status' | 'headers'>,
  body: JsonObject,
): ErrorDetails {
  return { status, requestId: getRequestId(headers), service: findErrorField(body) };
}

/** Returns the `error` alone: other fields of a login's answers may be secrets. */
export function findErrorField({ error }: JsonObject): JsonObject | undefined {
  return hasError(error) ? { error } : undefined;
}

/** Whether the `error` field has any content. */
export function hasError(error: unknown): boolean {
  return typeof error === 'string'
    ? toPlainLine(error) !== ''
    : isObject(error) || Array.isArray(error);
}

/** Returns the host of an address, with its port. */
export function getHost(address: string): string {
  return parseUrl(address)?.host ?? address;
}

/** Puts a text on one line, without control, format and direction characters. */
export function toPlainLine(text: string, maxLength = 200): string {
  // The first cut keeps the work small; the second counts visible characters.
  const visible = onOneLine(text.slice(0, maxLength * 4));
  const characters = [...visible];
  if (characters.length <= maxLength) return visible;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}
