import { isObject } from './values.ts';

const TEXT = Symbol('text');

/** A JSON value that keeps its text, such as `1.10` or a number with more digits than a JavaScript number. */
export interface RawJson {
  readonly [TEXT]: string;
  /** For code that writes JSON without {@link toJsonText}. */
  toJSON(): unknown;
}

/** Wraps valid JSON text. */
export function rawJson(text: string): RawJson {
  return { [TEXT]: text, toJSON: () => JSON.parse(text) as unknown };
}

/** Returns undefined for any other value. */
export function rawTextOf(value: unknown): string | undefined {
  return isObject(value) && TEXT in value ? (value as unknown as RawJson)[TEXT] : undefined;
}

/** Writes JSON as `JSON.stringify` does, and {@link RawJson} as its text. */
export function toJsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(',')}]`;
  if (!isObject(value) || typeof value['toJSON'] === 'function') {
    return rawTextOf(value) ?? JSON.stringify(value) ?? 'null';
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJsonText(field)}`).join(',')}}`;
}

/** JSON with sorted fields, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}
