import type { JsonObject } from '../../spec/read.ts';
import { assumed } from '../assumed.ts';
import { DOMAIN_PRICE, LOCAL_CURRENCY, PLANS } from '../data/plans.ts';
import { Refusal } from '../web/refusal.ts';
import { DOMAIN_RULE, type Fields, fieldsOf } from './fields.ts';

/** A checkout body that keeps the rules. */
export interface Purchase {
  readonly paymentMethod: 'mobile_money' | 'credit_card';
  readonly currency: 'USD' | 'XAF';
  /** In minor units of the currency. */
  readonly total: number;
  /** Provider code of the mobile money network; empty where none was given. */
  readonly network: string;
  /** Empty where none was given. */
  readonly phone: string;
  readonly enableAutopay: boolean;
}

const MOST_ITEMS = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FIELD = {
  paymentMethod: assumed('checkout.paymentMethod'),
  currency: assumed('checkout.currency'),
  language: assumed('checkout.language'),
} as const;

/**
 * Reads a checkout body. Fields that the service's document does not name are let pass, since it says that there is
 * one more.
 * @throws Refusal 400 with field errors, or in words where a paid order is to be paid by card.
 */
export function readPurchase(body: JsonObject): Purchase {
  const fields = fieldsOf(body);
  const prices = fields.list('items', MOST_ITEMS).map(readItem);
  const paymentMethod = fields.choice(FIELD.paymentMethod, ['mobile_money', 'credit_card']) ?? 'mobile_money';
  const inDollars = fields.choice(FIELD.currency, ['USD', 'local']) === 'USD';
  fields.choice(FIELD.language, ['fr', 'en']);
  fields.text('appliedPromoCodeId', { pattern: UUID, form: 'a UUID' });
  const purchase: Purchase = {
    paymentMethod,
    currency: inDollars ? 'USD' : LOCAL_CURRENCY,
    total: prices.reduce((sum, price) => sum + (inDollars ? price.usdCents : price.xaf), 0),
    ...readMobileMoney(fields),
    enableAutopay: fields.flag('enableAutopay') ?? false,
  };
  if (purchase.total > 0 && paymentMethod === 'mobile_money') requireMobileMoney(fields, purchase);
  fields.refuseIfWrong();
  if (purchase.total > 0 && paymentMethod === 'credit_card') {
    throw new Refusal(400, 'Cards are accepted for free orders only. Pay this order with mobile_money.');
  }
  return purchase;
}

function readMobileMoney(fields: Fields): { network: string; phone: string } {
  const network = { min: 1, max: 40, pattern: /^[\w-]+$/, form: 'a provider code such as mtn' };
  const phone = { pattern: /^\+?\d{6,15}$/, form: 'a phone number: an optional + and 6 to 15 digits' };
  return {
    network: fields.text('mobileMoneyNetwork', network) ?? '',
    phone: fields.text('mobileMoneyPhone', phone) ?? '',
  };
}

function requireMobileMoney(fields: Fields, { network, phone }: Purchase): void {
  if (network === '') fields.fault('mobileMoneyNetwork', 'is required to pay with mobile money');
  if (phone === '') fields.fault('mobileMoneyPhone', 'is required to pay with mobile money');
}

/** The price of one item, times its quantity. */
function readItem(item: Fields): { usdCents: number; xaf: number } {
  const planId = item.text('planId', { min: 1 });
  const domain = item.text('domain', DOMAIN_RULE);
  const quantity = item.wholeNumber('quantity', 1, 999) ?? 1;
  item.text('label', { max: 200 });
  item.flag('renew');
  if (!item.has('planId') && !item.has('domain')) item.fault('planId', 'is required, unless a domain is given');
  const plan = PLANS.find(({ id }) => id === planId);
  if (planId !== undefined && plan === undefined) {
    item.fault('planId', `is not a plan; there are ${PLANS.map(({ id }) => id).join(', ')}`);
  }
  const price = domain === undefined ? { usdCents: 0, xaf: 0 } : DOMAIN_PRICE;
  return {
    usdCents: quantity * ((plan?.usdCents ?? 0) + price.usdCents),
    xaf: quantity * ((plan?.xaf ?? 0) + price.xaf),
  };
}
