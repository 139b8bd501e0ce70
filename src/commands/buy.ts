import { randomUUID } from 'node:crypto';
import { orderCall } from '../api/operations.ts';
import { orCancelled } from '../cli/define/ask.ts';
import type { Needs } from '../cli/define/context.ts';
import { defineCommand } from '../cli/define/define.ts';
import { type Result, shownBy } from '../cli/define/result.ts';
import { longName } from '../cli/values/read-values.ts';
import type { OrderItem } from '../contract/types.ts';
import { CliError, usageError } from '../errors.ts';
import { toJsonText } from '../json/raw-json.ts';
import type { Placed } from '../orders/answer.ts';
import { networksIn } from '../orders/outline.ts';
import { placeOrder, requireToken } from '../orders/place.ts';
import { resumePurchase } from '../orders/resume.ts';
import type { Screen } from '../terminal/screen.ts';
import { askForOrder } from './buy/ask.ts';
import { buildBody } from './buy/body.ts';
import { lookUpBuyer } from './buy/buyer.ts';
import { readOrderItems } from './buy/items.ts';
import { BUY_OPTIONS, type BuyOptions, isGiven } from './buy/options.ts';
import { showOrder } from './buy/show-order.ts';
import { previewed } from './shared/dry-run.ts';

export default defineCommand({
  path: 'buy',
  summary: 'Order plans, domains and renewals, and start the payment',
  effect: 'spends',
  args: {},
  options: BUY_OPTIONS,
  tool: {
    title: 'Place an order',
    says: 'Orders plans, domains and renewals, and starts the payment. Show the request to the person with dryRun first. orders_list shows what is in doubt; never place that anew unasked. About 100 tokens.',
    takes: {
      plan: 'id of the plan to order',
      domain: 'domain to order',
      label: 'name for what is ordered',
      quantity: { type: 'integer', says: 'how many' },
      renew: 'renew an existing plan or domain',
      item: 'several items, each as key=value,key=value of plan, domain, label, quantity, renew',
      payment: 'how to pay; credit_card is for free orders only',
      network: 'mobile money network, such as mtn or orange',
      phone: 'phone number to charge, with its country code',
      currency: 'currency to pay in',
      autopay: 'save the number, and pay renewals from it',
      idempotencyKey: 'key of the order; default: a new one',
      dryRun: 'only show the request',
    },
  },
  examples: [
    [
      'svc buy --plan plan_wp_pro --network mtn --phone +237670000042',
      'a plan, paid by mobile money',
    ],
    [
      'svc buy --item plan=plan_wp_pro --item domain=example.com --dry-run',
      'two items; see the request first',
    ],
    ['svc buy --plan plan_wp_free --yes --json', 'from a script'],
  ],
  exitCodes: [
    [
      2,
      'also: the result of the same order is unknown; choose --resume, --new-order or svc orders settle',
    ],
    [8, 'the order may have been placed: finish it with the printed command'],
    [9, 'the API answered that the order failed or was declined'],
  ],

  async run(context, options): Promise<Result<never>> {
    const hasDashboard = context.settings.dashboard() !== undefined;
    const show = (screen: Screen, placed: Placed) => showOrder(screen, placed, hasDashboard);
    if (options.resume !== undefined) {
      checkAlone(options);
      const lookUp = (org: string | undefined) => lookUpBuyer(context, org);
      return shownBy(await resumePurchase(context, options.resume, options.browser, lookUp), show);
    }
    return options.dryRun
      ? preview(context, options)
      : shownBy(await order(context, options), show);
  },
});

async function order(
  context: Needs<
    'api' | 'assume' | 'io' | 'globals' | 'settings' | 'store' | 'time' | 'env' | 'line' | 'program'
  >,
  options: BuyOptions,
): Promise<Result<Placed>> {
  const { idempotencyKey: key, newOrder: isNew, browser } = options;
  const org = context.settings.org()?.value;
  const { body, buyer } = await completeBody(context, options, () => {
    requireToken(context.settings);
    return lookUpBuyer(context, org);
  });
  const placed = placeOrder(context, { text: toJsonText(body), org, key, isNew, buyer, browser });
  return placed.catch((error: unknown) => {
    const hint = `Add --network ${networksIn(context).join(' or --network ')}.`;
    throw options.network === undefined && isAboutNetwork(error) ? error.with({ hint }) : error;
  });
}

async function preview(
  context: Needs<'api' | 'assume' | 'io' | 'globals' | 'settings' | 'store' | 'line'>,
  options: BuyOptions,
): Promise<Result<never>> {
  const { body } = await completeBody(context, options, () => undefined);
  return previewed(
    await context.api.client(),
    orderCall(body, options.idempotencyKey ?? randomUUID()),
  );
}

/** Asks for missing parts. Calls `begin` before the first question. */
async function completeBody<T>(
  context: Needs<'assume' | 'io' | 'globals' | 'settings' | 'store' | 'line'>,
  options: BuyOptions,
  begin: () => T,
) {
  const lang = context.settings.choice('lang')?.value;
  const build = (items: readonly OrderItem[], from: BuyOptions) =>
    buildBody(items, from, context.assume, lang);
  const given = await readOrderItems(context, options);
  build(given, options);
  const buyer = begin();
  return orCancelled('Nothing was ordered.', async () => {
    const asked = await askForOrder(context, given, options, (items) => build(items, options));
    return { body: build(asked.items, asked.options), buyer };
  });
}

/** Throws a usage error for any option but `--no-browser` beside `--resume`. */
function checkAlone(options: BuyOptions): void {
  const names = Object.keys(BUY_OPTIONS) as readonly (keyof BuyOptions)[];
  const other = names.find((one) => one !== 'resume' && one !== 'browser' && isGiven(options, one));
  if (other === undefined) return;
  const name = longName(other, BUY_OPTIONS[other]);
  throw usageError(`--resume and ${name} cannot be used together.`, 'svc buy --resume');
}

function isAboutNetwork(error: unknown): error is CliError {
  const lines =
    error instanceof CliError && error.code === 'rejected' ? (error.details.lines ?? []) : [];
  return lines.some((line) => line.startsWith('mobileMoneyNetwork:'));
}
