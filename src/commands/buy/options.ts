import {
  choice,
  fileOption,
  flag,
  LESS_USED,
  list,
  longName,
  off,
  option,
  optionalValue,
  under,
  type Values,
} from '../../cli/values/parameters.ts';
import { parsePhone } from '../../cli/values/phone.ts';
import { example } from '../../cli/values/text.ts';
import { ORDER_BODY } from '../../contract/fields/operations.ts';
import { hasControl } from '../../contract/text.ts';
import { quote, usageError } from '../../errors.ts';
import { parseOrderKey } from '../../orders/entry.ts';

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

/** Whether the line has an option, other than `--no-browser`. */
export function isGiven(options: BuyOptions, name: keyof BuyOptions): boolean {
  const value = options[name];
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== false;
}

/** Throws a usage error for any option but `--no-browser` beside `--resume`. */
export function checkResumedAlone(options: BuyOptions): void {
  const names = Object.keys(BUY_OPTIONS) as readonly (keyof BuyOptions)[];
  const other = names.find(
    (name) => name !== 'resume' && name !== 'browser' && isGiven(options, name),
  );
  if (!other) return;
  const name = longName(other, BUY_OPTIONS[other]);
  throw usageError(`--resume and ${name} cannot be used together.`, 'svc buy --resume');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** RFC 9562; returned in lower case. Throws a usage error. */
export function parseUuid(text: string, field: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw usageError(
    `${field} ${quote(text)} is not a UUID.`,
    'Copy the whole id: 32 hexadecimal digits in groups of 8-4-4-4-12.',
  );
}

/** Throws a usage error for what no platform would call a network. */
export function parseNetwork(text: string, field: string): string {
  const network = readText(text, field).trim();
  if (/^[a-z0-9][\w-]{0,39}$/i.test(network)) return network;
  throw usageError(
    `${field} ${quote(text)} is not a network code, such as mtn.`,
    example(field, 'mtn'),
  );
}

/** Throws a usage error for blank text and control characters. */
export function readText(text: string, field: string): string {
  const isBlank = text.trim() === '';
  if (!isBlank && !hasControl(text)) return text;
  const fault = isBlank ? 'is empty' : 'has a control character in it';
  throw usageError(`${field} ${fault}.`, `For example: ${field}=…`);
}
