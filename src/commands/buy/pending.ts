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
  readonly organization: string | null;
  /** The command that goes on with it. */
  readonly resume: string;
}

/** The document of `svc buy --pending`. */
export interface Pending {
  readonly purchases: readonly PendingPurchase[];
}

/** The purchases without a known end, of every address, the oldest first. Nothing is sent. */
export function listPending(context: Context): Result<Pending> {
  const journal = openJournal(context.configFolder(), context.machine, context.clock);
  const purchases = journal.unfinished().map((record) => ({
    idempotencyKey: record.key,
    createdAt: record.createdAt,
    summary: record.summary,
    apiUrl: record.address,
    organization: record.org ?? null,
    resume: resumeCommand(context, record),
  }));
  return document({ purchases });
}

/** The purchases without a known end, for `--csv`. */
export function pendingTable({ purchases }: Pending): CsvTable {
  return tableOf(purchases, ['idempotencyKey', 'createdAt', 'summary', 'apiUrl', 'organization', 'resume']);
}

/** Shows the purchases without a known end. */
export function showPending(screen: Screen, { purchases }: Pending): void {
  if (purchases.length === 0) {
    screen.line('The outcome of every purchase is known.');
    return;
  }
  screen.line('Each of these orders may exist. To go on with one orders nothing twice.');
  screen.line('One that you leave alone is listed for 30 days.');
  for (const { idempotencyKey, createdAt, summary, apiUrl, organization, resume } of purchases) {
    screen.heading(idempotencyKey);
    screen.fields([
      ['Order', summary],
      ['Sent', date(createdAt)],
      ['Address', apiUrl],
      ['Organization', organization ?? undefined],
    ]);
    // Not a field: a command that is broken into lines cannot be pasted.
    screen.verbatim(resume);
  }
}
