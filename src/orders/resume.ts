import { orCancelled } from '../cli/define/ask.ts';
import type { Needs } from '../cli/define/context.ts';
import type { Result } from '../cli/define/result.ts';
import { CliError, usageError } from '../errors.ts';
import { formatDistance } from '../terminal/dates.ts';
import { accountName } from './account.ts';
import type { Placed } from './answer.ts';
import { openJournal } from './journal.ts';
import { belongsTo, type OrderEntries, type OrderEntry } from './order.ts';
import { accountOf, type Purchase, placeOrder, requireToken } from './place.ts';
import { doubtStep, waysOf } from './ways.ts';

/** Sends the same bytes with the same key. If the answer is there already, prints that. */
export async function resumePurchase(
  context: Needs<
    'api' | 'assume' | 'io' | 'globals' | 'settings' | 'store' | 'time' | 'env' | 'program'
  >,
  key: string | true,
  browser: boolean,
  lookUp: (org: string | undefined) => Purchase['buyer'],
): Promise<Result<Placed>> {
  const entry = await choose(context, await openJournal(context).resumable(), key);
  checkPlace(context, entry);
  const { key: itsKey, body: text = '', fingerprint, org } = entry;
  return placeOrder(context, {
    text,
    key: itsKey,
    resumed: fingerprint,
    org,
    browser,
    buyer: lookUp(org),
  });
}

async function choose(
  context: Needs<'io' | 'settings' | 'time'>,
  entries: OrderEntries,
  key: string | true,
): Promise<OrderEntry> {
  const { io } = context;
  const named = key === true ? entries : entries.filter((entry) => entry.key === key);
  const own = named.filter((entry) => isOwn(context, entry));
  // checkPlace tells how to go on with another account.
  const wanted = own.length === 0 ? named : own;
  const [only] = wanted;
  if (only === undefined) {
    if (key === true) throw usageError('No order is in doubt.');
    throw usageError(`No order in doubt has the key ${key}.`, 'svc orders');
  }
  if (wanted.length === 1) return only;
  if (!io.interactive || key !== true) {
    throw new CliError('usage', `${wanted.length} orders are in doubt. Choose one by its key:`, {
      lines: wanted.map((entry) => `${entry.key}  ${accountName(entry.account)}: ${entry.summary}`),
      hint: { say: 'Show the whole command of each:', run: ['svc orders'] },
    });
  }
  const now = context.time.clock.now();
  const choices = wanted.map((entry) => ({
    value: entry.key,
    label: entry.summary,
    hint: formatDistance(Date.parse(entry.createdAt), now),
  }));
  const chosen = await orCancelled('Nothing was sent.', () => io.select('Which order?', choices));
  return wanted.find((entry) => entry.key === chosen) ?? only;
}

/** Whether the sign-in in use placed it. */
export function isOwn({ settings }: Needs<'settings'>, entry: OrderEntry): boolean {
  const address = settings.findApiUrl()?.value;
  const credential = settings.credential();
  if (address === undefined || credential === undefined) return false;
  return belongsTo(entry, { address, account: accountOf(credential) });
}

/**
 * Throws a usage error for another address, account or organization, which would place another
 * order.
 */
function checkPlace(
  context: Needs<'io' | 'globals' | 'settings' | 'env' | 'program'>,
  entry: OrderEntry,
): void {
  const { settings } = context;
  const { address, org, account } = entry;
  const ways = waysOf(context, entry);
  const { resume } = ways;
  if (settings.findApiUrl()?.value !== address)
    throw usageError(`This order was sent to ${address}.`, resume);
  if (!isOwn(context, entry)) {
    const { source } = requireToken(settings);
    throw usageError(
      `This order was placed with ${accountName(account)}; the sign-in in use is ${source}.`,
      doubtStep(entry, ways, false),
    );
  }
  const current = settings.org();
  if (current?.value === org) return;
  if (org !== undefined) throw usageError(`This order is for the organization ${org}.`, resume);
  // An organization of the environment or a file was not asked for now.
  if (current?.origin === 'flag') {
    throw usageError('This order has no organization.', 'Repeat the command without --org.');
  }
}
