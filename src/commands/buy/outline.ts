import { domainToUnicode } from 'node:url';
import { maskPhone } from '../../command/parse/phone.ts';
import type { Assume } from '../../spec/assumptions.ts';
import { asArray, asObject, asText, type JsonObject, otherFields } from '../../spec/read.ts';
import { DEFAULT_CURRENCY, DEFAULT_PAYMENT } from './payment-fields.ts';

/** What a body orders, as it may be shown: the phone number is masked. */
export interface Outline {
  readonly items: readonly string[];
  /** `mobile_money` or `credit_card`. */
  readonly payment: string;
  readonly network: string | undefined;
  readonly phone: string | undefined;
  readonly currency: string;
  readonly promo: string | undefined;
  readonly autopay: boolean;
  /** Names of the fields that have no flag. */
  readonly others: readonly string[];
}

/** Reads a body as people need to know it. */
export function outlineOf(body: JsonObject, assume: Assume): Outline {
  const paymentField = assume('checkout.paymentMethod');
  const currencyField = assume('checkout.currency');
  const phone = asText(body['mobileMoneyPhone']);
  return {
    items: asArray(body['items']).map((item) => itemText(asObject(item))),
    payment: asText(body[paymentField]) ?? DEFAULT_PAYMENT,
    network: asText(body['mobileMoneyNetwork']),
    phone: phone === undefined ? undefined : maskPhone(phone),
    currency: asText(body[currencyField]) ?? DEFAULT_CURRENCY,
    promo: asText(body['appliedPromoCodeId']),
    autopay: body['enableAutopay'] === true,
    others: Object.keys(otherFields(body, [...DOCUMENTED, paymentField, currencyField])),
  };
}

const DOCUMENTED = ['items', 'mobileMoneyNetwork', 'mobileMoneyPhone', 'enableAutopay', 'appliedPromoCodeId'] as const;

/** How it is paid: `mobile money, network mtn, from +*********42`. */
export function paymentText({ payment, network, phone }: Outline): string {
  const method = payment.replaceAll('_', ' ');
  const parts = [method, network && `network ${network}`, phone && `from ${phone}`];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

/** The whole order in one line. */
export function summaryOf(outline: Outline): string {
  const currency = outline.currency === DEFAULT_CURRENCY ? [] : [outline.currency];
  return [outline.items.join(' + '), paymentText(outline), ...currency].join('; ');
}

function itemText(item: JsonObject): string {
  const { planId, domain, label, quantity, renew } = item;
  const what = [
    asText(planId) && `plan ${asText(planId)}`,
    asText(domain) && `domain ${bothSpellings(asText(domain) ?? '')}`,
  ];
  const named = what.filter((part) => part !== undefined).join(', ') || 'item';
  const count = asText(quantity) === undefined ? '' : `${asText(quantity)} × `;
  return `${renew === true ? 'renewal of ' : ''}${count}${named}${asText(label) ? ` "${asText(label)}"` : ''}`;
}

/** A name as people read it and as the DNS has it, where the two differ: letters that look alike are not the same. */
function bothSpellings(ascii: string): string {
  const unicode = domainToUnicode(ascii);
  return unicode === '' || unicode === ascii ? ascii : `${unicode} (${ascii})`;
}
