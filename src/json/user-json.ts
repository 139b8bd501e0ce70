import { usageError } from '../errors.ts';
import { MAX_LEVELS, scan } from './scan.ts';
import { DECIMAL } from './values.ts';

interface ReadJsonOptions {
  /** Refuses numbers that JavaScript cannot represent exactly, for values that will be sent. */
  readonly exactNumbers?: boolean;
  /** Replaces the hint "Fix line N.". */
  readonly hint?: string;
}

interface JsonFault {
  readonly reason: string;
  /** Index in the text. */
  readonly at: number;
}

const MAX_NAME_LENGTH = 80;

/** Reads JSON from the user, called `name` in messages. Throws a usage error with line and column. */
export function readUserJson(text: string, name: string, options: ReadJsonOptions = {}): unknown {
  const fault = findJsonFault(text, options.exactNumbers);
  if (fault === undefined) return JSON.parse(text) as unknown;
  const before = text.slice(0, fault.at);
  const line = before.split('\n').length;
  const column = fault.at - before.lastIndexOf('\n');
  throw usageError(
    `${name} cannot be read as JSON: ${fault.reason} (line ${line}, column ${column}).`,
    options.hint ?? `Fix line ${line}.`,
  );
}

const EXPECTED = {
  value: 'a value is expected',
  firstItem: 'a value or ] is expected',
  name: 'a name in double quotes is expected',
  firstName: 'a name in double quotes or } is expected',
  colon: 'a colon is expected',
  comma: 'a comma or the closing bracket is expected',
  nothing: 'nothing more is expected',
};

type Expected = keyof typeof EXPECTED;

/** The tokens that may come next, by their first characters; 0 is a number or a word. A comma has the closing bracket beside it. */
const ALLOWED: Readonly<Record<Expected, string>> = {
  value: '{["0',
  firstItem: '{["0]',
  name: '"',
  firstName: '"}',
  colon: ':',
  comma: ',',
  nothing: '',
};

/**
 * Returns the first fault of JSON text. A name that an object has twice is a fault: parsers disagree about which value
 * counts. `JSON.parse` cannot locate faults: its messages differ between versions of Node.
 */
export function findJsonFault(text: string, exactNumbers = false): JsonFault | undefined {
  const open: OpenBrackets = [];
  let expected = 'value' as Expected;
  let fault: JsonFault | undefined;
  /** The first fault of valid JSON. */
  let lesser: JsonFault | undefined;
  scan(text, (first, start, end) => {
    const kind = '{}[]:,"'.includes(first) ? first : '0';
    const token: JsonToken = { kind, text: text.slice(start, end), at: start, isClosed: end <= text.length };
    fault = findTokenFault(text, token, expected, open);
    if (fault !== undefined) return true;
    const isName = kind === '"' && (expected === 'name' || expected === 'firstName');
    if (isName) lesser ??= findRepeated(open.at(-1), token);
    else if (kind === '0' && exactNumbers) lesser ??= findInexact(token);
    openOrClose(kind, open);
    expected = isName ? 'colon' : expectedAfter(kind, open);
    return undefined;
  });
  if (fault !== undefined) return fault;
  return expected === 'nothing' ? lesser : { reason: `it ends early; ${EXPECTED[expected]}`, at: text.length };
}

interface JsonToken {
  /** Its first character; 0 for a number or a word. */
  readonly kind: string;
  readonly text: string;
  /** Index in the whole text. */
  readonly at: number;
  /** False for a string that the text ends in. */
  readonly isClosed: boolean;
}

/** For each open bracket the names of its object so far, or undefined for an array. */
type OpenBrackets = (Set<unknown> | undefined)[];

/** Returns why a token makes the text no JSON. */
function findTokenFault(json: string, token: JsonToken, expected: Expected, open: OpenBrackets): JsonFault | undefined {
  const { kind, at } = token;
  if (kind === '0' && !isScalar(token.text)) return notJson(json, at);
  if (!`${ALLOWED[expected]}${closingAfter(expected, open)}`.includes(kind)) return { reason: EXPECTED[expected], at };
  if (kind === '"') return findStringFault(token);
  return open.length === MAX_LEVELS && '{['.includes(kind) ? tooDeep(at) : undefined;
}

function closingAfter(expected: Expected, open: OpenBrackets): string {
  if (expected !== 'comma') return '';
  return open.at(-1) === undefined ? ']' : '}';
}

function openOrClose(kind: string, open: OpenBrackets): void {
  if (kind === '{') open.push(new Set());
  else if (kind === '[') open.push(undefined);
  else if (kind === '}' || kind === ']') open.pop();
}

/** Returns what follows a token that is no name. */
function expectedAfter(kind: string, open: readonly unknown[]): Expected {
  if (kind === '{') return 'firstName';
  if (kind === '[') return 'firstItem';
  if (kind === ':') return 'value';
  if (kind === ',') return open.at(-1) === undefined ? 'value' : 'name';
  return open.length === 0 ? 'nothing' : 'comma';
}

function isScalar(token: string): boolean {
  return DECIMAL.test(token) || token === 'true' || token === 'false' || token === 'null';
}

function notJson(text: string, at: number): JsonFault {
  return { reason: `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} is not JSON`, at };
}

function tooDeep(at: number): JsonFault {
  return { reason: `it nests deeper than ${MAX_LEVELS} levels`, at };
}

/** A control character or a backslash. */
const SUSPECT = /[^ -[\]-\uffff]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

function findStringFault({ text, at: start, isClosed }: JsonToken): JsonFault | undefined {
  SUSPECT.lastIndex = 0;
  for (let found = SUSPECT.exec(text); found !== null; found = SUSPECT.exec(text)) {
    const at = start + found.index;
    ESCAPE.lastIndex = found.index;
    if (found[0] !== '\\') return { reason: 'a string contains a line break or another control character', at };
    if (!ESCAPE.test(text)) return { reason: 'a string contains an escape that JSON does not have', at };
    SUSPECT.lastIndex = ESCAPE.lastIndex;
  }
  return isClosed ? undefined : { reason: 'a string is not closed', at: start };
}

function findRepeated(names: Set<unknown> | undefined, { text, at }: JsonToken): JsonFault | undefined {
  const name: unknown = JSON.parse(text);
  const written = text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…"` : text;
  if (names?.has(name)) return { reason: `the name ${written} is there twice`, at };
  names?.add(name);
  return undefined;
}

function findInexact({ text, at }: JsonToken): JsonFault | undefined {
  return /[-\d]/.test(text) && !isExact(text) ? { reason: 'the number cannot be sent exactly', at } : undefined;
}

/** Whether JavaScript keeps a number: whole numbers to the last digit, others unless they overflow. */
function isExact(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(number) || String(value) === number || BigInt(number) === BigInt(value);
}
