import type { Context } from '../../command/context.ts';
import { asValidation } from '../../command/parse/as-validation.ts';
import { ITEM_FIELDS, readText } from '../../command/parse/order-item.ts';
import { parsePhone } from '../../command/parse/phone.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../spec/read.ts';
import type { OrderItem } from '../../spec/types.ts';
import type { BuyOptions } from './options.ts';
import { DEFAULT_PAYMENT } from './payment-fields.ts';

/** Asks a person which plan to order where no item says what it is; off a terminal there must be an item. */
export async function askItems(
  { io }: Context,
  items: readonly OrderItem[],
  options: BuyOptions,
): Promise<readonly OrderItem[]> {
  const [first = {}] = items;
  const isVague = options.item.length === 0 && options.items === undefined && !namesSomething(first);
  if (items.length > 0 && !(isVague && io.interactive)) return items;
  if (!io.interactive)
    throw usageError('There is nothing to order.', 'svc buy --plan <id>, --domain <name> or --item …');
  const plan = await io.ask('Which plan? (its id; --plan)', {
    validate: asValidation((text) => readText(text, 'The plan')),
  });
  return [{ ...ITEM_FIELDS.plan(plan, '--plan'), ...first }];
}

/** Asks a person for the network and the number that pay by mobile money; both may stay empty, as for a free order. */
export async function askPayer(
  { io, api: { assume } }: Context,
  body: JsonObject,
  options: BuyOptions,
): Promise<BuyOptions> {
  const payment = body[assume('checkout.paymentMethod')] ?? DEFAULT_PAYMENT;
  if (!io.interactive || payment !== 'mobile_money') return options;
  let complete = options;
  if (body['mobileMoneyNetwork'] === undefined) {
    const network = await io.ask('Mobile money network? (its code; empty for none; --network)', {
      validate: asValidation((text) => text === '' || readText(text, 'The network')),
    });
    if (network !== '') complete = { ...complete, network };
  }
  if (body['mobileMoneyPhone'] === undefined) {
    const phone = await io.ask('Phone number that pays? (empty for none; --phone)', {
      validate: asValidation((text) => text === '' || parsePhone(text, 'The answer')),
    });
    if (phone !== '') complete = { ...complete, phone: parsePhone(phone, '--phone') };
  }
  return complete;
}

function namesSomething({ planId, domain, renew }: OrderItem): boolean {
  return planId !== undefined || domain !== undefined || renew !== undefined;
}
