import type { Context } from '../../command/context.ts';
import { document, type Result } from '../../command/result.ts';
import { type CsvTable, tableOf } from '../../io/csv.ts';
import { date, type Screen } from '../../io/screen.ts';
import { openJournal } from '../../purchase/journal.ts';
import { resumeCommand } from './resume-command.ts';

/** A purchase without a known end, as the document of `--pending` has it. */
export interface PendingPurchase {
  readonly idempotencyKey: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly summary: string;
  readonly apiUrl: string;
  /** The profile that it was placed with; null for a token of the environment. */
  readonly profile: string | null;
  /** The last characters of the token that it was placed with; null for a profile. */
  readonly tokenEnding: string | null;
  readonly organization: string | null;
  /** The command that sends it again. */
  readonly resume: string;
}

/** The document of `svc buy --pending`. */
export interface Pending {
  readonly purchases: readonly PendingPurchase[];
}

/** The purchases without a known end, of every address and account, the oldest first. Nothing is sent. */
export async function listPending(context: Context): Promise<Result<Pending>> {
  const journal = openJournal(context.vault.folder(), context.system.machine, context.system.clock);
  const purchases = (await journal.unfinished()).map((record) => ({
    idempotencyKey: record.key,
    createdAt: record.createdAt,
    summary: record.summary,
    apiUrl: record.address,
    profile: 'profile' in record.account ? record.account.profile : null,
    tokenEnding: 'profile' in record.account ? null : record.account.tokenEnding,
    organization: record.org ?? null,
    resume: resumeCommand(context, record),
  }));
  return document({ purchases });
}

/** The purchases without a known end, for `--csv`. */
export function pendingTable({ purchases }: Pending): CsvTable {
  return tableOf(purchases, [
    'idempotencyKey',
    'createdAt',
    'summary',
    'apiUrl',
    'organization',
    'resume',
    'profile',
    'tokenEnding',
  ]);
}

/** Shows the purchases without a known end. */
export function showPending(screen: Screen, { purchases }: Pending): void {
  if (purchases.length === 0) {
    screen.line('The outcome of every purchase is known.');
    return;
  }
  const advice = 'Each of these orders may exist. Its command sends it again with its key, and a service that honours';
  screen.line(`${advice} the key does not place it twice. A purchase is listed for 30 days.`);
  if (purchases.some(({ profile }) => profile === null)) {
    screen.line('For one of SVC_TOKEN, set SVC_TOKEN to the token with the same last characters first.');
  }
  for (const purchase of purchases) {
    const { idempotencyKey, createdAt, summary, apiUrl, profile, tokenEnding, organization, resume } = purchase;
    screen.heading(idempotencyKey);
    screen.fields([
      ['Order', summary],
      ['Sent', date(createdAt)],
      ['Address', apiUrl],
      ['Account', profile === null ? `SVC_TOKEN …${tokenEnding}` : `profile ${profile}`],
      ['Organization', organization ?? undefined],
    ]);
    // Not a field: a command that is broken into lines cannot be pasted.
    screen.verbatim(resume);
  }
}
