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

/** The value as text where it is a non-empty string or a number; `undefined` otherwise. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** The value where it is a boolean. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The fields of an object that are not among the named ones, in their order. */
export function otherFields(value: unknown, named: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(asObject(value)).filter(([name]) => !named.includes(name)));
}
