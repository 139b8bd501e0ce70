import { CliError, quoted } from '../errors.ts';
import { setVariable } from '../shell-line.ts';
import { dayOf } from './expiry.ts';
import { type CredentialRecord, profileNameOf } from './records.ts';
import type { SaveResult } from './save.ts';

/** svc has no operation that revokes a token. */
const REVOKE = 'revoke it in Settings > API tokens';

/** Warnings about a sign-in that was saved. */
export function saveNotices(result: SaveResult): readonly string[] {
  if (result.kind === 'not_saved') return [];
  const notices = result.replaced.map(stillValid);
  if (result.kind === 'journaled') {
    const { path, reason } = result;
    notices.unshift(`The sign-in is kept in ${path} and used from there; it moves on as soon as it can (${reason}).`);
  }
  if ('setAside' in result && result.setAside !== undefined) {
    notices.unshift(`The credentials file was damaged; it is now ${result.setAside}.`);
  }
  return notices;
}

/** The error of a sign-in whose token was not stored as usual, including the notices; undefined if it was stored. */
export function saveProblem(result: SaveResult, record: CredentialRecord): CliError | undefined {
  if (result.kind === 'stored' || result.kind === 'journaled') return undefined;
  if (result.kind === 'not_saved') return lost(`The token could not be saved anywhere: ${result.reason}.`, record);
  if (result.kind === 'displaced') {
    const message = `Another svc signed in to profile ${quoted(record.profile)}, or out of it, at the same time. This sign-in is not stored.`;
    const lines = [stillValid(record), ...saveNotices(result)];
    return new CliError('failed', message, { lines, hint: 'svc profiles' });
  }
  const use = result.isUsed
    ? 'svc uses it from there.'
    : 'To use it: set SVC_TOKEN to the field "token" of that file, or pipe it into svc login --with-token.';
  return new CliError('unexpected', `The token was saved in ${result.path}, not where it belongs: ${result.reason}.`, {
    lines: [use, ...saveNotices(result)],
  });
}

/** The error of a login that was interrupted after its token was safe. */
export function keptInJournal({ path, replaced }: Extract<SaveResult, { kind: 'journaled' }>): CliError {
  const message = `Interrupted. The sign-in is kept in ${path} and used from there.`;
  return new CliError('interrupted', message, { lines: replaced.map(stillValid), hint: 'svc whoami' });
}

/** The error of a login with `--print-token` that could not print the token; `path` is the file that has it instead. */
export function printProblem(reason: string, record: CredentialRecord, path: string | undefined): CliError {
  const message = `The token could not be printed: ${reason}.`;
  if (path === undefined) return lost(message, record);
  return new CliError('unexpected', `${message} It is kept in ${path}.`, {
    lines: [stillValid(record)],
    hint: { say: 'Use it from there, or remove the file:', run: [setVariable('SVC_TOKEN_FILE', path)] },
  });
}

function lost(message: string, record: CredentialRecord): CliError {
  return new CliError('unexpected', message, {
    lines: [
      `${nameOf(record)} exists at ${profileNameOf(record.baseUrl)} and is lost here unless you noted it: ${REVOKE}.`,
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
