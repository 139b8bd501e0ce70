import { domainToUnicode } from 'node:url';
import { usageError } from '../../errors.ts';
import { asArray, asObject, asText, fieldOf, otherFields } from '../../json/values.ts';
import { parseFields } from '../../kit/values/key-value.ts';
import { maskPhone } from '../../kit/values/phone.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { OrderBody, OrderItem, UncheckedItem } from '../../spec/types.ts';
import { type BuyOptions, DEFAULT_CURRENCY, DEFAULT_PAYMENT, isGiven, paymentFields, readAsFlag } from './options.ts';

/**
 * Builds the body of operation 3. Leaves out values that equal the platform's documented defaults, so that the usual order
 * consists of documented fields only. Throws a usage error for a `--field` that contradicts a flag, or has a value that
 * its flag would refuse.
 * @param lang the language of the payment page that the user has set for all orders
 */
export function buildBody(
  items: readonly OrderItem[],
  options: BuyOptions,
  assume: Assume,
  lang: string | undefined,
): OrderBody {
  const fields = paymentFields(assume);
  const given = fields.filter(({ option }) => isGiven(options, option));
  const sent = given.filter(({ option, usual }) => options[option] !== usual);
  const extra = Object.entries(parseFields(options.field, '--field', { nested: true })).map(([name, value]) => {
    refuseContradiction(name, given.find((field) => field.name === name)?.option);
    const documented = fields.find((field) => field.name === name);
    return [name, documented === undefined ? value : readAsFlag(documented, value)] as const;
  });
  return {
    items,
    // Only an order by card has a payment page.
    ...(lang !== undefined && options.payment === 'credit_card' && { [assume('checkout.language')]: lang }),
    ...Object.fromEntries(sent.map(({ name, option }) => [name, options[option]])),
    ...Object.fromEntries(extra),
  };
}

function refuseContradiction(name: string, option: string | undefined): void {
  if (name === 'idempotencyKey') {
    throw usageError('--field idempotencyKey: the key travels in a header.', 'Use --idempotency-key <key>.');
  }
  if (name === 'items') {
    throw usageError('--field items: items have options of their own.', 'Use --item, or --items <file>.');
  }
  if (option === undefined) return;
  throw usageError(`--field ${name} contradicts --${option}.`, `Use --field or --${option}, not both.`);
}

/** An order as people may see it. */
export interface Outline {
  readonly items: readonly string[];
  /** `mobile_money` or `credit_card`. */
  readonly payment: string;
  readonly network: string | undefined;
  /** Masked. */
  readonly phone: string | undefined;
  readonly currency: string;
  readonly promo: string | undefined;
  readonly autopay: boolean;
  /** Names of fields without a flag. */
  readonly others: readonly string[];
}

/** Describes the body of an order, with the phone number masked. */
export function outlineOf(body: OrderBody, assume: Assume): Outline {
  const [paymentField, currencyField] = [assume('checkout.paymentMethod'), assume('checkout.currency')];
  const phone = asText(body.mobileMoneyPhone);
  return {
    items: asArray(body.items).map((item) => itemText(asObject(item))),
    payment: asText(fieldOf(body, paymentField)) ?? DEFAULT_PAYMENT,
    network: asText(body.mobileMoneyNetwork),
    phone: phone === undefined ? undefined : maskPhone(phone),
    currency: asText(fieldOf(body, currencyField)) ?? DEFAULT_CURRENCY,
    promo: asText(body.appliedPromoCodeId),
    autopay: body.enableAutopay === true,
    others: Object.keys(otherFields(body, [...SHOWN, paymentField, currencyField])),
  };
}

/** The fields of the body that the outline shows. */
const SHOWN: readonly (keyof OrderBody)[] = [
  'items',
  'mobileMoneyNetwork',
  'mobileMoneyPhone',
  'enableAutopay',
  'appliedPromoCodeId',
];

/** Returns a text such as `mobile money, network mtn, from +*********42`. */
export function paymentText({ payment, network, phone }: Outline): string {
  const method = payment.replaceAll('_', ' ');
  const parts = [method, network && `network ${network}`, phone && `from ${phone}`];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

/** Returns the order in one line. */
export function orderSummary(outline: Outline): string {
  const currency = outline.currency === DEFAULT_CURRENCY ? [] : [outline.currency];
  return [outline.items.join(' + '), paymentText(outline), ...currency].join('; ');
}

function itemText(item: UncheckedItem): string {
  const [plan, domain, label, quantity] = [item.planId, item.domain, item.label, item.quantity].map(asText);
  const named = [plan && `plan ${plan}`, domain && `domain ${bothSpellings(domain)}`].filter((part) => part);
  const count = quantity === undefined ? '' : `${quantity} × `;
  const renewal = item.renew === true ? 'renewal of ' : '';
  return `${renewal}${count}${named.join(', ') || 'item'}${label === undefined ? '' : ` "${label}"`}`;
}

/** Adds the ASCII form to an internationalized name, because its letters may only look familiar. */
function bothSpellings(ascii: string): string {
  const unicode = domainToUnicode(ascii);
  return unicode === '' || unicode === ascii ? ascii : `${unicode} (${ascii})`;
}
