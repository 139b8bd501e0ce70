import type { Needs } from '../../cli/define/context.ts';
import { parseFields } from '../../cli/values/key-value.ts';
import { parseDomain } from '../../cli/values/names.ts';
import { closest, parseChoice, parseQuantity, splitAtCommas } from '../../cli/values/text.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { ORDER_BODY } from '../../contract/fields/operations.ts';
import type { OrderBody, OrderItem } from '../../contract/operations.ts';
import { CliError, quote, toNextStep, usageError } from '../../errors.ts';
import { readUserJson } from '../../json/user-json.ts';
import { isObject } from '../../json/values.ts';
import { DEFAULT_CURRENCY, DEFAULT_PAYMENT } from '../../orders/description.ts';
import { BUY_OPTIONS, type BuyOptions, isGiven, readText } from './options.ts';

/** An order as the line, a file and the answers of a person describe it. */
export interface OrderForm {
  readonly items: readonly OrderItem[];
  readonly options: BuyOptions;
}

/**
 * Builds the body of operation 3, without what equals the documented defaults: the usual order has
 * documented fields only. Throws a usage error for a `--field` that contradicts a flag, or has a
 * value that its flag would refuse.
 */
export function buildBody(
  { items, options }: OrderForm,
  { assume, settings }: Needs<'assume' | 'settings'>,
): OrderBody {
  const flags = listFlags(assume);
  const sent = flags.filter(
    ([option]) => isGiven(options, option) && options[option] !== DEFAULTS[option],
  );
  const extra = Object.entries(parseFields(options.field, '--field', { nested: true })).map(
    ([name, value]) => [name, readExtraField(name, value, flags, options)],
  );
  const lang = settings.choice('lang')?.value;
  // Only an order by card has a payment page.
  const usualLanguage = options.payment === 'credit_card' ? lang : undefined;
  if (usualLanguage !== undefined && options.lang === undefined) {
    parseChoice(usualLanguage, 'lang in the configuration file', ORDER_BODY.language.enum);
  }
  return {
    items,
    ...(usualLanguage !== undefined && { [assume('checkout.language')]: usualLanguage }),
    ...Object.fromEntries(sent.map(([option, name]) => [name, options[option]])),
    ...Object.fromEntries(extra),
  };
}

type Flag = readonly [option: keyof BuyOptions, name: string];

/** Lists the flags that have a field in the body, with the name that svc assumes for it. */
function listFlags(assume: Assume): readonly Flag[] {
  return [
    ['payment', assume('checkout.paymentMethod')],
    ['network', 'mobileMoneyNetwork'],
    ['phone', 'mobileMoneyPhone'],
    ['currency', assume('checkout.currency')],
    ['autopay', 'enableAutopay'],
    ['promo', 'appliedPromoCodeId'],
    ['lang', assume('checkout.language')],
  ];
}

/** The documented defaults of flags. */
const DEFAULTS: Partial<BuyOptions> = { payment: DEFAULT_PAYMENT, currency: DEFAULT_CURRENCY };

/** Reads a `--field`; if the field has a flag, by the rules of the flag, which an error names. */
function readExtraField(
  name: string,
  value: unknown,
  flags: readonly Flag[],
  options: BuyOptions,
): unknown {
  const called = `--field ${name}`;
  if (name === 'idempotencyKey') {
    throw usageError(`${called}: the key travels in a header.`, 'Use --idempotency-key <key>.');
  }
  if (name === 'items') {
    throw usageError(
      `${called}: items have options of their own.`,
      'Use --item, or --items <file>.',
    );
  }
  const [option] = flags.find(([, field]) => field === name) ?? [];
  if (!option) return value;

  const flag = `--${option}`;
  if (isGiven(options, option)) {
    throw usageError(`${called} contradicts ${flag}.`, `Use --field or ${flag}, not both.`);
  }
  try {
    if (option === 'autopay') return requireBoolean(value, called, `${name}:=true`);
    return BUY_OPTIONS[option].read([requireText(value, called)], called);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw usageError(
      error.message,
      toNextStep(error.details.hint).say?.replace(called, flag) ?? `Use ${flag}.`,
    );
  }
}

/** @throws CliError `usage` for what is no text. */
function requireText(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw usageError(`${field} is not a text.`);
}

/** @throws CliError `usage` for any other value than true or false, with the example. */
function requireBoolean(value: unknown, field: string, example: string): boolean {
  if (typeof value === 'boolean') return value;
  throw usageError(`${field} is neither true nor false.`, `For example: ${example}`);
}

const MAX_INPUT_BYTES = 5 * 1024 * 1024;

/** Reads the items of the line or of a file; possibly none. Throws a usage error. */
export async function readOrderItems(
  context: Needs<'io'>,
  options: BuyOptions,
): Promise<readonly OrderItem[]> {
  const given = ITEM_KEYS.filter((name) => isGiven(options, name));
  const several = (['item', 'items'] as const).filter((name) => isGiven(options, name));
  const ways = [...given.slice(0, 1), ...several].map((name) => `--${name}`);
  if (ways.length > 1) {
    throw usageError(
      `${ways.join(' and ')} do not mix.`,
      'For several items, repeat --item or use --items <file>.',
    );
  }
  if (options.items !== undefined) {
    const json = await context.io.readText(options.items, '--items', MAX_INPUT_BYTES);
    const source = options.items === '-' ? 'Standard input' : options.items;
    return parseItems(json, source);
  }
  if (given.length === 0) return options.item.map(parseOrderItem);
  const parts = given.map((name) => ITEM_FIELDS[name](String(options[name]), `--${name}`));
  return [mergeParts(parts)];
}

/** The readers of an item of the line, by the keys of `--item`. */
export const ITEM_FIELDS = {
  plan: (text: string, field: string) => ({ planId: readText(text, field).trim() }),
  domain: (text: string, field: string) => ({ domain: parseDomain(text, field).ascii }),
  label: (text: string, field: string) => ({ label: readText(text, field) }),
  quantity: (text: string, field: string) => ({ quantity: parseQuantity(text, field) }),
  renew: (text: string, field: string) => ({
    renew: parseChoice(text, field, ['true', 'false']) === 'true',
  }),
} as const;

type Key = keyof typeof ITEM_FIELDS;
const ITEM_KEYS = Object.keys(ITEM_FIELDS) as readonly Key[];

/**
 * Reads one item of an order, `plan=…,domain=…,label=…,quantity=…,renew=…` in any order; `renew`
 * alone is true. A comma in a value is written `\,` and a backslash `\\`. The platform decides
 * which fields an item needs. Throws a usage error.
 */
export function parseOrderItem(text: string): OrderItem {
  if (text === '') throw usageError('--item is empty.', 'For example: --item plan=…');
  let item: OrderItem = {};
  const seen = new Set<Key>();
  for (const part of splitAtCommas(text, '--item')) {
    const [key, value] = readPair(part);
    if (seen.has(key)) {
      throw usageError(`--item has ${key} twice.`, 'Give --item once for each item.');
    }
    seen.add(key);
    item = { ...item, ...ITEM_FIELDS[key](value, `--item ${key}`) };
  }
  return item;
}

function readPair(part: string): readonly [Key, string] {
  const [, name = '', value] = /^(.*?)(?:=(.*))?$/s.exec(part) ?? [];
  const key = ITEM_KEYS.find((known) => known === name);
  if (!key) {
    throw usageError(
      `--item does not know ${quote(name)}; it accepts ${ITEM_KEYS.join(', ')}.`,
      `For example: --item ${closest(name, ITEM_KEYS) ?? 'plan'}=… (write \\, for a comma within a value)`,
    );
  }
  if (value !== undefined) return [key, value];
  if (key === 'renew') return [key, 'true'];
  throw usageError(`--item has no value for ${key}.`, `For example: --item ${key}=…`);
}

/** The fields of an item in JSON, by the names of the API. */
const NAMES = ['planId', 'domain', 'label', 'quantity', 'renew'] as const;

const EXAMPLE = 'For example: [{"planId": "…", "quantity": 1}, {"domain": "example.com"}]';

/**
 * Refuses an unknown field: the platform would ignore it, and place another order than the one
 * meant.
 */
function parseItems(json: string, source: string): readonly OrderItem[] {
  const value = readUserJson(json, source);
  if (!Array.isArray(value)) throw usageError(`${source} is not a JSON array of items.`, EXAMPLE);
  if (value.length === 0) throw usageError(`${source} has no items.`, EXAMPLE);
  return value.map((item, index) => parseItem(item, `${source}, item ${index + 1}`));
}

function parseItem(value: unknown, where: string): OrderItem {
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw usageError(`${where} is not an item.`, EXAMPLE);
  }
  const parts = Object.entries(value).map(([name, inner]) => {
    const known = NAMES.find((candidate) => candidate === name);
    if (known) return readItemField(known, inner, `${where}: ${known}`);
    const message = `${where}: ${quote(name)} is not a field of an item; there are ${NAMES.join(', ')}.`;
    const meant = closest(name, NAMES);
    throw usageError(message, meant && `Did you mean ${quote(meant)}?`);
  });
  return mergeParts(parts);
}

function mergeParts(parts: readonly OrderItem[]): OrderItem {
  let item: OrderItem = {};
  for (const part of parts) item = { ...item, ...part };
  return item;
}

/** Reads a field of an item in JSON as its key of `--item` is read. */
function readItemField(name: keyof OrderItem, value: unknown, field: string): OrderItem {
  if (name === 'renew') return { renew: requireBoolean(value, field, '"renew": true') };
  if (name !== 'quantity') {
    return ITEM_FIELDS[name === 'planId' ? 'plan' : name](requireText(value, field), field);
  }
  if (typeof value === 'number') return ITEM_FIELDS.quantity(String(value), field);
  throw usageError(`${field} is not a number.`, 'For example: "quantity": 1');
}
