/** A JSON object. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether the value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one where it is not. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array; an empty one where it is not. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value of JSON text; `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value as text where it is a non-empty string or a number; `undefined` otherwise. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A number as JSON writes one, which is how services put it into a text: no sign before it but a minus, no leading zero. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that a JSON value is, or that its text writes out; NaN for every other value. */
export function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}

/** The value where it is a boolean. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The value where it says yes or no: a boolean, 1 or 0, or the text `true` or `false`. */
export function asYesOrNo(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true' || word === 1) return true;
  return word === false || word === 'false' || word === 0 ? false : undefined;
}

/** The fields of an object that are not among the named ones, in their order. */
export function otherFields(value: unknown, named: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(asObject(value)).filter(([name]) => !named.includes(name)));
}

/** A value without some of its parts, found by identity; `undefined` where nothing else is in it. */
export function withoutParts(value: unknown, parts: ReadonlySet<unknown>): unknown {
  if (parts.has(value)) return undefined;
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, child]) => {
    const left = withoutParts(child, parts);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Makes something of a value, or `undefined` where it is of another kind. */
export type Reader = (value: unknown) => unknown;

/** The value where it is a JSON object. */
export const objectOrNothing: Reader = (value) => (isObject(value) ? value : undefined);

/** The value where it is an array. */
export const arrayOrNothing: Reader = (value) => (Array.isArray(value) ? value : undefined);

/** The parts of an answer of which something is unread; {@link unreadFields} of a part goes in. */
export function unreadParts(parts: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(parts).filter(([, fields]) => Object.keys(fields).length > 0));
}

/**
 * The fields of an object that have no reader, or that their reader makes nothing of: what a person has not seen yet.
 * A known field that is empty or null is left out.
 */
export function unreadFields(value: unknown, readers: Readonly<Record<string, Reader>>): JsonObject {
  const unread = Object.entries(asObject(value)).filter(([name, field]) => {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    return reader === undefined || (field !== null && field !== '' && reader(field) === undefined);
  });
  return Object.fromEntries(unread);
}
