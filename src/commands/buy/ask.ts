import { type Needs, proposeRepeats } from '../../cli/define/context.ts';
import { getCachedNames } from '../../cli/define/name-cache.ts';
import { askInTurn, pickName, type QuestionInTurn } from '../../cli/read/pick.ts';
import { parsePhone } from '../../cli/values/phone.ts';
import { asValidation } from '../../cli/values/text.ts';
import type { OrderBody, OrderItem } from '../../contract/operations.ts';
import { CliError, usageError } from '../../errors.ts';
import { findField } from '../../json/values.ts';
import {
  DEFAULT_PAYMENT,
  describeLastPrices,
  getNetworks,
  isKnownFree,
} from '../../orders/description.ts';
import { ITEM_FIELDS, type OrderForm } from './body.ts';
import { type BuyOptions, parseNetwork, readText } from './options.ts';

/** Answers that are no networks; none is called so. */
const OTHER = '(other)';
const NONE = '(none)';

/**
 * Asks for the plan if nothing names what to order, and for the network and the phone of a mobile
 * money payment unless the order is free. Esc goes back one question.
 * @param body that of the form
 */
export async function completeForm(
  form: OrderForm,
  body: OrderBody,
  context: Needs<'assume' | 'io' | 'settings' | 'store'>,
): Promise<OrderForm> {
  let { items, options } = form;
  const payment = findField(body, context.assume('checkout.paymentMethod')) ?? DEFAULT_PAYMENT;
  const isPaid = () => payment === 'mobile_money' && !isKnownFree(context, { items });

  const askPlan: QuestionInTurn = async (back) => {
    const read = (text: string) => readText(text, 'The plan id');
    const names = getCachedNames(context, 'plans');
    const plan = await pickName(context, { kind: 'plans', names, read }, back);
    items = [{ ...ITEM_FIELDS.plan(plan, '--plan'), ...form.items[0] }];
  };
  const askNetwork: QuestionInTurn = async (back) => {
    options = form.options;
    if (!isPaid()) return;
    const mayBeFree = describeLastPrices(context, { items }) === undefined;
    const network = await pickNetwork(context, mayBeFree, back);
    options = { ...form.options, network };
  };
  const askPhone: QuestionInTurn = async (back) => {
    const hasNetwork = (body.mobileMoneyNetwork ?? options.network) !== undefined;
    if (!isPaid() || !hasNetwork) return;
    const validate = asValidation((text) => parsePhone(text, 'The answer'));
    const question = 'Phone number to charge, such as +237670000042';
    const phone = parsePhone(await context.io.ask(question, { validate, back }), '--phone');
    options = { ...options, phone };
  };

  await askInTurn([
    ...(namesSomething(form) ? [] : [askPlan]),
    ...(body.mobileMoneyNetwork === undefined ? [askNetwork] : []),
    ...(body.mobileMoneyPhone === undefined ? [askPhone] : []),
  ]);
  return { items, options };
}

/** Adds the networks to the refusal of an order that names none. */
export function explainNetwork({ network }: BuyOptions, context: Needs<'assume'>) {
  return (error: unknown): never => {
    const isRefusal = error instanceof CliError && error.code === 'rejected';
    if (network !== undefined || !isRefusal) throw error;
    const isAboutIt = error.details.lines?.some((line) => line.startsWith('mobileMoneyNetwork:'));
    const hint = `Add --network ${getNetworks(context).join(' or --network ')}.`;
    throw isAboutIt ? error.with({ hint }) : error;
  };
}

/** Whether the line or a file says what to order; `--quantity` alone does not. */
function namesSomething({ items, options }: OrderForm): boolean {
  const { planId, domain, renew } = items[0] ?? {};
  const fields = [planId, domain, renew, options.item[0], options.items];
  return fields.some((field) => field !== undefined);
}

/** Throws a usage error if there are none, where svc does not ask. */
export function requireItems(
  items: readonly OrderItem[],
  context: Needs<'io' | 'line' | 'settings' | 'store'>,
): void {
  if (items.length > 0) return;
  const plans = getCachedNames(context, 'plans').map(({ name }) => ['--plan', name]);
  const run = proposeRepeats(context, ...plans);
  throw usageError('There is nothing to order.', {
    say: 'Name it with --plan, --domain or --item.',
    run: run.length > 0 ? run : ['svc buy --help'],
  });
}

/** Asks for the network; undefined if there is nothing to pay. */
async function pickNetwork(
  { assume, io }: Needs<'assume' | 'io'>,
  mayBeFree: boolean,
  hasBack: boolean,
): Promise<string | undefined> {
  const codes = getNetworks({ assume });
  const choices = [
    ...codes.map((value) => ({ value })),
    { value: OTHER, label: 'Enter a network code…' },
    ...(mayBeFree ? [{ value: NONE, label: 'No payment (free plan)' }] : []),
  ];
  let network = OTHER;
  const choose: QuestionInTurn = async (back) => {
    network = await io.select('Mobile money network', choices, { back });
  };
  const type: QuestionInTurn = async (back) => {
    const validate = asValidation((text) => parseNetwork(text, 'The code'));
    if (network === OTHER) {
      network = await io.ask('Network code (ask your operator)', {
        validate,
        seen: codes,
        back,
      });
    }
  };
  await askInTurn([choose, type], hasBack);
  return network === NONE ? undefined : network;
}
