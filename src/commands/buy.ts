import { orCancelled } from '../command/ask.ts';
import type { Context } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { longName } from '../command/read-values.ts';
import { type Result, shownBy } from '../command/result.ts';
import { usageError } from '../errors.ts';
import { asText, isObject, otherFields } from '../json/values.ts';
import { safeWebUrl } from '../login/browser.ts';
import { orderCall } from '../service/operations.ts';
import type { Order, OrderItem } from '../spec/types.ts';
import { findMoney } from '../terminal/numbers.ts';
import { date, link, type Screen } from '../terminal/screen.ts';
import { newKey } from '../vault/purchases/record.ts';
import { askItems, askPayer } from './buy/ask.ts';
import { buildBody } from './buy/body.ts';
import { type Buyer, lookUpBuyer } from './buy/confirm.ts';
import { readItems } from './buy/items.ts';
import { type BuyOptions, isGiven, OPTIONS } from './buy/options.ts';
import { type Placed, placeOrder, requireToken } from './buy/place.ts';
import { listPending, type Pending, pendingTable, resumePurchase, showPending } from './buy/resume.ts';
import { type OrderVerdict, orderIdOf } from './buy/send.ts';
import { previewed } from './shared/dry-run.ts';

/** The answer does not tell whether the order was paid. */
function showOrder(screen: Screen, { order, verdict, outline, earlier }: Placed): void {
  headline(screen, order, verdict);
  screen.fields([
    ['Payment', asText(order.paymentMethod)?.replaceAll('_', ' ')],
    ['Provider', asText(order.provider)],
    ['First sent', earlier && date(earlier.createdAt)],
  ]);
  const isOver = verdict === 'refused' || verdict === 'failed';
  const shown = [...SHOWN, ...(verdict === 'unclear' ? [] : ['status']), ...(isOver ? ['message'] : [])];
  const named = shown.filter((name) => isPlain(order[name]));
  screen.rest(otherFields(order, isOver ? [...named, ...pricesOf(order)] : named));
  if (isOver) return;
  const paymentUrl = asText(order.payment_url);
  const mayPrompt = verdict === 'pending' || (verdict !== 'placed' && outline.phone !== undefined);
  if (paymentUrl !== undefined) {
    const page = safeWebUrl(paymentUrl);
    screen.line();
    if (page !== undefined) screen.line(['Payment page: ', link(page.href)]);
    else screen.warning(`The payment page is no plain https address, so svc does not open it: ${paymentUrl}`);
  } else if (mayPrompt && order.paymentMethod === 'mobile_money') {
    screen.line();
    screen.line(`Approve the payment prompt on ${outline.phone ?? 'your phone'}. Nothing is charged until you do.`);
  }
  screen.next(outline.autopay ? ['svc billing autopay'] : []);
}

/** A failed order needs no headline: its error follows. */
function headline(screen: Screen, order: Order, verdict: OrderVerdict): void {
  const id = orderIdOf(order);
  const money = findMoney(order);
  const status = asText(order['status'])?.toLowerCase().replaceAll('_', ' ') ?? '';
  if (verdict === 'placed') screen.success(`Order ${id} is placed (${money ? `${status}, ${money}` : status}).`);
  if (verdict === 'created') screen.success(`Order ${id} created${money ? `: ${money}` : '.'}`);
  if (verdict === 'pending') {
    const isUnpaid = /\bpay/.test(status);
    screen.warning(`Order ${id} is ${isUnpaid ? 'waiting for your payment' : status}${money ? `: ${money}` : '.'}`);
  }
  if (verdict === 'unclear') {
    screen.warning(`The service names order ${id}, and does not say clearly that it is placed.`);
  }
}

/** Shown above the other fields, if they are text. */
const SHOWN = ['orderId', 'paymentMethod', 'provider', 'payment_url'];

/** Returns the fields with nothing but the price, which the error of an order names. */
function pricesOf(order: Order): string[] {
  const price = findMoney(order);
  return Object.entries(order).flatMap(([name, value]) =>
    isObject(value) && Object.keys(value).length === 2 && price !== undefined && findMoney(value) === price
      ? [name]
      : [],
  );
}

function isPlain(value: unknown): boolean {
  return value === null || value === '' || asText(value) !== undefined;
}

export default defineCommand({
  path: 'buy',
  summary: 'Order plans, domains and renewals, and start the payment',
  effect: 'spends',
  args: {},
  options: OPTIONS,
  tool: [
    'plan',
    'domain',
    'label',
    'quantity',
    'renew',
    'item',
    'payment',
    'network',
    'phone',
    'currency',
    'promo',
    'autopay',
    'lang',
    'idempotencyKey',
    'dryRun',
    'pending',
    'resume',
    'newOrder',
  ],
  examples: [
    ['svc buy --plan plan_wp_pro --network mtn --phone +237670000042', 'a plan, paid by mobile money'],
    ['svc buy --item plan=plan_wp_pro --item domain=example.com --dry-run', 'two items; see the request first'],
    ['svc buy --plan plan_wp_free --yes --json', 'from a script'],
    ['svc buy --pending', 'purchases whose result is unknown'],
  ],
  exitCodes: [
    [2, 'also: the result of the same order is unknown; choose --resume or --new-order'],
    [8, 'the order may have been placed: finish it with the printed command'],
    [9, 'the service answered that the order failed or was declined'],
  ],

  async run(context, options): Promise<Result<Pending>> {
    if (options.pending) {
      checkAlone(options, 'pending');
      return listPending(context);
    }
    if (options.csv) throw usageError('--csv goes with --pending.', 'svc buy --pending --csv');
    if (options.resume !== undefined) {
      checkAlone(options, 'resume');
      return shownBy(await resumePurchase(context, options.resume, options), showOrder);
    }
    return options.dryRun ? preview(context, options) : shownBy(await order(context, options), showOrder);
  },

  human: showPending,

  csv: { what: 'the purchases of --pending', table: pendingTable },
});

async function order(context: Context, options: BuyOptions): Promise<Result<Placed>> {
  const { idempotencyKey: key, newOrder: isNew, browser } = options;
  const { body, buyer } = await completeBody(context, options, () => {
    requireToken(context.settings);
    return lookUpBuyer(context);
  });
  const org = context.settings.org()?.value;
  return placeOrder(context, { body, org, key, keyIsKept: key !== undefined, isNew, buyer, browser });
}

async function preview(context: Context, options: BuyOptions): Promise<Result<never>> {
  const { body } = await completeBody(context, options, () => undefined);
  return previewed(await context.api.client(), orderCall(body, options.idempotencyKey ?? newKey()));
}

/** Builds the body, and asks for missing parts. Calls `begin` before the first question. */
async function completeBody(context: Context, options: BuyOptions, begin: () => Buyer | undefined) {
  const build = (items: readonly OrderItem[], from: BuyOptions) =>
    buildBody(items, from, context.api.assume, context.system.env);
  const given = await readItems(context, options);
  build(given, options);
  const buyer = begin();
  return orCancelled('Nothing was ordered.', async () => {
    const items = await askItems(context, given, options);
    return { body: build(items, await askPayer(context, build(items, options), options)), buyer };
  });
}

/** Throws a usage error if another option than `--no-browser` was given. */
function checkAlone(options: BuyOptions, name: 'pending' | 'resume'): void {
  const names = Object.keys(OPTIONS) as readonly (keyof BuyOptions)[];
  const other = names.find((one) => one !== name && one !== 'browser' && isGiven(options, one));
  if (other === undefined) return;
  throw usageError(`--${name} and ${longName(other, OPTIONS[other])} do not go together.`, `svc buy --${name}`);
}
