import { asArray, asBoolean, asObject, asText, isObject, type JsonObject } from '../json/values.ts';
import type { Field, Fields } from './fields/field.ts';

/** Returns undefined for a value of another kind. */
type Reader = (value: unknown) => unknown;
type Readers = Readonly<Record<string, Reader>>;

export const objectOrNothing: Reader = (value) => (isObject(value) ? value : undefined);

const arrayOfObjects: Reader = (value) => (Array.isArray(value) && asArray(value).every(isObject) ? value : undefined);

/** A number may be text, and the other way round: both are shown as they came. */
const READERS: Readonly<Record<Field['type'], Reader>> = {
  string: asText,
  time: asText,
  integer: asText,
  number: asText,
  boolean: asBoolean,
  object: objectOrNothing,
  array: arrayOfObjects,
  unknown: (value) => value,
};

/** Returns a reader for each field of a table, or for those named. */
export function readersOf<F extends Fields>(
  fields: F,
  names = Object.keys(fields) as readonly (keyof F & string)[],
): Readers {
  return Object.fromEntries(names.map((name) => [name, READERS[fields[name]?.type ?? 'unknown']]));
}

/** Returns the parts with unread fields; each part is a result of {@link unreadFields}. */
export function unreadParts(parts: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(parts).filter(([, fields]) => Object.keys(fields).length > 0));
}

/** Returns the fields without a reader and those that their reader refuses, except a known field that is empty or null. */
export function unreadFields(value: unknown, readers: Readers): JsonObject {
  const unread = Object.entries(asObject(value)).filter(([name, field]) => {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    return reader === undefined || (field !== null && field !== '' && reader(field) === undefined);
  });
  return Object.fromEntries(unread);
}
