import type { Context } from '../../cli/define/context.ts';
import { longName } from '../../cli/values/parameters.ts';
import { usageError } from '../../errors.ts';
import type { OrderRequest } from '../../orders/description.ts';
import type { OrderEntry } from '../../orders/entry.ts';
import { checkCanResume, chooseInDoubt, createResolveCommands } from '../../orders/resolve.ts';
import { createBuyerLookup } from './buyer.ts';
import { BUY_OPTIONS, type BuyOptions, isGiven } from './options.ts';

/**
 * Reads the order in doubt that `--resume` names, as a request that sends the same bytes with the
 * same key. The sign-in in use must have sent it.
 */
export async function readResumedOrder(
  options: BuyOptions,
  context: Context,
): Promise<OrderRequest> {
  checkAlone(options);
  const getCommands = createResolveCommands(context);
  const getCommand = (entry: OrderEntry) => {
    const { resume, placed } = getCommands(entry);
    return resume ?? placed;
  };

  const entry = await chooseInDoubt(options.resume ?? true, getCommand, context);
  checkCanResume(entry, getCommands(entry), context);
  const { org, body = '{}' } = entry;
  const lookUpBuyer = createBuyerLookup(org, context);
  return { body, org, resumed: entry, lookUpBuyer, browser: options.browser };
}

/** Throws a usage error for any option but `--no-browser` beside `--resume`. */
function checkAlone(options: BuyOptions): void {
  const names = Object.keys(BUY_OPTIONS) as readonly (keyof BuyOptions)[];
  const other = names.find(
    (name) => name !== 'resume' && name !== 'browser' && isGiven(options, name),
  );
  if (other === undefined) return;
  const name = longName(other, BUY_OPTIONS[other]);
  throw usageError(`--resume and ${name} cannot be used together.`, 'svc buy --resume');
}
