import { CliError, usageError } from '../errors.ts';
import { asObject, parseJson } from '../json/values.ts';
import { orCancelled } from '../kit/ask.ts';
import type { Context } from '../kit/context.ts';
import type { Result } from '../kit/result.ts';
import { formatDistance } from '../terminal/dates.ts';
import { accountName } from './account.ts';
import { openJournalOf } from './ledger.ts';
import { belongsTo, type OrderEntries, type OrderEntry } from './order.ts';
import { accountOf, type Placed, type Purchase, placeOrder, requireToken } from './place.ts';
import { resumeStep, waysOf } from './ways.ts';

/** Sends a purchase again: the same bytes with the same key. */
export async function resumePurchase(
  context: Context,
  key: string | true,
  { browser, lookUp }: { readonly browser: boolean; readonly lookUp: (org: string | undefined) => Purchase['buyer'] },
): Promise<Result<Placed>> {
  const record = await choose(context, await openJournalOf(context).unfinished(), key);
  checkPlace(context, record);
  const body = asObject(parseJson(record.body ?? ''));
  const { key: itsKey, fingerprint, org } = record;
  return placeOrder(context, { body, key: itsKey, resumed: fingerprint, org, browser, buyer: lookUp(org) });
}

async function choose(context: Context, records: OrderEntries, key: string | true): Promise<OrderEntry> {
  const { io } = context;
  const named = key === true ? records : records.filter((record) => record.key === key);
  const own = named.filter((record) => isOwn(context, record));
  // checkPlace tells how to resume a purchase of another account.
  const wanted = own.length === 0 ? named : own;
  const [only] = wanted;
  if (only === undefined) {
    if (key === true) throw usageError('No order is in doubt.');
    throw usageError(`No order in doubt has the key ${key}.`, 'svc orders');
  }
  if (wanted.length === 1) return only;
  if (!io.interactive || key !== true) {
    throw new CliError('usage', `${wanted.length} orders are in doubt. Choose one by its key:`, {
      lines: wanted.map((record) => `${record.key}  ${accountName(record.account)}: ${record.summary}`),
      hint: { say: 'Show the whole command of each:', run: ['svc orders'] },
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
