import { CliError } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';
import { waitInWords } from '../service/retry.ts';
import { ruleOf } from '../service/statuses.ts';
import { setVariable } from '../shell-line.ts';
import { onOneLine } from '../spec/text.ts';
import { dayOf } from './expiry.ts';
import { profileNameOf } from './record.ts';
import type { SaveResult } from './save.ts';
import type { CredentialRecord } from './types.ts';

/** Shows text of the platform on one line: without control, format and direction characters, cut after `maxLength`. */
export function plain(text: string, maxLength = 200): string {
  // The first cut keeps the work small; the second counts visible characters.
  const visible = onOneLine(text.slice(0, maxLength * 4));
  const characters = [...visible];
  return characters.length <= maxLength ? visible : `${characters.slice(0, maxLength - 1).join('')}…`;
}

const MAX_NAME_LENGTH = 64;

/** The client name that the user compares with the approval page: the given name, else the machine's. */
export function clientNameOf(given: string | undefined, hostname: string): string {
  return plain(given ?? '', MAX_NAME_LENGTH) || plain(hostname, MAX_NAME_LENGTH) || 'svc';
}

/** A login attempt, as messages show it. */
export interface LoginAttempt {
  readonly apiUrl: string;
  readonly clientName: string;
  /** The code that the user enters there; unchanged. */
  readonly userCode?: string | undefined;
}

const AGAIN = 'svc login';

/** The platform ended the login. */
export function ended(message: string): CliError {
  return new CliError('failed', message, { hint: AGAIN });
}

/** The login was not approved in time. `problem` is the last one, such as a network problem. */
export function expired(problem?: string): CliError {
  return new CliError('failed', 'The code expired before it was approved.', { lines: lastLine(problem), hint: AGAIN });
}

/** A token may have been issued in an answer that was lost, or that svc could not read; `last` is the last problem. */
export function answerLost({ clientName }: LoginAttempt, last?: string): CliError {
  const message =
    'The login may have been approved, but its answer was lost or could not be read. ' +
    `A token named "${clientName}" may exist: revoke it in Settings > API tokens, then run svc login again.`;
  return new CliError('failed', message, { lines: lastLine(last) });
}

function lastLine(problem: string | undefined): readonly string[] | undefined {
  return problem === undefined ? undefined : [`Last: ${problem}`];
}

/** The user cancelled the login. `isLost`: an answer that was lost may have had a token. */
export function loginCancelled(attempt: LoginAttempt, reason: unknown, isLost: boolean): CliError {
  const code = attempt.userCode === undefined ? 'the login in the browser' : `code ${attempt.userCode}`;
  const warning = `If it was approved already, a token named "${attempt.clientName}" may exist: revoke it in Settings > API tokens.`;
  return new CliError('interrupted', `Login cancelled. Do not approve ${code}.`, {
    lines: isLost ? [warning] : undefined,
    exitCode: reason instanceof CliError ? reason.exitCode : undefined,
  });
}

/** The waiting was interrupted, but another process can complete the login. */
export function stoppedWaiting({ details: { lines, exitCode } }: CliError): CliError {
  const hint = 'svc login --complete';
  return new CliError('interrupted', 'Stopped waiting. The login can still be approved.', { lines, exitCode, hint });
}

/** The token arrived within two seconds of an interrupt, and was stored. */
export function approvedLate(email: string | undefined, reason: CliError): CliError {
  const who = email === undefined ? 'signed in' : `signed in as ${email}`;
  return new CliError('interrupted', `Approved just before you cancelled: ${who} (svc logout to undo).`, {
    exitCode: reason.exitCode,
  });
}

/** The platform has no device login at this address. */
export function noDeviceLogin(attempt: LoginAttempt, status: number): CliError {
  const message = `There is no device login at ${attempt.apiUrl}.`;
  const hint = 'Check the address, or set SVC_TOKEN.';
  return new CliError(status === 404 ? 'not_found' : 'rejected', message, { status, hint });
}

/** The platform asks for a pause that outlasts the login. */
export function pauseTooLong({ apiUrl }: LoginAttempt, status: number, retryAfterSeconds: number, nowMs: number) {
  const code = ruleOf(status).code === 'rate_limited' ? 'rate_limited' : 'unavailable';
  const wait = waitInWords(retryAfterSeconds, nowMs).text;
  const message = `${hostOf(apiUrl)} asks to wait ${wait}, which is longer than this login lives.`;
  const lines = ['Start again after that time.'];
  return new CliError(code, message, { status, retryAfterSeconds, lines, hint: AGAIN });
}

/** The API's answer has an unexpected form; `reason` follows a colon. */
export function notUnderstood(attempt: LoginAttempt, reason: string, status?: number): CliError {
  const message = `Unexpected answer from ${hostOf(attempt.apiUrl)}: ${reason}.`;
  const lines = [`Check the address ${attempt.apiUrl}.`];
  return new CliError('unexpected', message, { status, lines, hint: 'svc doctor' });
}

/** The host of an address, with its port. */
export function hostOf(address: string): string {
  return parseUrl(address)?.host ?? address;
}

/** svc has no operation that revokes a token. */
const REVOKE = 'revoke it in Settings > API tokens';

/** Warnings about a sign-in that was saved. */
export function saveNotices(result: Exclude<SaveResult, { kind: 'not_saved' }>): readonly string[] {
  const notices = result.replaced.map(stillValid);
  if (result.kind === 'journaled') {
    const { path, reason } = result;
    notices.unshift(`The sign-in is kept in ${path} and used from there; it moves on as soon as it can (${reason}).`);
  } else if (result.setAside !== undefined) {
    notices.unshift(`The credentials file was damaged; it is now ${result.setAside}.`);
  }
  return notices;
}

/** The error of a login that was interrupted after its token was safe. */
export function keptInJournal({ path, replaced }: Extract<SaveResult, { kind: 'journaled' }>): CliError {
  const message = `Interrupted. The sign-in is kept in ${path} and used from there.`;
  return new CliError('interrupted', message, { lines: replaced.map(stillValid), hint: 'svc whoami' });
}

/**
 * The error of a token that is neither on a disk nor printed.
 * @param what says what could not be done with it, and why, without a full stop
 * @param replaced sign-ins that are no longer stored either
 */
export function tokenLost(what: string, record: CredentialRecord, replaced: readonly CredentialRecord[] = []) {
  const at = profileNameOf(record.baseUrl);
  const lost = `${nameOf(record)} exists at ${at} and is lost here unless you noted it: ${REVOKE}.`;
  return new CliError('failed', `${what}.`, { lines: [lost, ...replaced.map(stillValid)] });
}

/** The lines that show an unsaved token once. Only for a terminal: a pipe or a log would keep it. */
export function tokenOfLastResort(record: CredentialRecord): readonly string[] {
  return ['NOT SAVED. Keep this, it is shown once:', setVariable('SVC_TOKEN', record.token), `(${nameOf(record)})`];
}

/** Says that a token is still valid although svc no longer uses it, and how to revoke it. */
function stillValid(record: CredentialRecord): string {
  const until = record.expiresAt === undefined ? '' : ` until ${dayOf(record.expiresAt)}`;
  return `${nameOf(record)} stays valid at ${profileNameOf(record.baseUrl)}${until}; ${REVOKE} to end it.`;
}

function nameOf(record: CredentialRecord): string {
  const name = record.clientName === undefined ? '' : ` ("${record.clientName}")`;
  return record.tokenId === undefined ? `The token${name}` : `Token ${record.tokenId}${name}`;
}
