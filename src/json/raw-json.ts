import { isObject } from './values.ts';

const TEXT = Symbol('text');

/** A JSON value that is sent as its text stands, such as `1.10` or a number with more digits than JavaScript holds. */
export interface RawJson {
  readonly [TEXT]: string;
  /** The value as JavaScript holds it, for code that writes JSON without {@link toJsonText}. */
  toJSON(): unknown;
}

/** Keeps valid JSON text as a value. */
export function rawJson(text: string): RawJson {
  return { [TEXT]: text, toJSON: () => JSON.parse(text) as unknown };
}

/** The text of a value that was kept raw; `undefined` for every other value. */
export function rawTextOf(value: unknown): string | undefined {
  return isObject(value) && TEXT in value ? (value as unknown as RawJson)[TEXT] : undefined;
}

/** A value as JSON text: as `JSON.stringify` writes it, but for what was kept raw. */
export function toJsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(',')}]`;
  if (!isObject(value) || typeof value['toJSON'] === 'function') {
    return rawTextOf(value) ?? JSON.stringify(value) ?? 'null';
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJsonText(field)}`).join(',')}}`;
}
