import { quoted, usageError } from '../../errors.ts';
import { RawJson } from '../../json/raw-json.ts';
import { readUserJson } from '../../json/user-json.ts';
import { example } from './choice.ts';

/**
 * Parses `key=value` and `key:=json` into an object without a prototype. Throws a usage error, which never repeats a
 * value: it may be a secret. `nested` opens an object at a dot of a key; `raw` keeps a JSON value
 * as its text.
 */
export function parseFields(
  list: readonly string[],
  flag: string,
  { nested = false, raw = false }: { readonly nested?: boolean; readonly raw?: boolean } = {},
): Fields {
  const root: Fields = Object.create(null);
  // By keys with dots; a value may be an object, too.
  const opened = new Set<unknown>([root]);
  for (const text of list) {
    const field = readField(text, flag, raw);
    place(root, field, nested ? field.key.split('.') : [field.key], flag, opened);
  }
  return root;
}

/** Whether JSON lost its quotes, as Windows PowerShell 5 passes it on. */
function isUnquotedJson(text: string): boolean {
  return /^\s*[{[]/.test(text) && /[a-z]/i.test(text) && !text.includes('"');
}

type Fields = Record<string, unknown>;

function readField(text: string, flag: string, raw: boolean) {
  const equals = text.indexOf('=');
  const form = `${example(flag, 'key=value')} (or key:=json)`;
  // The text may be a value alone, so it is not repeated.
  if (equals < 0) throw usageError(`${flag} needs key=value, and there is no equals sign.`, form);
  const isJson = text[equals - 1] === ':';
  const key = text.slice(0, isJson ? equals - 1 : equals);
  if (/^'.*'$/s.test(text) || (!isJson && /^".*"$/s.test(text)))
    throw usageError(
      `${flag} has quotes around it, which the shell has left there.`,
      'cmd keeps single quotes: put double quotes around the whole.',
    );
  if (key === '') throw usageError(`${flag} has an empty key.`, form);
  if (key.trim() !== key)
    throw usageError(`${flag} has white space around the key ${quoted(key)}.`, form);
  const value = text.slice(equals + 1);
  if (!isJson) return { key, value };
  const hint = isUnquotedJson(value)
    ? `A shell took its double quotes away. In PowerShell and cmd, write \\" for each: ${flag} '${key}:={\\"name\\":1}'`
    : `To send it as text: ${flag} ${key}=…`;
  const read = readUserJson(value, `The value of ${flag} ${quoted(key)}`, {
    isRaw: raw,
    isSecret: true,
    hint,
  });
  return { key, value: raw ? new RawJson(value) : read };
}

function place(
  root: Fields,
  field: ReturnType<typeof readField>,
  path: readonly string[],
  flag: string,
  opened: Set<unknown>,
): void {
  const key = quoted(field.key);
  const clash = () =>
    usageError(`${flag} ${key} is both a value and an object with fields.`, 'Leave one out.');
  if (path.includes(''))
    throw usageError(`${flag} ${key} has an empty part between its dots.`, example(flag, 'a.b=c'));
  let branch = root;
  for (const part of path.slice(0, -1)) {
    const next = (branch[part] ?? Object.create(null)) as Fields;
    if (part in branch && !opened.has(next)) throw clash();
    opened.add(next);
    branch[part] = next;
    branch = next;
  }
  const last = path.at(-1) ?? '';
  if (last in branch && opened.has(branch[last])) throw clash();
  if (last in branch) throw usageError(`${flag} ${key} is given twice.`, 'Give every key once.');
  branch[last] = field.value;
}
