import type { Field, Fields, UncheckedOf, Unread } from '../contract/fields/field.ts';
import { tryOr } from '../errors.ts';

/** An object of parsed JSON. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether a value is an object, and neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns an object, or an empty one for any other value. A documented object has the fields of the
 * table and no other.
 */
export function asObject<F extends Fields>(value: Unread<F> | undefined): UncheckedOf<F>;
export function asObject(value: unknown): JsonObject;
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns an array, or an empty one for any other value. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses JSON; returns undefined for any other text. */
export function parseJson(text: string): unknown {
  return tryOr(() => JSON.parse(text), undefined);
}

/** Returns a non-empty string, or a number as text; undefined for any other value. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A number in the syntax of JSON: no plus sign, no leading zero. */
export const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a number or its text; returns NaN for any other value. */
export function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}

/** Returns a boolean; undefined for any other value, `"true"` and 1 included. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Reads a boolean, 1 or 0, or the text `true` or `false`; returns undefined for any other value. */
export function asYesOrNo(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true' || word === 1) return true;
  return word === false || word === 'false' || word === 0 ? false : undefined;
}

/** Finds a field that no type knows; undefined if the value is not an object. */
export function findField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Returns the fields of an object except the named ones, in their order. */
export function otherFields(value: unknown, named: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(asObject(value)).filter(([name]) => !named.includes(name)),
  );
}

type Reader = (value: unknown) => unknown;
type Readers = Readonly<Record<string, Reader>>;

/** Returns an object; undefined for any other value. */
export const objectOrNothing: Reader = (value) => (isObject(value) ? value : undefined);

/** The readers of the types that are not text: a number may be text, and the other way round. */
const READERS: Partial<Record<Field['type'], Reader>> = {
  boolean: asBoolean,
  object: objectOrNothing,
  array: (value) => (Array.isArray(value) && value.every(isObject) ? value : undefined),
  unknown: (value) => value,
};

/** Creates a reader for each field of a table, or for those named. */
export function createFieldReaders<F extends Fields>(
  fields: F,
  names = Object.keys(fields) as readonly (keyof F & string)[],
): Readers {
  return Object.fromEntries(
    names.map((name) => [name, READERS[fields[name]?.type ?? 'unknown'] ?? asText]),
  );
}

/** Returns the parts of which {@link unreadFields} left something. */
export function unreadParts(parts: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(
    Object.entries(parts).filter(([, fields]) => Object.keys(fields).length > 0),
  );
}

/**
 * Returns the fields without a reader or that their reader refuses, except a known field that is
 * empty or null.
 */
export function unreadFields(value: unknown, readers: Readers): JsonObject {
  const unread = Object.entries(asObject(value)).filter(([name, field]) => {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    return reader === undefined || (field !== null && field !== '' && reader(field) === undefined);
  });
  return Object.fromEntries(unread);
}
