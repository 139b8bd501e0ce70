import { parseDomain } from '../../cli/values/names.ts';
import {
  closest,
  example,
  parseChoice,
  parseQuantity,
  splitAtCommas,
} from '../../cli/values/text.ts';
import { hasControl } from '../../contract/text.ts';
import type { OrderItem } from '../../contract/types.ts';
import { quote, usageError } from '../../errors.ts';
import { asBoolean } from '../../json/values.ts';

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
/** The keys of `--item`. */
export const ITEM_KEYS = Object.keys(ITEM_FIELDS) as readonly Key[];

/**
 * Reads one item of an order, `plan=…,domain=…,label=…,quantity=…,renew=…` in any order; `renew`
 * alone is true. A comma in a value is written `\,` and a backslash `\\`. The platform decides
 * which fields an item needs. Throws a usage error.
 */
export function parseOrderItem(text: string, flag: string): OrderItem {
  if (text === '') throw usageError(`${flag} is empty.`, `For example: ${flag} plan=…`);
  let item: OrderItem = {};
  const seen = new Set<Key>();
  for (const part of splitAtCommas(text, flag)) {
    const [key, value] = readPair(part, flag);
    if (seen.has(key)) {
      throw usageError(`${flag} has ${key} twice.`, `Give ${flag} once for each item.`);
    }
    seen.add(key);
    item = { ...item, ...ITEM_FIELDS[key](value, `${flag} ${key}`) };
  }
  return item;
}

function readPair(part: string, flag: string): readonly [Key, string] {
  const equals = part.indexOf('=');
  const name = equals < 0 ? part : part.slice(0, equals);
  const key = ITEM_KEYS.find((known) => known === name);
  if (key === undefined) {
    throw usageError(
      `${flag} does not know ${quote(name)}; it accepts ${ITEM_KEYS.join(', ')}.`,
      `For example: ${flag} ${closest(name, ITEM_KEYS) ?? 'plan'}=… (write \\, for a comma within a value)`,
    );
  }
  if (equals >= 0) return [key, part.slice(equals + 1)];
  if (key === 'renew') return [key, 'true'];
  throw usageError(`${flag} has no value for ${key}.`, `For example: ${flag} ${key}=…`);
}

/** Throws a usage error for blank text and control characters. */
export function readText(text: string, field: string): string {
  const isBlank = text.trim() === '';
  if (!isBlank && !hasControl(text)) return text;
  const fault = isBlank ? 'is empty' : 'has a control character in it';
  throw usageError(`${field} ${fault}.`, `For example: ${field}=…`);
}

/** Makes a reader of JSON values. It throws a usage error for what is no text. */
export function text<T>(
  parse: (value: string, field: string) => T,
): (value: unknown, field: string) => T {
  return (value, field) => {
    if (typeof value === 'string') return parse(value, field);
    throw usageError(`${field} is not a text.`);
  };
}

/** @throws CliError `usage` for any other value than true or false, with the example. */
export function requireBoolean(value: unknown, field: string, example: string): boolean {
  const given = asBoolean(value);
  if (given !== undefined) return given;
  throw usageError(`${field} is neither true nor false.`, `For example: ${example}`);
}
