import { domainToUnicode } from 'node:url';
import type { Needs } from '../cli/define/context.ts';
import { maskPhone } from '../cli/values/phone.ts';
import type { Assume } from '../contract/assumptions.ts';
import { ORDER_BODY } from '../contract/fields/operations.ts';
import type { OrderBody, UncheckedItem } from '../contract/types.ts';
import { asArray, asObject, asText, fieldOf, otherFields } from '../json/values.ts';

/** The platform assumes this for a body without the field. */
export const DEFAULT_PAYMENT = ORDER_BODY.paymentMethod.default;
/** See {@link DEFAULT_PAYMENT}. */
export const DEFAULT_CURRENCY = ORDER_BODY.currency.default;

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

/** Masks the phone number. */
export function outlineOf(body: OrderBody, assume: Assume): Outline {
  const [paymentField, currencyField] = [
    assume('checkout.paymentMethod'),
    assume('checkout.currency'),
  ];
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

const SHOWN: readonly (keyof OrderBody)[] = [
  'items',
  'mobileMoneyNetwork',
  'mobileMoneyPhone',
  'enableAutopay',
  'appliedPromoCodeId',
];

/** Such as `mobile money, network mtn, from +*********42`. */
export function paymentText({ payment, network, phone }: Outline): string {
  const method = payment.replaceAll('_', ' ');
  const parts = [method, network && `network ${network}`, phone && `from ${phone}`];
  return parts.filter(Boolean).join(', ');
}

/** The order in one line. */
export function orderSummary(outline: Outline): string {
  const currency = outline.currency === DEFAULT_CURRENCY ? [] : [outline.currency];
  return [outline.items.join(' + '), paymentText(outline), ...currency].join('; ');
}

function itemText(item: UncheckedItem): string {
  const [plan, domain, label, quantity] = [item.planId, item.domain, item.label, item.quantity].map(
    asText,
  );
  const named = [plan && `plan ${plan}`, domain && `domain ${bothSpellings(domain)}`].filter(
    (part) => part,
  );
  const count = quantity === undefined ? '' : `${quantity} × `;
  const renewal = item.renew === true ? 'renewal of ' : '';
  return `${renewal}${count}${named.join(', ') || 'item'}${label === undefined ? '' : ` "${label}"`}`;
}

/** Adds the ASCII form to an internationalized name, because its letters may only look familiar. */
function bothSpellings(ascii: string): string {
  const unicode = domainToUnicode(ascii);
  return unicode === '' || unicode === ascii ? ascii : `${unicode} (${ascii})`;
}

/** The networks that svc knows: the API document names none. */
export function networksIn({ assume }: Needs<'assume'>): readonly string[] {
  return assume('checkout.networks').split(/\s+/).filter(Boolean);
}
