import type { Context } from '../../command/context.ts';
import { type CredentialRecord, profileNameOf } from '../../login/credentials/records.ts';
import type { Reservation } from '../../login/credentials/reservation.ts';
import { dayOf } from '../../login/expiry.ts';
import { keptInJournal, printProblem, saveNotices, saveProblem, tokenOfLastResort } from '../../login/save-report.ts';
import { explain } from '../../store/problem.ts';
import { emitEvent, say } from './show.ts';

/** What the end of a login needs beside its record. */
export interface Ending {
  readonly warnings: readonly string[];
  /** Prints the token on stdout and stores nothing. */
  readonly printToken: boolean;
  readonly reserved: Reservation | undefined;
}

/** Saves a sign-in before anything else is done with it, then says what became of it. */
export async function finishLogin(context: Context, record: CredentialRecord, ending: Ending): Promise<void> {
  if (ending.printToken) return printToken(context, record, ending.warnings);
  const store = await context.vault.store();
  const result = await store.save(record, ending.reserved);
  const problem = saveProblem(result, record);
  if (result.kind === 'not_saved') await showOnce(context, record);
  if (problem !== undefined) throw problem;
  if (result.kind === 'journaled' && context.system.signal.aborted) throw keptInJournal(result);
  const path = 'path' in result ? result.path : undefined;
  await say(context, (screen) => {
    screen.success(signedIn(record, path));
    for (const notice of [...ending.warnings, ...saveNotices(result)]) screen.warning(notice);
  });
  await emitEvent(context, succeededEvent(record, path));
}

async function printToken(context: Context, record: CredentialRecord, warnings: readonly string[]): Promise<void> {
  try {
    await context.io.out.write(`${record.token}\n`);
  } catch (error) {
    await showOnce(context, record);
    throw printProblem(explain(error), record);
  }
  await say(context, (screen) => {
    screen.success(`${signedIn(record, undefined)} It is not stored.`);
    for (const warning of warnings) screen.warning(warning);
  });
}

/** The last resort for a token that could not be saved: a person sees it once. A pipe or a log would keep it. */
async function showOnce({ io }: Context, record: CredentialRecord): Promise<void> {
  if (!io.err.isTty) return;
  await io.err.write(`${tokenOfLastResort(record).join('\n')}\n`).catch(() => undefined);
}

/** The event that a program reads; what is not known is null. */
function succeededEvent(record: CredentialRecord, path: string | undefined): object {
  const { email, organizationId, tokenId, expiresAt, baseUrl } = record;
  return {
    event: 'login_succeeded',
    user: { email: email ?? null },
    organizationId: organizationId ?? null,
    tokenId: tokenId ?? null,
    expiresAt: expiresAt ?? null,
    apiUrl: baseUrl,
    path: path ?? null,
  };
}

function signedIn(record: CredentialRecord, path: string | undefined): string {
  const { email, organizationId, profile, baseUrl, tokenId, expiresAt, expiresAtEstimated } = record;
  const who = email === undefined ? 'Signed in' : `Signed in as ${email}`;
  const places = [
    ...(organizationId === undefined ? [] : [`organization ${organizationId}`]),
    ...(profile === profileNameOf(baseUrl) ? [] : [`profile ${profile}`]),
  ];
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`;
  const token = tokenId === undefined ? 'Token' : `Token ${tokenId}`;
  const fate = [
    ...(path === undefined ? [] : [`saved to ${path}`]),
    ...(expiresAt === undefined ? [] : [`expires${expiresAtEstimated ? ' about' : ''} ${dayOf(expiresAt)}`]),
  ];
  const about = fate.length === 0 ? '' : ` ${token} ${fate.join(', ')}.`;
  return `${who}${where}.${about}`;
}
