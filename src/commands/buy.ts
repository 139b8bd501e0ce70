import { orderCall } from '../api/billing.ts';
import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import type { Result } from '../command/result.ts';
import { usageError } from '../errors.ts';
import type { CsvTable } from '../io/csv.ts';
import type { Screen } from '../io/screen.ts';
import { newKey } from '../purchase/key.ts';
import { askItems, askPayer } from './buy/ask.ts';
import { buildBody } from './buy/body.ts';
import {
  addItemOptions,
  addPaymentOptions,
  addRequestOptions,
  type Currency,
  type Language,
  type Payment,
} from './buy/flags.ts';
import { readItems } from './buy/items.ts';
import { listPending, type Pending, pendingTable, showPending } from './buy/pending.ts';
import { type Placed, placeOrder } from './buy/place.ts';
import { resumePurchase } from './buy/resume.ts';
import { showOrder } from './buy/show-order.ts';
import { requireToken } from './buy/sign-in.ts';
import { type Preview, previewed, showPreview } from './shared/dry-run.ts';

export interface BuyOptions {
  readonly plan?: string;
  readonly domain?: string;
  readonly label?: string;
  readonly quantity?: string;
  readonly renew?: boolean;
  readonly item?: readonly string[];
  /** A file with a JSON array of items; `-` is standard input. */
  readonly items?: string;
  readonly payment?: Payment;
  readonly network?: string;
  readonly phone?: string;
  readonly currency?: Currency;
  readonly promo?: string;
  readonly autopay?: boolean;
  readonly lang?: Language;
  /** False keeps the payment page from being opened. */
  readonly browser: boolean;
  readonly field?: readonly string[];
  readonly idempotencyKey?: string;
  readonly dryRun?: boolean;
  readonly pending?: boolean;
  /** The key of the purchase to go on with; true for the only one. */
  readonly resume?: string | true;
  readonly newOrder?: boolean;
  readonly csv?: boolean;
}

type Value = { readonly placed: Placed } | { readonly preview: Preview } | { readonly pending: Pending };

export function define(parent: Declaration, attach: Attach): void {
  const command = parent.command('buy').description('Order plans, domains and renewals, and start the payment');
  addItemOptions(command);
  addPaymentOptions(command);
  addRequestOptions(command);
  attach(command, {
    run,
    human,
    changes: true,
    csv: ['the purchases of --pending', tableOfPending],
    examples: [
      ['svc buy --plan plan_wp_pro --network mtn --phone +237670000042', 'a plan, paid by mobile money'],
      ['svc buy --item plan=plan_wp_pro --item domain=example.com --dry-run', 'two items; see the request first'],
      ['svc buy --plan plan_wp_free --yes --json', 'from a script'],
      ['svc buy --pending', 'purchases whose answer was lost'],
    ],
    exitCodes: [
      [2, 'also: the same order has an unknown outcome; --resume or --new-order decides'],
      [8, 'the order may exist: resume it with the printed command'],
      [9, 'the service answered that the order failed or was declined'],
    ],
  });
}

export async function run(context: Context, options: BuyOptions): Promise<Result<Value>> {
  if (options.pending === true) {
    checkAlone(options, 'pending', ['csv']);
    return withValue(await listPending(context), (pending) => ({ pending }));
  }
  if (options.csv === true) throw usageError('--csv goes with --pending.', 'svc buy --pending --csv');
  if (options.resume !== undefined) {
    checkAlone(options, 'resume', ['browser']);
    return withValue(await resumePurchase(context, options.resume, options), (placed) => ({ placed }));
  }
  return options.dryRun === true
    ? withValue(await preview(context, options), (shown) => ({ preview: shown }))
    : withValue(await order(context, options), (placed) => ({ placed }));
}

function tableOfPending(value: Value): CsvTable {
  return pendingTable('pending' in value ? value.pending : { purchases: [] });
}

export function human(screen: Screen, value: Value): void {
  if ('placed' in value) showOrder(screen, value.placed);
  else if ('preview' in value) showPreview(screen, value.preview);
  else showPending(screen, value.pending);
}

async function order(context: Context, options: BuyOptions): Promise<Result<Placed>> {
  const { idempotencyKey: key, newOrder: isNew, browser } = options;
  const body = await completeBody(context, options, () => requireToken(context.settings));
  const org = context.settings.org()?.value;
  return placeOrder(context, { body, org, key, keyIsKept: key !== undefined, isNew, browser });
}

async function preview(context: Context, options: BuyOptions): Promise<Result<Preview>> {
  const body = await completeBody(context, options, () => {});
  return previewed(await context.api.client(), orderCall(body, options.idempotencyKey ?? newKey()));
}

/** The body, with what a person was asked for; `check` comes before the first question. */
async function completeBody(context: Context, options: BuyOptions, check: () => void) {
  const surroundings = { assume: context.api.assume, env: context.system.env };
  const given = await readItems(context, options);
  buildBody(given, options, surroundings);
  check();
  const items = await askItems(context, given, options);
  const complete = await askPayer(context, buildBody(items, options, surroundings), options);
  return buildBody(items, complete, surroundings);
}

function checkAlone(options: BuyOptions, name: 'pending' | 'resume', beside: readonly (keyof BuyOptions)[]): void {
  const allowed: readonly string[] = [name, 'browser', ...beside];
  const [other] = Object.keys(options).filter((key) => !allowed.includes(key));
  if (other === undefined) return;
  const flag = `--${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw usageError(`--${name} and ${flag} do not go together.`, `svc buy --${name}`);
}

function withValue<T>(result: Result<T>, toValue: (value: T) => Value): Result<Value> {
  return { ...result, value: toValue(result.value) };
}
