import { findRepeatedName, replaceNumbers } from './scan.ts';
import { isObject, parseJson } from './values.ts';

const NAME = /^[A-Za-z_]\w*$/;

/** Returns the names of a filter such as `.user.email`; undefined for any other filter. */
export function parsePath(filter: string): readonly string[] | undefined {
  if (!filter.startsWith('.')) return undefined;
  const names = filter.slice(1).split('.');
  return names.every((name) => NAME.test(name)) ? names : undefined;
}

/** Stands before the digits of a number, which become a string, and in no other. */
const MARK = '\\u0000';
const MARKED = /"\\u0000([^"]*)"/g;

/** Halves of a character, which jq replaces; names that JavaScript would sort; the mark. */
const LEFT_TO_JQ = /\\u[dD][89a-fA-F]|"\d+"\s*:|\\u0000/;

/**
 * Follows the names in JSON text, as jq does. Numbers keep their bytes.
 * @returns undefined for text that jq reads in ways of its own
 */
export function followPath(
  json: string,
  names: readonly string[],
):
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'no-fields'; readonly type: string; readonly name: string }
  | undefined {
  if (parseJson(json) === undefined || LEFT_TO_JQ.test(json)) return undefined;
  if (findRepeatedName(json) !== undefined) return undefined;

  let value = parseJson(replaceNumbers(json, (number) => `"${MARK}${number}"`));

  for (const name of names) {
    if (value === null) break;
    if (!isObject(value)) return { kind: 'no-fields', type: getType(value), name };
    value = Object.hasOwn(value, name) ? value[name] : null;
  }
  return { kind: 'value', text: JSON.stringify(value).replace(MARKED, '$1') };
}

function getType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' && value.startsWith('\0') ? 'number' : typeof value;
}
