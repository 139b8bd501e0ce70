import type { Needs } from '../../cli/define/context.ts';
import { closest } from '../../cli/values/text.ts';
import type { OrderItem } from '../../contract/types.ts';
import { quote, usageError } from '../../errors.ts';
import { readUserJson } from '../../json/user-json.ts';
import { isObject } from '../../json/values.ts';
import { type BuyOptions, isGiven } from './options.ts';
import { ITEM_FIELDS, ITEM_KEYS, parseOrderItem, requireBoolean, text } from './order-item.ts';

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
  if (options.item.length > 0) return options.item.map((item) => parseOrderItem(item, '--item'));
  if (given.length === 0) return [];
  const parts = given.map((name) => ITEM_FIELDS[name](String(options[name]), `--${name}`));
  return [Object.assign({}, ...parts) as OrderItem];
}

const EXAMPLE = 'For example: [{"planId": "…", "quantity": 1}, {"domain": "example.com"}]';

/** The readers of an item in JSON, by the names of the API. */
const CHECKS: Readonly<Record<keyof OrderItem, (value: unknown, field: string) => OrderItem>> = {
  planId: text(ITEM_FIELDS.plan),
  domain: text(ITEM_FIELDS.domain),
  label: text(ITEM_FIELDS.label),
  quantity: (value, field) => {
    if (typeof value === 'number') return ITEM_FIELDS.quantity(String(value), field);
    throw usageError(`${field} is not a number.`, 'For example: "quantity": 1');
  },
  renew: (value, field) => ({ renew: requireBoolean(value, field, '"renew": true') }),
};

const NAMES = Object.keys(CHECKS) as readonly (keyof OrderItem)[];

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
  let item: OrderItem = {};
  for (const [name, inner] of Object.entries(value)) {
    const known = NAMES.find((candidate) => candidate === name);
    if (known === undefined) {
      const message = `${where}: ${quote(name)} is not a field of an item; there are ${NAMES.join(', ')}.`;
      const meant = closest(name, NAMES);
      throw usageError(message, meant && `Did you mean ${quote(meant)}?`);
    }
    item = { ...item, ...CHECKS[known](inner, `${where}: ${known}`) };
  }
  return item;
}
