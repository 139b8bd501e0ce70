import { scan } from './scan.ts';
import { parseJson } from './values.ts';

/** What a path leads to: the text of a value, or a value that has no fields. */
export type PathResult =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'no-fields'; readonly type: string; readonly name: string };

const NAME = /^[A-Za-z_]\w*$/;
/** Halves of a character, which jq replaces. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Returns the names of a filter such as `.user.email`; undefined for any other filter. */
export function parsePath(filter: string): readonly string[] | undefined {
  if (!filter.startsWith('.')) return undefined;
  const names = filter.slice(1).split('.');
  return names.every((name) => NAME.test(name)) ? names : undefined;
}

/**
 * Follows the names in JSON text, as jq does. Numbers keep their bytes.
 * @returns undefined for text that jq reads in ways of its own
 */
export function followPath(json: string, names: readonly string[]): PathResult | undefined {
  // What is valid may be read by its tokens alone.
  if (parseJson(json) === undefined) return undefined;

  let text = json.trim();
  for (const name of names) {
    const type = getType(text);
    if (type === 'null') return { kind: 'value', text: 'null' };
    if (type !== 'object') return { kind: 'no-fields', type, name };
    text = findField(text, name) ?? 'null';
  }
  const compact = writeCompact(text);
  return compact === undefined ? undefined : { kind: 'value', text: compact };
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['{', 'object'],
  ['[', 'array'],
  ['"', 'string'],
  ['n', 'null'],
  ['t', 'boolean'],
  ['f', 'boolean'],
]);

function getType(text: string): string {
  return TYPES.get(text.charAt(0)) ?? 'number';
}

/** Finds the text of a field of an object; of two with the same name the last one counts. */
function findField(text: string, name: string): string | undefined {
  let depth = 0;
  let key = '';
  let valueStart: number | undefined;
  let found: string | undefined;

  scan(text, (first, start, end) => {
    const closes = first === '}' || first === ']';
    const isEndOfValue = depth === 1 && (first === ',' || first === '}');
    if (isEndOfValue && valueStart !== undefined) {
      if (JSON.parse(key) === name) found = text.slice(valueStart, start).trim();
      valueStart = undefined;
    } else if (depth === 1 && first === ':' && valueStart === undefined) valueStart = end;
    else if (depth === 1 && valueStart === undefined && first === '"') key = text.slice(start, end);

    if (first === '{' || first === '[') depth += 1;
    if (closes) depth -= 1;
    return undefined;
  });
  return found;
}

/** Writes JSON without white space, and its strings as jq does; undefined for what jq changes. */
function writeCompact(text: string): string | undefined {
  if (SURROGATE.test(text)) return undefined;

  const parts: string[] = [];
  const open: Array<Set<string> | undefined> = [];
  let last = '';
  let isChanged = false;
  scan(text, (first, start, end) => {
    const token = text.slice(start, end);
    const part = first === '"' ? JSON.stringify(JSON.parse(token)) : token;
    parts.push(part);

    const names = open.at(-1);
    if (first === '{') open.push(new Set());
    else if (first === '[') open.push(undefined);
    else if (first === '}' || first === ']') open.pop();
    else if (first === '"' && names !== undefined && last !== ':') {
      // Of two fields with the same name jq keeps one.
      isChanged ||= names.has(part);
      names.add(part);
    }
    last = first;
    return isChanged;
  });
  return isChanged ? undefined : parts.join('');
}
