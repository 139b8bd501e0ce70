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
  const finder = new FieldFinder(text, name);
  scan(text, (first, start, end) => finder.visit(first, start, end));
  return finder.value;
}

/** The change of depth behind a token. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
]);

/** Looks at the fields of the outermost object. */
class FieldFinder {
  value: string | undefined;
  readonly #text: string;
  readonly #name: string;
  #depth = 0;
  #key = '';
  #valueStart: number | undefined;

  constructor(text: string, name: string) {
    this.#text = text;
    this.#name = name;
  }

  visit(first: string, start: number, end: number): undefined {
    if (this.#depth === 1) this.#visitMember(first, start, end);
    this.#depth += DEPTHS.get(first) ?? 0;
  }

  #visitMember(first: string, start: number, end: number): void {
    if (this.#valueStart === undefined) {
      if (first === ':') this.#valueStart = end;
      if (first === '"') this.#key = this.#text.slice(start, end);
      return;
    }

    if (first !== ',' && first !== '}') return;
    if (JSON.parse(this.#key) === this.#name)
      this.value = this.#text.slice(this.#valueStart, start).trim();
    this.#valueStart = undefined;
  }
}

/** Writes JSON without white space, and its strings as jq does; undefined for what jq changes. */
function writeCompact(text: string): string | undefined {
  if (SURROGATE.test(text) || repeatsName(text)) return undefined;

  const parts: string[] = [];
  scan(text, (first, start, end) => {
    const token = text.slice(start, end);
    parts.push(first === '"' ? JSON.stringify(JSON.parse(token)) : token);
    return undefined;
  });
  return parts.join('');
}

/** Whether an object has two fields with the same name, of which jq keeps one. */
function repeatsName(text: string): boolean {
  const open: Array<Set<string> | undefined> = [];
  let last = '';
  let isRepeated = false;
  scan(text, (first, start, end) => {
    const names = first === '"' && last !== ':' ? open.at(-1) : undefined;
    if (names !== undefined) isRepeated = addsAgain(names, text.slice(start, end));
    if (first === '{' || first === '[') open.push(first === '{' ? new Set() : undefined);
    if (first === '}' || first === ']') open.pop();
    last = first;
    return isRepeated;
  });
  return isRepeated;
}

/** Adds a name, and returns whether it was there. */
function addsAgain(names: Set<string>, token: string): boolean {
  const name = JSON.parse(token);
  const isThere = names.has(name);
  names.add(name);
  return isThere;
}
