import { isDeepStrictEqual } from 'node:util';
import { choice, flag, list, off, option, optionalValue, under, type Values } from '../../command/parameters.ts';
import { readOptions } from '../../command/read-values.ts';
import { parseChoice } from '../../command/values/choice.ts';
import { parsePhone } from '../../command/values/phone.ts';
import { CliError, usageError } from '../../errors.ts';
import type { Assume } from '../../spec/assumptions.ts';
import { parseKey } from '../../vault/purchases/record.ts';
import { parseUuid, readText } from './order-item.ts';

/** How an order may be paid; the service collects money by the first only. */
const PAYMENTS = ['mobile_money', 'credit_card'] as const;
/** One of {@link PAYMENTS}. */
type Payment = (typeof PAYMENTS)[number];
/** The currency charged. */
const CURRENCIES = ['local', 'USD'] as const;
/** One of {@link CURRENCIES}. */
type Currency = (typeof CURRENCIES)[number];
/** Languages of the payment page. */
const LANGUAGES = ['fr', 'en'] as const;
/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** The hint if an option that describes the one item is given twice. */
const SEVERAL = '--item …, once for each item';

/** The options of `svc buy`. Money is spent, so an option with one value is refused if it is given twice (`twice`). */
export const OPTIONS = {
  ...under('What to buy', {
    plan: option('id', 'plan to order', undefined, { offer: 'plans', twice: SEVERAL }),
    domain: option('name', 'domain to order', undefined, { twice: SEVERAL }),
    label: option('text', 'a name for what you order', undefined, { twice: SEVERAL }),
    quantity: option('number', 'how many to order, from 1 to 999', undefined, { twice: SEVERAL }),
    renew: flag('renew it instead of ordering a new one'),
    item: list('key=value,…', 'one of several items; keys: plan, domain, label, quantity, renew'),
    items: option('file|-', 'read the items from a JSON array, as the API takes them', undefined, {
      offer: 'files',
      twice: '--items once',
    }),
  }),
  ...under('How to pay', {
    payment: choice('method', `${PAYMENTS.join(' or ')} (free orders only)`, PAYMENTS, { twice: '--payment once' }),
    network: option('code', 'mobile money network', readText, { twice: '--network once' }),
    phone: option('number', 'phone number to pay from', parsePhone, { twice: '--phone once' }),
    currency: choice('code', `currency to pay in: ${CURRENCIES.join(' or ')}`, CURRENCIES, {
      twice: '--currency once',
    }),
    promo: option('uuid', 'id of a promo code', parseUuid, { twice: '--promo once' }),
    autopay: flag('save the number, and pay renewals from it automatically'),
    lang: choice('language', `language of the payment page: ${LANGUAGES.join(' or ')}`, LANGUAGES, {
      twice: '--lang once',
    }),
    browser: off('do not open the payment page'),
  }),
  ...under('The request', {
    field: list('key=value', 'set another field of the body; a.b=c nests, key:=json sends JSON'),
    idempotencyKey: option('key', 'key under which the service places the order once (default: a new one)', parseKey, {
      twice: '--idempotency-key once',
    }),
    dryRun: flag('show the request without sending it'),
  }),
  ...under('Purchases whose outcome is unknown', {
    pending: flag('list them'),
    resume: optionalValue('key', 'send one of them again, with the same key'),
    newOrder: flag('place a new order even if it looks like one of them'),
  }),
};

/** The values of {@link OPTIONS}. */
export type BuyOptions = Values<typeof OPTIONS>;

/** The values if no option is given. */
const NONE: BuyOptions = readOptions(OPTIONS, new Map());

/** Whether an option was given. */
export function isGiven(options: BuyOptions, name: keyof BuyOptions): boolean {
  return !isDeepStrictEqual(options[name], NONE[name]);
}

/** How an order is paid where its body says nothing. */
export const DEFAULT_PAYMENT: Payment = 'mobile_money';
/** The currency that is charged where a body says nothing. */
export const DEFAULT_CURRENCY: Currency = 'local';

/** A documented field of the body beside the items. */
interface PaymentField {
  /** On the wire. */
  readonly name: string;
  readonly option: keyof BuyOptions;
  readonly flag: string;
  /** What the service takes where the field is missing, as its document says. */
  readonly usual?: string;
  /** The value in the form that is sent. Throws a usage error in which it is called `called`. */
  readonly read: (value: unknown, called: string) => unknown;
}

/** The documented fields, each with its flag. */
export function paymentFields(assume: Assume): readonly PaymentField[] {
  return [
    {
      name: assume('checkout.paymentMethod'),
      option: 'payment',
      flag: '--payment',
      usual: DEFAULT_PAYMENT,
      read: text((value, called) => parseChoice(value, called, PAYMENTS)),
    },
    { name: 'mobileMoneyNetwork', option: 'network', flag: '--network', read: text(readText) },
    { name: 'mobileMoneyPhone', option: 'phone', flag: '--phone', read: text(parsePhone) },
    {
      name: assume('checkout.currency'),
      option: 'currency',
      flag: '--currency',
      usual: DEFAULT_CURRENCY,
      read: text((value, called) => parseChoice(value, called, CURRENCIES)),
    },
    { name: 'enableAutopay', option: 'autopay', flag: '--autopay', read: trueOrFalse },
    { name: 'appliedPromoCodeId', option: 'promo', flag: '--promo', read: text(parseUuid) },
    {
      name: assume('checkout.language'),
      option: 'lang',
      flag: '--lang',
      read: text((value, called) => parseChoice(value, called, LANGUAGES)),
    },
  ];
}

/** A value of `--field` for a documented field, by the rules of the flag, which the error names. */
export function readAsFlag({ name, flag, read }: PaymentField, value: unknown): unknown {
  const called = `--field ${name}`;
  try {
    return read(value, called);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw usageError(error.message, error.details.hint?.replace(called, flag) ?? flag);
  }
}

function text(parse: (value: string, called: string) => unknown): PaymentField['read'] {
  return (value, called) => {
    if (typeof value !== 'string') throw usageError(`${called} is not a text.`);
    return parse(value, called);
  };
}

function trueOrFalse(value: unknown, called: string): boolean {
  if (typeof value === 'boolean') return value;
  throw usageError(`${called} is neither true nor false, which are written ${called.replace('--field ', '')}:=true.`);
}
