import { CliError, type ErrorCode } from '../errors.ts';
import type { Fault } from '../http/send.ts';
import { isObject } from '../spec/read.ts';
import { plain } from './plain.ts';
import { type Attempt, hostOf, noDeviceLogin, notUnderstood } from './texts.ts';

/** How many fields of an error object are shown. */
const MOST_FIELDS = 20;

/**
 * The error of an answer that refuses: the service's own words where it has any, never the raw body, which may hold
 * what must not be shown.
 * @param error the `error` field of the answer
 */
export function refusalOf(status: number, error: unknown, attempt: Attempt, code: ErrorCode): CliError {
  const lines = linesOf(error);
  const service = lines === undefined ? undefined : { error };
  if (status === 404 || status === 405) return noDeviceLogin(attempt, status).with({ lines, service });
  if (lines === undefined) return notUnderstood(attempt, `HTTP ${status}`, status);
  const who = `${hostOf(attempt.apiUrl)} refused the login`;
  if (typeof error === 'string') {
    return new CliError(code, `${who}: ${plain(error)} (HTTP ${status}).`, { status, service });
  }
  return new CliError(code, `${who} (HTTP ${status}).`, { status, lines, service });
}

/** A break of the network as the end of the login. */
export function brokenOff(fault: Fault): CliError {
  const isTls = fault.kind === 'tls';
  return new CliError('unavailable', fault.message, {
    hint: isTls ? 'NODE_EXTRA_CA_CERTS=<file>, if a private authority signs the certificate' : undefined,
    cause: fault,
  });
}

/** Whether the `error` field of an answer says anything. */
export function hasError(error: unknown): boolean {
  return linesOf(error) !== undefined;
}

/** One line for each field of an error object, the text alone of an error string, `undefined` where there is neither. */
function linesOf(error: unknown): string[] | undefined {
  if (typeof error === 'string' && plain(error) !== '') return [plain(error)];
  if (!isObject(error)) return undefined;
  const fields = Object.entries(error).slice(0, MOST_FIELDS);
  return fields.map(([field, value]) => `${plain(field)}: ${plain(textOf(value))}`);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  return JSON.stringify(value) ?? '';
}
