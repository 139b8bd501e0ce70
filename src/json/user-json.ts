import { usageError } from '../errors.ts';
import { createJsonChecker, type Expected } from './checker.ts';
import { endOfString, MOST_LEVELS, replaceNumbers } from './tokens.ts';

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

const LONGEST_NAME = 80;

const EXPECTED: Readonly<Record<Exclude<Expected, 'string' | 'escape' | 'scalar'>, string>> = {
  value: 'a value is expected',
  firstItem: 'a value or ] is expected',
  name: 'a name in double quotes is expected',
  firstName: 'a name in double quotes or } is expected',
  colon: 'a colon is expected',
  comma: 'a comma or the closing bracket is expected',
  nothing: 'nothing more is expected',
};

/** The start of a JSON token, though perhaps one that is not allowed here. */
const TOKEN = /[{}[\]:,"\d-]|(?:true|false|null)(?!\w)/y;

/** Reads JSON from the user, called `name` in messages. Throws a usage error with line and column. */
export function readJson(text: string, name: string, options: ReadJsonOptions = {}): unknown {
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

/**
 * Returns the first fault of JSON text. A name that an object has twice is a fault: parsers disagree about which value
 * counts. `JSON.parse` cannot locate faults: its messages differ between versions of Node.
 */
export function findJsonFault(text: string, exactNumbers = false): JsonFault | undefined {
  return findSyntaxFault(text) ?? findRepeatedName(text) ?? (exactNumbers ? findInexactNumber(text) : undefined);
}

function findSyntaxFault(text: string): JsonFault | undefined {
  const bytes = Buffer.from(text);
  const checker = createJsonChecker();
  const index = checker.check(bytes);
  const expected = checker.expected();
  if (index === -1) return expected === 'nothing' ? undefined : faultAt(text, text.length, expected);
  return faultAt(text, bytes.toString('utf8', 0, index).length, expected);
}

function faultAt(text: string, at: number, expected: Expected): JsonFault {
  const isEnd = at === text.length;
  if (expected === 'string') {
    if (isEnd) return { reason: 'a string is not closed', at: startOfLastString(text) };
    return { reason: 'a string holds a line break or another control character', at };
  }
  if (expected === 'escape') {
    return { reason: 'a string holds an escape that JSON does not have', at: text.lastIndexOf('\\', at - 1) };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (expected === 'scalar' || (/[\w.]/.test(character) && /\w/.test(text[at - 1] ?? ''))) {
    return notJson(text, startOfScalar(text, at));
  }
  if (isEnd) return { reason: `it ends early; ${EXPECTED[expected]}`, at };
  const isValue = expected === 'value' || expected === 'firstItem';
  if (isValue && /[[{]/.test(character)) return { reason: `it nests deeper than ${MOST_LEVELS} levels`, at };
  TOKEN.lastIndex = at;
  return TOKEN.test(text) ? { reason: EXPECTED[expected], at } : notJson(text, at);
}

function notJson(text: string, at: number): JsonFault {
  return { reason: `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} is not JSON`, at };
}

function startOfLastString(text: string): number {
  let start = text.indexOf('"');
  for (;;) {
    const next = text.indexOf('"', endOfString(text, start + 1) + 1);
    if (next === -1) return start;
    start = next;
  }
}

function startOfScalar(text: string, at: number): number {
  let start = at;
  while (/[\w.+-]/.test(text[start - 1] ?? '')) start -= 1;
  return start;
}

/** Takes valid JSON, so every string before a colon is a name. */
function findRepeatedName(text: string): JsonFault | undefined {
  const open: Set<string>[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      start = at;
      at = endOfString(text, at + 1);
      end = at + 1;
    } else if (character === ':') {
      const written = text.slice(start, end);
      const name = String(JSON.parse(written));
      const names = open.at(-1);
      if (names?.has(name)) return { reason: `the name ${shortened(written)} is there twice`, at: start };
      names?.add(name);
    }
  }
  return undefined;
}

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…"` : name;
}

function findInexactNumber(text: string): JsonFault | undefined {
  let fault: JsonFault | undefined;
  replaceNumbers(text, (number, at) => {
    if (!isExact(number)) fault ??= { reason: 'the number cannot be sent exactly', at };
    return number;
  });
  return fault;
}

/** Whether JavaScript keeps a number: whole numbers to the last digit, others unless they overflow. */
function isExact(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(text) || String(value) === text || BigInt(text) === BigInt(value);
}
