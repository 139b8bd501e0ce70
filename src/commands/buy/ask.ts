import { usageError } from '../../errors.ts';
import { asArray, fieldOf } from '../../json/values.ts';
import { againWith } from '../../kit/ask.ts';
import type { Context } from '../../kit/context.ts';
import { namesSeen } from '../../kit/known.ts';
import { pick } from '../../kit/pick.ts';
import { asValidation } from '../../kit/values/choice.ts';
import { parsePhone } from '../../kit/values/phone.ts';
import type { OrderBody, OrderItem } from '../../spec/types.ts';
import { type BuyOptions, DEFAULT_PAYMENT } from './options.ts';
import { ITEM_FIELDS, readNetwork, readText } from './order-item.ts';
import { isKnownFree } from './plans.ts';

/** Stand for answers that are not networks; no network is called so. */
const OTHER = '(other)';
const NONE = '(none)';

/** Asks for the plan if nothing names what to order. Throws a usage error if there is no item and no terminal. */
export async function askItems(
  context: Context,
  items: readonly OrderItem[],
  options: BuyOptions,
): Promise<readonly OrderItem[]> {
  const { interactive } = context.io;
  const [first = {}] = items;
  const { planId, domain, renew } = first;
  const namesSomething = [planId, domain, renew].some((field) => field !== undefined);
  const isVague = options.item.length === 0 && options.items === undefined && !namesSomething;
  if (items.length > 0 && !(isVague && interactive)) return items;
  if (!interactive) {
    const run = againWith(context, ...namesSeen(context, 'plans').map(({ name }) => ['--plan', name]));
    throw usageError('There is nothing to order.', {
      say: 'Name it with --plan, --domain or --item.',
      run: run.length > 0 ? run : ['svc buy --help'],
    });
  }
  const plan = await pick(context, 'plans', namesSeen(context, 'plans'), (text) => readText(text, 'The plan id'));
  return [{ ...ITEM_FIELDS.plan(plan, '--plan'), ...first }];
}

/** Asks for the network and phone number of a mobile money payment, unless the order is free. */
export async function askPayer(context: Context, body: OrderBody, options: BuyOptions): Promise<BuyOptions> {
  const { io, api } = context;
  const payment = fieldOf(body, api.assume('checkout.paymentMethod')) ?? DEFAULT_PAYMENT;
  const hasAll = body.mobileMoneyNetwork !== undefined && body.mobileMoneyPhone !== undefined;
  if (!io.interactive || payment !== 'mobile_money' || hasAll) return options;
  if (isKnownFree(context, asArray(body.items))) return options;
  let complete = options;
  if (body.mobileMoneyNetwork === undefined) {
    const network = await askNetwork(context);
    if (network === undefined) return complete;
    complete = { ...complete, network };
  }
  if (body.mobileMoneyPhone !== undefined) return complete;
  const phone = await io.ask('Phone number to charge', {
    placeholder: '+237 …',
    validate: asValidation((text) => {
      if (parsePhone(text, 'The answer').startsWith('+')) return;
      throw usageError('Start with the country code, such as +237.');
    }),
  });
  return { ...complete, phone: parsePhone(phone, '--phone') };
}

/** Returns undefined if the person says that the order is free. */
async function askNetwork({ io, api }: Context): Promise<string | undefined> {
  const network = await io.select('Mobile money network', [
    // The API document names none.
    ...api
      .assume('checkout.networks')
      .split(/\s+/)
      .filter((code) => code !== '')
      .map((code) => ({ value: code, label: code })),
    { value: OTHER, label: 'Another network' },
    { value: NONE, label: 'None: the order is free' },
  ]);
  if (network !== OTHER) return network === NONE ? undefined : network;
  const ask = 'Network code (ask your operator)';
  return io.ask(ask, { validate: asValidation((text) => readNetwork(text, 'The code')) });
}
