import type { Context } from '../../kit/context.ts';
import { document, type Result } from '../../kit/result.ts';
import { openJournalOf } from '../../orders/ledger.ts';
import { settleLine, waysOf } from '../../orders/ways.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';
import { type CsvTable, tableOf } from '../../terminal/csv.ts';
import { date, type Screen } from '../../terminal/screen.ts';

/** The document of `svc buy --pending`. */
export type Pending = DocumentOf<'buy pending'>;

/** The head of {@link pendingTable}. */
export const PENDING_COLUMNS = [
  'idempotencyKey',
  'createdAt',
  'summary',
  'apiUrl',
  'organization',
  'resume',
  'profile',
  'tokenEnding',
  'placed',
  'notPlaced',
] as const;

/** Lists the purchases of every address and account, the oldest first. Sends nothing. */
export async function listPending(context: Context): Promise<Result<Pending>> {
  const records = await openJournalOf(context).unfinished();
  const purchases = records.map((record) => ({
    idempotencyKey: record.key,
    createdAt: record.createdAt,
    summary: record.summary,
    apiUrl: record.address,
    profile: 'profile' in record.account ? record.account.profile : null,
    tokenEnding: 'profile' in record.account ? null : record.account.tokenEnding,
    organization: record.org ?? null,
    ...waysOf(context, record),
  }));
  return document('buy pending', { purchases });
}

/** Returns the unfinished orders as rows. */
export function pendingTable({ purchases }: Pending): CsvTable {
  return tableOf(purchases, PENDING_COLUMNS);
}

/** Shows the orders whose result is unknown, and how to settle each. */
export function showPending(screen: Screen, { purchases }: Pending): void {
  if (purchases.length === 0) {
    screen.line('No pending purchases.');
    return;
  }
  screen.line(
    'Any of these orders may have been placed. If the platform honours the key, it will not place an order twice.',
  );
  screen.line('An order stays in this list until it is resumed or settled.');
  if (purchases.some(({ profile }) => profile === null)) {
    screen.line('If the account is SVC_TOKEN, first set SVC_TOKEN to the token with the same last characters.');
  }
  for (const purchase of purchases) {
    const { idempotencyKey, createdAt, summary, apiUrl, profile, tokenEnding, organization, resume, notPlaced } =
      purchase;
    screen.heading(idempotencyKey);
    screen.fields([
      ['Order', summary],
      ['Sent', date(createdAt)],
      ['Address', apiUrl],
      ['Account', profile === null ? `SVC_TOKEN …${tokenEnding}` : `profile ${profile}`],
      ['Organization', organization ?? undefined],
    ]);
    // A field would wrap, and a wrapped command cannot be pasted.
    screen.verbatim(resume);
    screen.verbatim(settleLine({ notPlaced }));
  }
}
