import { isObject, type JsonObject } from './values.ts';

/** A JSON value that keeps its text, such as `1.10`. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For code that writes JSON without {@link toJsonText}. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Writes JSON as `JSON.stringify` does, and {@link RawJson} as its text. */
export function toJsonText(value: unknown): string {
  return written(value, Object.entries);
}

/** With sorted fields: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return written(value, (object) =>
    Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function written(
  value: unknown,
  entriesOf: (object: JsonObject) => ReadonlyArray<[string, unknown]>,
): string {
  if (Array.isArray(value)) return `[${value.map((item) => written(item, entriesOf)).join(',')}]`;
  if (value instanceof RawJson) return value.text;
  if (!isObject(value) || typeof value['toJSON'] === 'function')
    return JSON.stringify(value) ?? 'null';
  const fields = entriesOf(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${written(field, entriesOf)}`).join(',')}}`;
}
