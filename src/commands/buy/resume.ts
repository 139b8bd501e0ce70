import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { CliError, usageError } from '../../errors.ts';
import { accountName } from '../../purchase/account.ts';
import { openJournal } from '../../purchase/journal.ts';
import { belongsTo } from '../../purchase/match.ts';
import type { PurchaseRecord, Records } from '../../purchase/record.ts';
import { asObject, parseJson } from '../../spec/read.ts';
import { type Placed, placeOrder } from './place.ts';
import { resumeCommand } from './resume-command.ts';
import { accountOf, requireToken } from './sign-in.ts';

/** Sends a purchase without a known outcome again: the same bytes with the same key. */
export async function resumePurchase(
  context: Context,
  key: string | true,
  { browser }: { readonly browser: boolean },
): Promise<Result<Placed>> {
  const journal = openJournal(context.vault.folder(), context.system.machine, context.system.clock);
  const record = await choose(context, await journal.unfinished(), key);
  checkPlace(context, record);
  const body = asObject(parseJson(record.body ?? ''));
  return placeOrder(context, { body, key: record.key, isResumed: true, org: record.org, browser });
}

async function choose(context: Context, records: Records, key: string | true): Promise<PurchaseRecord> {
  const { io } = context;
  const named = key === true ? records : records.filter((record) => record.key === key);
  const own = named.filter((record) => isOwn(context, record));
  // Of another account's purchase, checkPlace says how to resume it.
  const wanted = own.length === 0 ? named : own;
  const [only, ...others] = wanted;
  if (only === undefined) {
    throw usageError(
      key === true
        ? 'The outcome of every purchase is known.'
        : `No purchase whose outcome is unknown has the key ${key}.`,
      'svc buy --pending',
    );
  }
  if (others.length === 0) return only;
  if (!io.interactive || key !== true) {
    throw new CliError('usage', `There are ${wanted.length} purchases whose outcome is unknown. Name one by its key:`, {
      lines: wanted.map((record) => `${record.key}  ${accountName(record.account)}: ${record.summary}`),
      hint: 'svc buy --pending, for the whole command of each',
    });
  }
  const choices = wanted.map((record) => ({ value: record.key, label: record.summary, hint: record.createdAt }));
  const chosen = await io.select('Which purchase?', choices);
  return wanted.find((record) => record.key === chosen) ?? only;
}

/** Whether a purchase is of the account in use; of none where nobody is signed in. */
function isOwn({ settings }: Context, record: PurchaseRecord): boolean {
  const address = settings.findApiUrl()?.value;
  const credential = settings.credential();
  if (address === undefined || credential === undefined) return false;
  return belongsTo(record, { address, account: accountOf(credential) });
}

/** A purchase is resumed where it began: another address, account or organization would make another order of it. */
function checkPlace(context: Context, record: PurchaseRecord): void {
  const { settings } = context;
  const { address, org, account } = record;
  if (settings.findApiUrl()?.value !== address) {
    throw usageError(`This purchase was sent to ${address}.`, resumeCommand(context, record));
  }
  if (!isOwn(context, record)) {
    const { source } = requireToken(settings);
    throw usageError(
      `This purchase was placed with ${accountName(account)}; the sign-in in use is ${source}.`,
      'profile' in account
        ? resumeCommand(context, record)
        : `${resumeCommand(context, record)}, with SVC_TOKEN set to the token that ends in ${account.tokenEnding}`,
    );
  }
  const current = settings.org();
  if (current?.value === org) return;
  if (org !== undefined) {
    throw usageError(`This purchase is for the organization ${org}.`, resumeCommand(context, record));
  }
  // What the environment or a file names was not asked for now.
  if (current?.origin !== 'flag') return;
  throw usageError('This purchase names no organization.', 'the same command without --org');
}
