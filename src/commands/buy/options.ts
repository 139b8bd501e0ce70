import { isDeepStrictEqual } from 'node:util';
import {
  choice,
  fileOption,
  flag,
  LESS_USED,
  list,
  off,
  option,
  optionalValue,
  readOptions,
  under,
  type Values,
} from '../../cli/values/parameters.ts';
import { parsePhone } from '../../cli/values/phone.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { ORDER_BODY } from '../../contract/fields/operations.ts';
import { CliError, toNextStep, usageError } from '../../errors.ts';
import { DEFAULT_CURRENCY, DEFAULT_PAYMENT } from '../../orders/description.ts';
import { parseOrderKey } from '../../orders/entry.ts';
import { parseNetwork, parseUuid, requireBoolean, text } from './order-item.ts';

/** The platform collects money by the first only. */
const PAYMENTS = ORDER_BODY.paymentMethod.enum;
const CURRENCIES = ORDER_BODY.currency.enum;
const LANGUAGES = ORDER_BODY.language.enum;

/**
 * This command spends money, so an option with one value must not be given twice, even with equal
 * values.
 */
const ONCE = { twice: true } as const;
const ONE_ITEM = { twice: 'Give --item once for each item.' };

/** The options of `svc buy`. */
export const BUY_OPTIONS = {
  ...under('What to buy', {
    plan: option('id', 'plan to order', undefined, { offer: 'plans', ...ONE_ITEM }),
    domain: option('name', 'domain to order', undefined, ONE_ITEM),
    renew: flag('renew an existing plan or domain'),
    item: list('key=value,…', 'one of several: plan, domain, label, quantity, renew'),
  }),
  ...under('How to pay', {
    payment: choice('method', `${PAYMENTS.join(' or ')} (free orders only)`, PAYMENTS, ONCE),
    network: option('code', 'mobile money network, such as mtn', parseNetwork, ONCE),
    phone: option('number', 'phone number to charge, with its country code', parsePhone, ONCE),
    autopay: flag('save the number, and pay renewals from it'),
  }),
  dryRun: flag('show the request without sending it'),
  resume: optionalValue('key', 'send an order in doubt again, with its key'),
  newOrder: optionalValue('key', 'place it again, or beside the order in doubt with this key'),
  ...under(LESS_USED, {
    label: option('text', 'name for the item', undefined, ONE_ITEM),
    quantity: option('number', 'how many to order, from 1', undefined, ONE_ITEM),
    items: fileOption('file|-', 'read the items from a JSON array, as the API accepts them', ONCE),
    currency: choice('code', `currency to pay in: ${CURRENCIES.join(' or ')}`, CURRENCIES, ONCE),
    promo: option('uuid', 'id of a promo code', parseUuid, ONCE),
    lang: choice(
      'language',
      `language of the payment page: ${LANGUAGES.join(' or ')} (default: svc config set lang)`,
      LANGUAGES,
      ONCE,
    ),
    browser: off('do not open the payment page'),
    field: list(
      'key=value',
      'set another field of the body; a.b=c nests, key:=value for numbers, booleans and JSON',
    ),
    idempotencyKey: option(
      'key',
      'key that keeps the platform from placing the order twice (default: a new one)',
      parseOrderKey,
      ONCE,
    ),
  }),
};

/** The parsed options of `svc buy`. */
export type BuyOptions = Values<typeof BUY_OPTIONS>;

const NONE: BuyOptions = readOptions(BUY_OPTIONS, new Map());

/** Whether its value is another one than on an empty line. */
export function isGiven(options: BuyOptions, name: keyof BuyOptions): boolean {
  return !isDeepStrictEqual(options[name], NONE[name]);
}

interface PaymentField {
  /** The name on the wire. */
  readonly name: string;
  readonly option: keyof BuyOptions;
  /** The documented default. */
  readonly usual?: string;
}

/** The fields of the body that have a flag, under the names that svc assumes. */
export function paymentFields(assume: Assume): readonly PaymentField[] {
  return [
    { option: 'payment', name: assume('checkout.paymentMethod'), usual: DEFAULT_PAYMENT },
    { option: 'network', name: 'mobileMoneyNetwork' },
    { option: 'phone', name: 'mobileMoneyPhone' },
    { option: 'currency', name: assume('checkout.currency'), usual: DEFAULT_CURRENCY },
    { option: 'autopay', name: 'enableAutopay' },
    { option: 'promo', name: 'appliedPromoCodeId' },
    { option: 'lang', name: assume('checkout.language') },
  ];
}

/** Reads a value of `--field` by the rules of the field's flag, which an error names. */
export function readAsFlag({ name, option }: PaymentField, value: unknown): unknown {
  const called = `--field ${name}`;
  const flag = `--${option}`;
  try {
    if (option === 'autopay') return requireBoolean(value, called, `${name}:=true`);
    return text((word) => BUY_OPTIONS[option].read([word], called))(value, called);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw usageError(
      error.message,
      toNextStep(error.details.hint).say?.replace(called, flag) ?? `Use ${flag}.`,
    );
  }
}
