/** How deep JSON that a user gives may nest. */
const DEEPEST = 200;

/** What is wrong with JSON text, and how many characters precede it. */
export interface JsonFault {
  readonly reason: string;
  readonly at: number;
}

/** What may follow at a place in JSON text, and how a message says so. */
const EXPECTED = {
  value: 'a value is expected',
  firstItem: 'a value or ] is expected',
  name: 'a name in double quotes is expected',
  firstName: 'a name in double quotes or } is expected',
  colon: 'a colon is expected',
  comma: 'a comma or the closing bracket is expected',
  nothing: 'nothing more is expected',
} as const;

/** Names that a message repeats, in characters. */
const LONGEST_NAME = 80;

type Expected = keyof typeof EXPECTED;
type Kind = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'scalar';

interface Token {
  readonly kind: Kind;
  readonly end: number;
}

const SPACE = /[ \t\r\n]*/y;
const PUNCTUATION = /[{}[\]:,]/y;
const WORD = /(?:true|false|null)(?![\w])/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * The first fault of JSON text (RFC 8259), `undefined` when it has none. A name that an object has twice is one: readers
 * disagree about which of the values counts.
 * An own scanner, because the position in the message of `JSON.parse` differs between versions of Node and is sometimes
 * missing, and because it says no to depth before recursive code meets it.
 */
export function findJsonFault(text: string, exactNumbers = false): JsonFault | undefined {
  const closers: Kind[] = [];
  /** Of the objects that are open, by their depth. */
  const names = new Map<number, Set<string>>();
  let expected: Expected = 'value';
  let at = matchEnd(SPACE, text, 0) ?? 0;
  while (at < text.length) {
    const token = readToken(text, at, exactNumbers);
    if ('reason' in token) return token;
    const next = advance(expected, token.kind, closers);
    if (next === undefined) return { reason: EXPECTED[expected], at };
    if (token.kind === '{') names.set(closers.length, new Set());
    if (next === 'colon' && isTaken(names.get(closers.length) ?? new Set(), text.slice(at, token.end))) {
      return { reason: `the name ${shortened(text.slice(at, token.end))} is there twice`, at };
    }
    if (closers.length > DEEPEST) return { reason: `it nests deeper than ${DEEPEST} levels`, at };
    expected = next;
    at = matchEnd(SPACE, text, token.end) ?? token.end;
  }
  return expected === 'nothing' ? undefined : { reason: `it ends early; ${EXPECTED[expected]}`, at };
}

/** Whether a name, as it stands in the text, is among those of its object; it is from now on. */
function isTaken(names: Set<string>, text: string): boolean {
  const name = String(JSON.parse(text));
  const isTaken = names.has(name);
  names.add(name);
  return isTaken;
}

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…"` : name;
}

/** What may come after a token, `undefined` where the token may not come; keeps the brackets still to be closed. */
function advance(expected: Expected, kind: Kind, closers: Kind[]): Expected | undefined {
  const isEnd = kind === closers.at(-1) && (expected === 'comma' || expected.startsWith('first'));
  if (isEnd) closers.pop();
  if (isEnd) return afterValue(closers);
  if (expected === 'value' || expected === 'firstItem') return open(kind, closers);
  if (expected === 'name' || expected === 'firstName') return kind === 'string' ? 'colon' : undefined;
  if (expected === 'colon') return kind === ':' ? 'value' : undefined;
  if (expected === 'comma' && kind === ',') return closers.at(-1) === '}' ? 'name' : 'value';
  return undefined;
}

function open(kind: Kind, closers: Kind[]): Expected | undefined {
  if (kind === 'string' || kind === 'scalar') return afterValue(closers);
  if (kind !== '{' && kind !== '[') return undefined;
  closers.push(kind === '{' ? '}' : ']');
  return kind === '{' ? 'firstName' : 'firstItem';
}

function afterValue(closers: readonly Kind[]): Expected {
  return closers.length === 0 ? 'nothing' : 'comma';
}

function readToken(text: string, at: number, exactNumbers: boolean): Token | JsonFault {
  if (text[at] === '"') return readString(text, at);
  const punctuation = matchEnd(PUNCTUATION, text, at);
  if (punctuation !== undefined) return { kind: text[at] as Kind, end: punctuation };
  const word = matchEnd(WORD, text, at);
  if (word !== undefined) return { kind: 'scalar', end: word };
  const end = matchEnd(NUMBER, text, at);
  if (end === undefined)
    return { reason: `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} is not JSON`, at };
  if (exactNumbers && !isExact(text.slice(at, end))) return { reason: 'the number cannot be sent exactly', at };
  return { kind: 'scalar', end };
}

/** A loop and not one expression: a long string would exhaust the expression's stack. */
function readString(text: string, start: number): Token | JsonFault {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: 'string', end: at + 1 };
    if (code < 0x20) return { reason: 'a string holds a line break or another control character', at };
    const next = code === 0x5c ? matchEnd(ESCAPE, text, at) : at + 1;
    if (next === undefined) return { reason: 'a string holds an escape that JSON does not have', at };
    at = next;
  }
  return { reason: 'a string is not closed', at: start };
}

/** Whether a number is the same when it is read and written again: to its last digit where it is whole, else unless it overflows. */
function isExact(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(text) || String(value) === text || BigInt(text) === BigInt(value);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
