import { randomUUID } from 'node:crypto';
import { orderCall } from '../api/operations.ts';
import { orCancelled } from '../cli/define/ask.ts';
import type { Needs } from '../cli/define/context.ts';
import { defineCommand } from '../cli/define/define.ts';
import { type Result, withView } from '../cli/define/result.ts';
import { longName } from '../cli/values/read-values.ts';
import type { OrderBody } from '../contract/types.ts';
import { CliError, usageError } from '../errors.ts';
import { toJsonText } from '../json/raw-json.ts';
import { canAsk } from '../orders/confirm.ts';
import { getNetworks } from '../orders/description.ts';
import { getKeyLifetimeMs, isKeyFresh, type OrderEntry } from '../orders/entry.ts';
import { type OrderRequest, type PlacedOrder, placeOrder, requireToken } from '../orders/place.ts';
import { checkCanResume, chooseInDoubt, type ResolveCommands } from '../orders/resolve.ts';
import type { Screen } from '../terminal/screen.ts';
import { askForOrder, type OrderForm, requireItems } from './buy/ask.ts';
import { buildBody } from './buy/body.ts';
import { createBuyerLookup } from './buy/buyer.ts';
import { readOrderItems } from './buy/items.ts';
import { BUY_OPTIONS, type BuyOptions, isGiven } from './buy/options.ts';
import { toOrderContext } from './buy/order-context.ts';
import { showOrder } from './buy/show-order.ts';
import { previewRequest } from './shared/dry-run.ts';

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
  ],
  exitCodes: [
    [2, 'also: it was placed within a day, or one is in doubt: --resume, --new-order'],
    [8, 'the order may have been placed: finish it with the printed command'],
    [9, 'the API answered that the order failed or was declined'],
  ],

  async run(context, options): Promise<Result<never>> {
    const { settings } = context;
    const place = toOrderContext(context);
    const hasDashboard = settings.dashboard() !== undefined;
    const show = (screen: Screen, placed: PlacedOrder) => showOrder(screen, placed, hasDashboard);

    if (options.resume !== undefined) {
      checkAlone(options);
      const lifetimeMs = getKeyLifetimeMs(context.assume);
      const now = context.time.clock.now();
      const entry = await chooseToResume(
        options.resume,
        (known) => place.getCommands(known, isKeyFresh(known, lifetimeMs, now)),
        context,
      );
      const lookUpBuyer = createBuyerLookup(entry.org, context);
      const request = toResumeRequest(entry, lookUpBuyer, options.browser);
      return withView(await placeOrder(request, place), show);
    }

    const items = await readOrderItems(context, options);
    const build = (form: OrderForm) =>
      buildBody(form.items, form.options, context.assume, settings.choice('lang')?.value);
    build({ items, options });
    const isAsked = context.io.interactive;
    if (!isAsked) requireItems(items, context);

    if (options.dryRun) {
      const form = isAsked
        ? await complete({ items, options }, build, context)
        : { items, options };
      const key = options.idempotencyKey ?? randomUUID();
      return previewRequest(await context.api.client(), orderCall(build(form), key));
    }

    requireToken(settings);
    const { idempotencyKey: key, newOrder, browser } = options;
    const org = settings.org()?.value;
    const lookUpBuyer = createBuyerLookup(org, context);
    // The answer is there when the questions are over.
    if (canAsk(context)) void lookUpBuyer();
    const form = isAsked ? await complete({ items, options }, build, context) : { items, options };
    const body = toJsonText(build(form));
    const request = { body, org, key, newOrder, lookUpBuyer, browser };
    return withView(await placeOrder(request, place).catch(explainNetwork(options, context)), show);
  },
});

/** Asks for the parts that are missing. */
function complete(
  form: OrderForm,
  build: (form: OrderForm) => OrderBody,
  context: Needs<'assume' | 'io' | 'settings' | 'store'>,
): Promise<OrderForm> {
  return orCancelled('Nothing was ordered.', () =>
    askForOrder(form, (items) => build({ ...form, items }), context),
  );
}

/** Adds the networks to the refusal of an order that names none. */
function explainNetwork({ network }: BuyOptions, context: Needs<'assume'>) {
  return (error: unknown): never => {
    if (network !== undefined || !isAboutNetwork(error)) throw error;
    const hint = `Add --network ${getNetworks(context).join(' or --network ')}.`;
    throw error.with({ hint });
  };
}

/** Finds the order that `--resume` names, which the sign-in in use must have sent. */
async function chooseToResume(
  key: string | true,
  getCommands: (entry: OrderEntry) => ResolveCommands,
  context: Needs<'io' | 'settings' | 'store' | 'time'>,
): Promise<OrderEntry> {
  const getCommand = (entry: OrderEntry) => {
    const { resume, placed } = getCommands(entry);
    return resume ?? placed;
  };
  const entry = await chooseInDoubt(key, getCommand, context);
  checkCanResume(entry, getCommands(entry), context);
  return entry;
}

/** Makes the request that sends an order in doubt again: the same bytes with the same key. */
function toResumeRequest(
  entry: OrderEntry,
  lookUpBuyer: OrderRequest['lookUpBuyer'],
  browser: boolean,
): OrderRequest {
  const { org, body = '{}' } = entry;
  return { body, org, resumed: entry, lookUpBuyer, browser };
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
