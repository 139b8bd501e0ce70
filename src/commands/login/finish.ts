import type { Context } from '../../command/context.ts';
import { keepProfiles } from '../../command/known-names.ts';
import { CliError } from '../../errors.ts';
import type { CredentialRecord } from '../../login/credentials/records.ts';
import type { Reservation } from '../../login/credentials/reservation.ts';
import { dayOf } from '../../login/expiry.ts';
import { saveNotices, saveProblem, tokenOfLastResort } from '../../login/save-report.ts';
import { say } from './show.ts';

/** What belongs to the end of a login beside its record. */
export interface Ending {
  readonly warnings: readonly string[];
  /** Prints the token on stdout and stores nothing. */
  readonly printToken: boolean;
  readonly reserved: Reservation | undefined;
}

/** Saves a sign-in before anything else is done with it, then says what became of it. */
export async function finishLogin(context: Context, record: CredentialRecord, ending: Ending): Promise<void> {
  if (ending.printToken) return printToken(context, record, ending);
  const store = await context.store();
  const result = await store.save(record, ending.reserved);
  keepProfiles(context);
  const problem = saveProblem(result, record);
  if (result.kind === 'not_saved' && context.io.err.isTty) {
    const lines = tokenOfLastResort(record);
    await context.io.err.write(`${lines.join('\n')}\n`);
  }
  if (problem !== undefined) throw problem;
  const path = 'path' in result ? result.path : undefined;
  await context.emit(succeeded(record, path)).catch(() => undefined);
  await say(context, (screen) => {
    screen.success(signedIn(record, path));
    for (const notice of [...ending.warnings, ...saveNotices(result)]) screen.warning(notice);
  });
}

async function printToken(context: Context, record: CredentialRecord, { warnings }: Ending): Promise<void> {
  if (context.globals.json) throw new CliError('usage', '--print-token prints a token, not JSON.');
  await context.io.out.write(`${record.token}\n`);
  await say(context, (screen) => {
    screen.success(`${signedIn(record, undefined)} It is not stored.`);
    for (const warning of warnings) screen.warning(warning);
  });
}

function succeeded({ email, organizationId, tokenId, expiresAt, baseUrl }: CredentialRecord, path: string | undefined) {
  return { event: 'login_succeeded', user: { email }, organizationId, tokenId, expiresAt, apiUrl: baseUrl, path };
}

function signedIn(record: CredentialRecord, path: string | undefined): string {
  const { email, organizationId, tokenId, expiresAt, expiresAtEstimated } = record;
  const who = email === undefined ? 'Signed in' : `Signed in as ${email}`;
  const where = organizationId === undefined ? '' : ` (organization ${organizationId})`;
  const token = tokenId === undefined ? 'Token' : `Token ${tokenId}`;
  const saved = path === undefined ? '' : ` saved to ${path},`;
  const about = expiresAtEstimated ? ' about' : '';
  const until = expiresAt === undefined ? '' : ` expires${about} ${dayOf(expiresAt)}`;
  return `${who}${where}. ${token}${saved}${until}.`;
}
