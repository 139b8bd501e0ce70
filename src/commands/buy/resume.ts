import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { CliError, usageError } from '../../errors.ts';
import { openJournal } from '../../purchase/journal.ts';
import type { PurchaseRecord } from '../../purchase/record.ts';
import { unseal } from '../../purchase/seal.ts';
import { asObject } from '../../spec/read.ts';
import { type Placed, placeOrder } from './place.ts';
import { resumeCommand } from './resume-command.ts';
import { requireToken } from './sign-in.ts';

/** Sends a purchase without a known end again: the same bytes with the same key. */
export async function resumePurchase(
  context: Context,
  key: string | true,
  options: { readonly browser: boolean },
): Promise<Result<Placed>> {
  const journal = openJournal(context.configFolder(), context.machine, context.clock);
  const record = await choose(context, journal.unfinished(), key);
  checkPlace(context, record);
  const { token } = requireToken(context.settings);
  const text = record.sealed === undefined ? undefined : unseal(record.sealed, token, record.key);
  if (text === undefined) {
    throw new CliError('usage', 'The order was sealed with another token than the one in use, so svc cannot read it.', {
      lines: [record.summary],
      hint: `the command that placed it, with --idempotency-key ${record.key}, which resumes it as well`,
    });
  }
  return placeOrder(context, { body: asObject(JSON.parse(text)), key: record.key, browser: options.browser });
}

async function choose(
  { io }: Context,
  records: readonly PurchaseRecord[],
  key: string | true,
): Promise<PurchaseRecord> {
  const wanted = key === true ? records : records.filter((record) => record.key === key);
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
      lines: wanted.map((record) => `${record.key}  ${record.summary}`),
      hint: 'svc buy --resume <key>',
    });
  }
  const choices = wanted.map((record) => ({ value: record.key, label: record.summary, hint: record.createdAt }));
  const chosen = await io.select('Which purchase?', choices);
  return wanted.find((record) => record.key === chosen) ?? only;
}

/** A purchase goes on where it began: another address or organization would make another order of it. */
function checkPlace(context: Context, record: PurchaseRecord): void {
  const { settings } = context;
  const { address, org } = record;
  if (settings.apiUrl().value !== address) {
    throw usageError(`This purchase was sent to ${address}.`, resumeCommand(context, record));
  }
  const current = settings.org();
  if (current?.value === org) return;
  if (org !== undefined) {
    throw usageError(`This purchase is for the organization ${org}.`, resumeCommand(context, record));
  }
  throw usageError(
    `This purchase names no organization, and ${current?.where} names ${current?.value}.`,
    `the same command without ${current?.where}`,
  );
}
