import { CliError, quoted } from '../errors.ts';
import { type CredentialRecord, profileNameOf } from '../vault/credentials/records.ts';
import type { SaveResult } from '../vault/credentials/save.ts';
import { dayOf } from './expiry.ts';

/** Where the service lets a token be revoked; svc has no operation for it. */
const REVOKE = 'revoke it in Settings > API tokens';

/** What the user should know about a sign-in that was saved; empty where all is as usual. */
export function saveNotices(result: SaveResult): readonly string[] {
  if (result.kind === 'not_saved') return [];
  return [...placeNotices(result), ...result.replaced.map(stillValid)];
}

function placeNotices(result: SaveResult): readonly string[] {
  if (result.kind === 'journaled') {
    return [
      `The sign-in is kept in ${result.path} and used from there; it moves on as soon as it can (${result.reason}).`,
    ];
  }
  if (!('setAside' in result) || result.setAside === undefined) return [];
  return [`The credentials file was damaged; it is now ${result.setAside}.`];
}

/**
 * The error that a sign-in ends with although the token was issued; `undefined` where it was saved as it should be. It
 * says what the notices say as well.
 */
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
    : 'To use it: take the field "token" of that file as SVC_TOKEN, or give it to svc login --with-token.';
  return new CliError('unexpected', `The token was saved in ${result.path}, not where it belongs: ${result.reason}.`, {
    lines: [use, ...saveNotices(result)],
  });
}

/** The error of a login that was interrupted once its token was safe. */
export function keptInJournal({ path, replaced }: Extract<SaveResult, { kind: 'journaled' }>): CliError {
  const message = `Interrupted. The sign-in is kept in ${path} and used from there.`;
  return new CliError('interrupted', message, { lines: replaced.map(stillValid), hint: 'svc whoami' });
}

/** The error that a sign-in ends with whose token was to be printed, and could not be. */
export function printProblem(reason: string, record: CredentialRecord): CliError {
  return lost(`The token could not be printed: ${reason}.`, record);
}

function lost(message: string, record: CredentialRecord): CliError {
  return new CliError('unexpected', message, {
    lines: [
      `${nameOf(record)} exists at ${profileNameOf(record.baseUrl)} and is lost here unless you noted it: ${REVOKE}.`,
    ],
  });
}

/**
 * The lines that show a token once, for a terminal, when it could not be saved anywhere. Never for a pipe or a log: what
 * goes there stays there.
 */
export function tokenOfLastResort(record: CredentialRecord): readonly string[] {
  return ['NOT SAVED. Keep this, it is shown once:', `export SVC_TOKEN=${record.token}`, `(${nameOf(record)})`];
}

/** That a token lives on at the service although svc does not use it any more, and how to end it. */
function stillValid(record: CredentialRecord): string {
  const until = record.expiresAt === undefined ? '' : ` until ${dayOf(record.expiresAt)}`;
  return `${nameOf(record)} stays valid at ${profileNameOf(record.baseUrl)}${until}; ${REVOKE} to end it.`;
}

function nameOf(record: CredentialRecord): string {
  const name = record.clientName === undefined ? '' : ` ("${record.clientName}")`;
  return record.tokenId === undefined ? `The token${name}` : `Token ${record.tokenId}${name}`;
}
