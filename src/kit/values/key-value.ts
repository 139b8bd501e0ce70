import { quoted, usageError } from '../../errors.ts';
import { RawJson } from '../../json/raw-json.ts';
import { readUserJson } from '../../json/user-json.ts';
import { example } from './choice.ts';

interface FieldOptions {
  /** A dot in a key opens an object: `a.b=c` is `{"a":{"b":"c"}}`. Otherwise a dot is an ordinary character. */
  readonly nested?: boolean;
  /** Keeps a JSON value as its text. Otherwise a number that JavaScript would change is refused. */
  readonly raw?: boolean;
}

/** An object under construction; a Map, so that no key is special. */
type Branch = Map<string, Branch | { readonly value: unknown }>;

const MAX_DEPTH = 32;

/**
 * Parses `key=value` (text, unchanged) and `key:=json` (any JSON value), split at the first `=`. The result has no
 * prototype, so `__proto__` is an ordinary key. Throws a usage error for an empty key, a key given twice and keys that
 * contradict each other; messages never repeat a value, which may be a secret.
 */
export function parseFields(
  list: readonly string[],
  flag: string,
  { nested = false, raw = false }: FieldOptions = {},
): Record<string, unknown> {
  const root: Branch = new Map();
  for (const text of list) {
    const field = readField(text, flag, raw);
    place(root, field, nested ? field.key.split('.') : [field.key], flag);
  }
  return toObject(root);
}

interface Field {
  readonly key: string;
  readonly value: unknown;
}

function readField(text: string, flag: string, raw: boolean): Field {
  const equals = text.indexOf('=');
  const form = `${example(flag, 'key=value')} (or key:=json)`;
  // The text may be a value alone, so it is not repeated.
  if (equals < 0) throw usageError(`${flag} needs key=value, and there is no equals sign.`, form);
  const isJson = text[equals - 1] === ':';
  const key = text.slice(0, isJson ? equals - 1 : equals);
  if (key === '') throw usageError(`${flag} has an empty key.`, form);
  if (key.trim() !== key) throw usageError(`${flag} has white space around the key ${quoted(key)}.`, form);
  const value = text.slice(equals + 1);
  if (!isJson) return { key, value };
  const hint = `To send it as text: ${flag} ${key}=…`;
  const read = readUserJson(value, `The value of ${flag} ${quoted(key)}`, { isRaw: raw, isSecret: true, hint });
  return { key, value: raw ? new RawJson(value) : read };
}

function place(root: Branch, field: Field, path: readonly string[], flag: string): void {
  const key = quoted(field.key);
  if (path.includes('')) throw usageError(`${flag} ${key} has an empty part between its dots.`, example(flag, 'a.b=c'));
  if (path.length > MAX_DEPTH) throw usageError(`${flag} ${key} nests deeper than ${MAX_DEPTH} levels.`);
  let branch = root;
  for (const part of path.slice(0, -1)) {
    const next = branch.get(part) ?? new Map();
    if (!(next instanceof Map)) throw contradiction(flag, key);
    branch.set(part, next);
    branch = next;
  }
  const last = path.at(-1) ?? '';
  const before = branch.get(last);
  if (before instanceof Map) throw contradiction(flag, key);
  if (before !== undefined) throw usageError(`${flag} ${key} is given twice.`, 'Give every key once.');
  branch.set(last, { value: field.value });
}

function contradiction(flag: string, key: string) {
  return usageError(`${flag} ${key} is both a value and an object with fields.`, 'Leave one of the two out.');
}

function toObject(branch: Branch): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, node] of branch) object[key] = node instanceof Map ? toObject(node) : node.value;
  return object;
}
