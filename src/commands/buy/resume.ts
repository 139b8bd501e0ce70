import { CliError, usageError } from '../../errors.ts';
import { asObject, parseJson } from '../../json/values.ts';
import { orCancelled } from '../../kit/ask.ts';
import type { Context } from '../../kit/context.ts';
import { document, type Result } from '../../kit/result.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';
import { type CsvTable, tableOf } from '../../terminal/csv.ts';
import { formatDistance } from '../../terminal/dates.ts';
import { date, type Screen } from '../../terminal/screen.ts';
import { accountName } from '../../vault/purchases/account.ts';
import { belongsTo } from '../../vault/purchases/match.ts';
import type { OrderEntries, OrderEntry } from '../../vault/purchases/record.ts';
import { openJournalOf } from './ledger.ts';
import { accountOf, placeOrder, requireToken } from './place.ts';
import type { Placed } from './show-order.ts';
import { resumeStep, settleLine, waysOf } from './ways.ts';

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

/** Sends a purchase again: the same bytes with the same key. */
export async function resumePurchase(
  context: Context,
  key: string | true,
  { browser }: { readonly browser: boolean },
): Promise<Result<Placed>> {
  const record = await choose(context, await openJournalOf(context).unfinished(), key);
  checkPlace(context, record);
  const body = asObject(parseJson(record.body ?? ''));
  return placeOrder(context, { body, key: record.key, resumed: record.fingerprint, org: record.org, browser });
}

async function choose(context: Context, records: OrderEntries, key: string | true): Promise<OrderEntry> {
  const { io } = context;
  const named = key === true ? records : records.filter((record) => record.key === key);
  const own = named.filter((record) => isOwn(context, record));
  // checkPlace tells how to resume a purchase of another account.
  const wanted = own.length === 0 ? named : own;
  const [only] = wanted;
  if (only === undefined) {
    if (key === true) throw usageError('No pending purchases.');
    throw usageError(`No pending purchase has the key ${key}.`, 'svc buy --pending');
  }
  if (wanted.length === 1) return only;
  if (!io.interactive || key !== true) {
    throw new CliError('usage', `There are ${wanted.length} pending purchases. Choose one by its key:`, {
      lines: wanted.map((record) => `${record.key}  ${accountName(record.account)}: ${record.summary}`),
      hint: { say: 'Show the whole command of each:', run: ['svc buy --pending'] },
    });
  }
  const now = context.system.clock.now();
  const choices = wanted.map((record) => ({
    value: record.key,
    label: record.summary,
    hint: formatDistance(Date.parse(record.createdAt), now),
  }));
  const chosen = await orCancelled('Nothing was sent.', () => io.select('Which purchase?', choices));
  return wanted.find((record) => record.key === chosen) ?? only;
}

/** Compares the account of a purchase with the sign-in in use. */
export function isOwn({ settings }: Context, record: OrderEntry): boolean {
  const address = settings.findApiUrl()?.value;
  const credential = settings.credential();
  if (address === undefined || credential === undefined) return false;
  return belongsTo(record, { address, account: accountOf(credential) });
}

/** Throws a usage error for another address, account or organization, which would place another order. */
function checkPlace(context: Context, record: OrderEntry): void {
  const { settings } = context;
  const { address, org, account } = record;
  const ways = waysOf(context, record);
  const { resume } = ways;
  if (settings.findApiUrl()?.value !== address) throw usageError(`This purchase was sent to ${address}.`, resume);
  if (!isOwn(context, record)) {
    const { source } = requireToken(settings);
    throw usageError(
      `This purchase was placed with ${accountName(account)}; the sign-in in use is ${source}.`,
      resumeStep(record, ways, false),
    );
  }
  const current = settings.org();
  if (current?.value === org) return;
  if (org !== undefined) throw usageError(`This purchase is for the organization ${org}.`, resume);
  // An organization of the environment or a file was not asked for now.
  if (current?.origin === 'flag') {
    throw usageError('This purchase has no organization.', 'Repeat the command without --org.');
  }
}
