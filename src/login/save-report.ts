import { CliError } from '../errors.ts';
import type { CredentialRecord } from './credentials/records.ts';
import type { SaveResult } from './credentials/save.ts';
import { dayOf } from './expiry.ts';

/** Where the service lets a token be revoked; svc has no operation for it. */
const REVOKE = 'revoke it in Settings > API tokens';

/** What the user should know about a sign-in that was saved; empty where all is as usual. */
export function saveNotices(result: SaveResult): readonly string[] {
  if (result.kind === 'journaled') {
    return [
      `The sign-in is kept in ${result.path} and used from there; it moves on as soon as it can (${result.reason}).`,
    ];
  }
  if (result.kind !== 'stored') return [];
  const { setAside, replaced } = result;
  return [
    ...(setAside === undefined ? [] : [`The credentials file was damaged; it is now ${setAside}.`]),
    ...(replaced === undefined ? [] : [stillValid(replaced)]),
  ];
}

/** The error that a sign-in ends with although the token was issued; `undefined` where it was saved as it should be. */
export function saveProblem(result: SaveResult, record: CredentialRecord): CliError | undefined {
  if (result.kind === 'stored' || result.kind === 'journaled') return undefined;
  if (result.kind === 'not_saved') return lost(`The token could not be saved anywhere: ${result.reason}.`, record);
  const use = result.isUsed
    ? 'svc uses it from there.'
    : 'To use it: take the field "token" of that file as SVC_TOKEN, or give it to svc login --with-token.';
  return new CliError('unexpected', `The token was saved in ${result.path}, not where it belongs: ${result.reason}.`, {
    lines: [use],
  });
}

/** The error that a sign-in ends with whose token was to be printed, and could not be. */
export function printProblem(reason: string, record: CredentialRecord): CliError {
  return lost(`The token could not be printed: ${reason}.`, record);
}

function lost(message: string, record: CredentialRecord): CliError {
  return new CliError('unexpected', message, {
    lines: [`${nameOf(record)} exists at the service and is lost here unless you noted it: ${REVOKE}.`],
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
  return `${nameOf(record)} stays valid at the service${until}; ${REVOKE} to end it.`;
}

function nameOf(record: CredentialRecord): string {
  const name = record.clientName === undefined ? '' : ` ("${record.clientName}")`;
  return record.tokenId === undefined ? `The token${name}` : `Token ${record.tokenId}${name}`;
}
