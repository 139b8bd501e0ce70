import { CliError } from '../errors.ts';
import { codeOfStatus, waitInWords } from '../service/retry.ts';
import { onOneLine } from '../spec/text.ts';

/** Longest piece of a server's text that a message repeats, in characters. */
const LONGEST = 200;

/** Text of the service on one line: without control, format and direction characters, cut after `longest` characters. */
export function plain(text: string, longest = LONGEST): string {
  // A first cut keeps the work small; the second one counts what is left.
  const visible = onOneLine(text.slice(0, longest * 4));
  const characters = [...visible];
  return characters.length <= longest ? visible : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Longest name of a client, in characters. */
const LONGEST_NAME = 64;

/** The name of this client, which the user compares with the approval page: that given, else the machine's. */
export function clientNameOf(given: string | undefined, hostname: string): string {
  return plain(given ?? '', LONGEST_NAME) || plain(hostname, LONGEST_NAME) || 'svc';
}

/** The attempt that a message is about. */
export interface Attempt {
  /** The base address that is signed in to. */
  readonly apiUrl: string;
  /** The name that the approval page shows. */
  readonly clientName: string;
  /** What the user types there; verbatim. */
  readonly userCode?: string | undefined;
}

const AGAIN = 'svc login';

/** The user refused the login on the approval page. */
export function refused(): CliError {
  return new CliError('failed', 'Login was refused in the browser.', { hint: AGAIN });
}

/** Nobody approved in time. `problem` is what stood in the way at last, such as the network. */
export function expired(problem?: string): CliError {
  const lines = problem === undefined ? undefined : [`Last: ${problem}`];
  return new CliError('failed', 'The code expired before it was approved.', { lines, hint: AGAIN });
}

/** The service does not know the device code any more. */
export function notAccepted(): CliError {
  return new CliError('failed', 'The server no longer accepts this login attempt.', { hint: AGAIN });
}

/** A token may have been issued in an answer that never arrived. */
export function answerLost(attempt: Attempt, last?: string): CliError {
  const lines = last === undefined ? undefined : [`Last: ${last}`];
  return new CliError(
    'failed',
    'The login may have been approved, but the answer was lost on the network. ' +
      `A token named "${attempt.clientName}" may exist: revoke it in Settings > API tokens, then run svc login again.`,
    { lines },
  );
}

/** The user ended the waiting. `mayExist`: an answer was on its way, and nobody knows what was in it. */
export function cancelled(attempt: Attempt, reason: unknown, mayExist: boolean): CliError {
  const code = attempt.userCode === undefined ? 'the login in the browser' : `code ${attempt.userCode}`;
  const lines = mayExist
    ? [
        `If it was approved already, a token named "${attempt.clientName}" may exist: revoke it in Settings > API tokens.`,
      ]
    : undefined;
  return new CliError('interrupted', `Login cancelled. Do not approve ${code} any more.`, {
    lines,
    exitCode: reason instanceof CliError ? reason.exitCode : undefined,
  });
}

/** The waiting ended and the login did not: another process can go on with it. */
export function stoppedWaiting({ details: { lines, exitCode } }: CliError): CliError {
  const hint = 'svc login --complete, to go on with it';
  return new CliError('interrupted', 'Stopped waiting. The login can still be approved.', { lines, exitCode, hint });
}

/** The answer came in the two seconds after the user had cancelled; it is stored all the same. */
export function approvedLate(email: string | undefined, reason: CliError): CliError {
  const who = email === undefined ? 'signed in' : `signed in as ${email}`;
  return new CliError('interrupted', `Approved just before you cancelled: ${who} (svc logout to undo).`, {
    exitCode: reason.exitCode,
  });
}

/** A redirect was answered; svc follows none. */
export function redirected(attempt: Attempt, status: number, location: string | undefined): CliError {
  const target =
    location !== undefined && URL.canParse(location, attempt.apiUrl) ? new URL(location, attempt.apiUrl) : undefined;
  const where = target === undefined ? 'elsewhere' : `to ${target.host || target.protocol}`;
  return new CliError(
    'unexpected',
    `${hostOf(attempt.apiUrl)} redirected the login ${where}; svc does not follow redirects.`,
    {
      status,
      hint: `check the address ${attempt.apiUrl}`,
    },
  );
}

/** Something that is not the service answered, usually with a web page. */
export function webPage(attempt: Attempt, status: number): CliError {
  return new CliError('unexpected', `${hostOf(attempt.apiUrl)} answered with a web page; check proxy and base URL.`, {
    status,
    hint: 'svc doctor',
  });
}

/** The service has no device login at this address. */
export function noDeviceLogin(attempt: Attempt, status: number): CliError {
  return new CliError(
    status === 404 ? 'not_found' : 'rejected',
    `There is no device login at ${attempt.apiUrl}; check the URL or set SVC_TOKEN.`,
    {
      status,
    },
  );
}

/** The service asks for a pause that is longer than the login lives. */
export function pauseTooLong(attempt: Attempt, status: number, retryAfterSeconds: number, nowMs: number): CliError {
  return new CliError(
    codeOfStatus(status) === 'rate_limited' ? 'rate_limited' : 'unavailable',
    `${hostOf(attempt.apiUrl)} asks to wait ${waitInWords(retryAfterSeconds, nowMs).text}, which is longer than this login lives.`,
    { status, retryAfterSeconds, hint: `${AGAIN}, after that time` },
  );
}

/** The service's answer cannot be understood. */
export function notUnderstood(attempt: Attempt, what: string, status?: number): CliError {
  return new CliError('unexpected', `Unexpected answer from ${hostOf(attempt.apiUrl)}: ${what}.`, {
    status,
    hint: `check the address ${attempt.apiUrl}`,
  });
}

/** The host of an address, with its port. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
