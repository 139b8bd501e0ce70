import { isObject, type JsonObject } from './values.ts';

/** A JSON value that keeps its text, such as `1.10`. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Serves code that writes JSON without {@link toJsonText}. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Writes JSON as `JSON.stringify` does, and {@link RawJson} as its text. */
export function toJsonText(value: unknown): string {
  return write(value, Object.entries);
}

/** Writes JSON with sorted fields: equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  return write(value, (object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function write(
  value: unknown,
  listFields: (object: JsonObject) => ReadonlyArray<[string, unknown]>,
): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, listFields)).join(',')}]`;
  if (value instanceof RawJson) return value.text;
  const hasOwnForm = !isObject(value) || typeof value['toJSON'] === 'function';
  if (hasOwnForm) return JSON.stringify(value) ?? 'null';

  const fields = listFields(value).filter(([, field]) => field !== undefined);
  const texts = fields.map(
    ([name, field]) => `${JSON.stringify(name)}:${write(field, listFields)}`,
  );
  return `{${texts.join(',')}}`;
}
