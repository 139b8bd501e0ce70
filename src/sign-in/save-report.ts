import { CliError } from '../errors.ts';
import { setVariable } from '../shell-line.ts';
import { dayOf } from './expiry.ts';
import { type CredentialRecord, profileNameOf } from './records.ts';
import type { SaveResult } from './save.ts';

/** svc has no operation that revokes a token. */
const REVOKE = 'revoke it in Settings > API tokens';

/** Warnings about a sign-in that was saved. */
export function saveNotices(result: Exclude<SaveResult, { kind: 'not_saved' }>): readonly string[] {
  const replaced = result.replaced.map(stillValid);
  if (result.kind === 'journaled') {
    const { path, reason } = result;
    return [
      `The sign-in is kept in ${path} and used from there; it moves on as soon as it can (${reason}).`,
      ...replaced,
    ];
  }
  if (result.setAside === undefined) return replaced;
  return [`The credentials file was damaged; it is now ${result.setAside}.`, ...replaced];
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
export function tokenLost(
  what: string,
  record: CredentialRecord,
  replaced: readonly CredentialRecord[] = [],
): CliError {
  return new CliError('failed', `${what}.`, {
    lines: [
      `${nameOf(record)} exists at ${profileNameOf(record.baseUrl)} and is lost here unless you noted it: ${REVOKE}.`,
      ...replaced.map(stillValid),
    ],
  });
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
