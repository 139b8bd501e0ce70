import { domainToUnicode } from 'node:url';
import { parseFields } from '../../command/values/key-value.ts';
import { maskPhone } from '../../command/values/phone.ts';
import { usageError } from '../../errors.ts';
import { asArray, asObject, asText, type JsonObject, otherFields } from '../../json/values.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { OrderItem } from '../../spec/types.ts';
import {
  type BuyOptions,
  DEFAULT_CURRENCY,
  DEFAULT_PAYMENT,
  isGiven,
  type Language,
  paymentFields,
  readAsFlag,
} from './options.ts';

/** What the body depends on beside the flags. */
interface BodySurroundings {
  readonly assume: Assume;
  /** The locale's variables are looked at. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The body of operation 3. What equals the service's documented default is left out, so that the usual order consists
 * of documented fields only. Throws a usage error for a field that would contradict a flag,
 * or has a value that its flag would not take.
 */
export function buildBody(
  items: readonly OrderItem[],
  options: BuyOptions,
  { assume, env }: BodySurroundings,
): JsonObject {
  const fields = paymentFields(assume);
  const given = fields.filter(({ option }) => isGiven(options, option));
  const sent = given.filter(({ option, usual }) => options[option] !== usual);
  const extra = Object.entries(parseFields(options.field, '--field', { nested: true })).map(([name, value]) => {
    refuseContradiction(name, given.find((field) => field.name === name)?.flag);
    const documented = fields.find((field) => field.name === name);
    return [name, documented === undefined ? value : readAsFlag(documented, value)] as const;
  });
  return {
    items,
    ...localeLanguage(options, assume, env),
    ...Object.fromEntries(sent.map(({ name, option }) => [name, options[option]])),
    ...Object.fromEntries(extra),
  };
}

function refuseContradiction(name: string, flag: string | undefined): void {
  if (name === 'idempotencyKey') {
    throw usageError('--field idempotencyKey: the key travels in a header.', '--idempotency-key <key>');
  }
  if (name === 'items')
    throw usageError('--field items: items have options of their own.', '--item, or --items <file>');
  if (flag !== undefined) throw usageError(`--field ${name} contradicts ${flag}.`, `--field or ${flag}, not both`);
}

/** Only an order by card leads to a payment page; only French is not its language in any case. */
function localeLanguage({ payment }: BuyOptions, assume: Assume, env: BodySurroundings['env']): JsonObject {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const french: Language = 'fr';
  return payment === 'credit_card' && /^fr([._-]|$)/i.test(locale) ? { [assume('checkout.language')]: french } : {};
}

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
