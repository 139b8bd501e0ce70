import { againWith } from '../../cli/define/ask.ts';
import type { Needs } from '../../cli/define/context.ts';
import { namesSeen } from '../../cli/define/known.ts';
import { askInTurn, pick, type QuestionInTurn } from '../../cli/read/pick.ts';
import { asValidation } from '../../cli/values/choice.ts';
import { parsePhone } from '../../cli/values/phone.ts';
import type { OrderBody, OrderItem } from '../../contract/types.ts';
import { usageError } from '../../errors.ts';
import { asArray, fieldOf } from '../../json/values.ts';
import { DEFAULT_PAYMENT, networksIn } from '../../orders/outline.ts';
import { isKnownFree, lastPrices } from '../../orders/plans.ts';
import type { BuyOptions } from './options.ts';
import { ITEM_FIELDS, parseNetwork, readText } from './order-item.ts';

/** Answers that are no networks; none is called so. */
const OTHER = '(other)';
const NONE = '(none)';

/**
 * Asks for the plan if nothing names what to order, and for the network and the phone of a mobile
 * money payment unless the order is free. Esc goes back one question; `--yes` asks nothing. `build`
 * makes the body of an order.
 * @throws CliError `usage` if nothing names what to order and svc cannot ask
 */
export async function askForOrder(
  context: Needs<'assume' | 'io' | 'globals' | 'settings' | 'store' | 'line'>,
  given: readonly OrderItem[],
  line: BuyOptions,
  build: (items: readonly OrderItem[]) => OrderBody,
): Promise<{ readonly items: readonly OrderItem[]; readonly options: BuyOptions }> {
  const { io } = context;
  let items = given;
  let options = line;
  const body = build(given);
  const payment = fieldOf(body, context.assume('checkout.paymentMethod')) ?? DEFAULT_PAYMENT;
  const asks = io.interactive;
  const pays = () =>
    asks && payment === 'mobile_money' && !isKnownFree(context, asArray(build(items).items));
  const askNetwork: QuestionInTurn = async (back) => {
    const cost = lastPrices(context, asArray(build(items).items));
    options = pays()
      ? { ...line, network: await pickNetwork(context, cost === undefined, back) }
      : line;
  };
  const askPhone: QuestionInTurn = async (back) => {
    const isFree = body.mobileMoneyNetwork === undefined && options.network === undefined;
    if (pays() && !isFree) options = { ...options, phone: await typePhone(context, back) };
  };
  const askPlan: QuestionInTurn = async (back) => {
    const read = (text: string) => readText(text, 'The plan id');
    const plan = await pick(context, 'plans', namesSeen(context, 'plans'), read, back);
    items = [{ ...ITEM_FIELDS.plan(plan, '--plan'), ...given[0] }];
  };
  await askInTurn([
    ...(needsPlan(context, given, line, asks) ? [askPlan] : []),
    ...(body.mobileMoneyNetwork === undefined ? [askNetwork] : []),
    ...(body.mobileMoneyPhone === undefined ? [askPhone] : []),
  ]);
  return { items, options };
}

function needsPlan(
  context: Needs<'io' | 'settings' | 'store' | 'line'>,
  items: readonly OrderItem[],
  options: BuyOptions,
  asks: boolean,
): boolean {
  const { planId, domain, renew } = items[0] ?? {};
  const namesSomething = [planId, domain, renew].some((field) => field !== undefined);
  const isVague = options.item.length === 0 && options.items === undefined && !namesSomething;
  if (items.length > 0 && !(isVague && asks)) return false;
  if (asks) return true;
  const run = againWith(
    context,
    ...namesSeen(context, 'plans').map(({ name }) => ['--plan', name]),
  );
  throw usageError('There is nothing to order.', {
    say: 'Name it with --plan, --domain or --item.',
    run: run.length > 0 ? run : ['svc buy --help'],
  });
}

async function typePhone({ io }: Needs<'io'>, back: boolean): Promise<string> {
  const phone = await io.ask('Phone number to charge, such as +237670000042', {
    validate: asValidation((text) => parsePhone(text, 'The answer')),
    back,
  });
  return parsePhone(phone, '--phone');
}

/** Undefined if there is nothing to pay. */
async function pickNetwork(
  { assume, io }: Needs<'assume' | 'io'>,
  mayBeFree: boolean,
  back: boolean,
): Promise<string | undefined> {
  const codes = networksIn({ assume });
  const choices = [
    ...codes.map((value) => ({ value })),
    { value: OTHER, label: 'Enter a network code…' },
    ...(mayBeFree ? [{ value: NONE, label: 'No payment (free plan)' }] : []),
  ];
  let network = OTHER;
  const choose: QuestionInTurn = async (isBack) => {
    network = await io.select('Mobile money network', choices, { back: isBack });
  };
  const type: QuestionInTurn = async (isBack) => {
    const validate = asValidation((text) => parseNetwork(text, 'The code'));
    if (network === OTHER)
      network = await io.ask('Network code (ask your operator)', {
        validate,
        seen: codes,
        back: isBack,
      });
  };
  await askInTurn([choose, type], back);
  return network === NONE ? undefined : network;
}
