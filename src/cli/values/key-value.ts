import { quote, usageError } from '../../errors.ts';
import { readUserJson } from '../../json/user-json.ts';
import { RawJson } from '../../json/values.ts';
import { example } from './text.ts';

/**
 * Parses `key=value` and `key:=json` into an object without a prototype. Throws a usage error, which
 * never repeats a value: it may be a secret. `nested` opens an object at a dot of a key; `raw` keeps
 * a JSON value as its text.
 */
export function parseFields(
  list: readonly string[],
  flag: string,
  { nested = false, raw = false } = {},
): Fields {
  const root: Fields = Object.create(null);
  // The objects that keys with dots have opened; a value may be an object, too.
  const opened = new Set<unknown>([root]);
  for (const text of list) {
    const { key, value } = readField(text, flag, raw);
    const path = nested ? key.split('.') : [key];
    const problem = setField(root, opened, path, value);
    if (problem !== undefined) throw usageError(`${flag} ${quote(key)} ${problem}`);
  }
  return root;
}

type Fields = Record<string, unknown>;

function readField(text: string, flag: string, raw: boolean) {
  const equals = text.indexOf('=');
  const form = `${example(flag, 'key=value')} (or key:=json)`;
  // The text may be a value alone, so it is not repeated.
  if (equals < 0) throw usageError(`${flag} needs key=value, and there is no equals sign.`, form);
  const isJson = text[equals - 1] === ':';
  const key = text.slice(0, isJson ? equals - 1 : equals);
  if (/^'.*'$/s.test(text) || (!isJson && /^".*"$/s.test(text))) {
    throw usageError(
      `${flag} has quotes around it, which the shell has left there.`,
      'cmd keeps single quotes: put double quotes around the whole.',
    );
  }
  if (key === '') throw usageError(`${flag} has an empty key.`, form);
  if (key.trim() !== key) {
    throw usageError(`${flag} has white space around the key ${quote(key)}.`, form);
  }
  const value = text.slice(equals + 1);
  if (!isJson) return { key, value };
  // Windows PowerShell 5 passes JSON on without its quotes.
  const isUnquoted = /^\s*[{[]/.test(value) && /[a-z]/i.test(value) && !value.includes('"');
  const hint = isUnquoted
    ? `A shell took its double quotes away. In PowerShell and cmd, write \\" for each: ${flag} '${key}:={\\"name\\":1}'`
    : `To send it as text: ${flag} ${key}=…`;
  const read = readUserJson(value, `The value of ${flag} ${quote(key)}`, {
    isRaw: raw,
    isSecret: true,
    hint,
  });
  return { key, value: raw ? new RawJson(value) : read };
}

/** Returns what is wrong with the path, if anything is. */
function setField(
  root: Fields,
  opened: Set<unknown>,
  path: readonly string[],
  value: unknown,
): string | undefined {
  const clash = 'is both a value and an object with fields. Leave one out.';
  if (path.includes('')) return 'has an empty part between its dots.';

  let branch = root;
  for (const part of path.slice(0, -1)) {
    const next = (branch[part] ?? Object.create(null)) as Fields;
    if (part in branch && !opened.has(next)) return clash;
    opened.add(next);
    branch[part] = next;
    branch = next;
  }
  const last = path.at(-1) ?? '';
  if (last in branch) return opened.has(branch[last]) ? clash : 'is given twice.';
  branch[last] = value;
  return undefined;
}
