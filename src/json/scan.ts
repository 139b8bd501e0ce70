/** Deeper nesting only serves to break recursive code. */
export const MAX_LEVELS = 200;

const BACKSLASH = 0x5c;
/** The kinds of characters: `single` is a token of its own, `word` a part of a number or word. */
const KIND = { space: 0, single: 1, string: 2, word: 3 };
const PATTERNS = [/[ \t\n\r]/, /[^\w.+\-" \t\n\r]/, /"/, /[\w.+-]/];
const kinds = Uint8Array.from({ length: 128 }, (_, code) =>
  PATTERNS.findIndex((pattern) => pattern.test(String.fromCharCode(code))),
);

/**
 * Takes the first character of a token, and where it starts and ends. Returns true to end the scan.
 */
type Visit = (first: string, start: number, end: number) => boolean | undefined;

/**
 * Visits the tokens of a text: strings, numbers and words, and each other character but white
 * space. Accepts any text; a string that is not closed ends one behind the text.
 */
export function scan(text: string, visit: Visit): void {
  for (let start = 0, end = 0; start < text.length; start = end) {
    const kind = getKind(text, start);
    end = start + 1;
    if (kind === KIND.space) continue;
    if (kind === KIND.string) end = findStringEnd(text, end) + 1;
    while (kind === KIND.word && end < text.length && getKind(text, end) === KIND.word) end += 1;
    if (visit(text.charAt(start), start, end)) return;
  }
}

function getKind(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? KIND.single;
}

/** Finds the index of the closing quote; the length of the text without one. */
export function findStringEnd(text: string, start: number): number {
  // A regular expression would overflow the stack on megabytes of escapes.
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (escapes > start && text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote;
  }
  return text.length;
}

/** Surveys any text. Large integers are those that a JavaScript number would alter. */
export function survey(text: string) {
  let depth = 0;
  let hasLargeIntegers = false;
  scan(text, (first, start, end) => {
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
    if (end - start > 15 && first !== '"') {
      hasLargeIntegers ||= isUnsafeInteger(text.slice(start, end));
    }
    return depth > MAX_LEVELS;
  });
  return { isTooDeep: depth > MAX_LEVELS, hasLargeIntegers };
}

/** Indents valid JSON by two spaces. */
export function indentJson(text: string): string {
  const indented = new TextBuilder();
  let depth = 0;
  let last = '';
  scan(text, (first, start, end) => {
    const closes = first === '}' || first === ']';
    const follows = last === '{' || last === '[';
    if (closes) depth -= 1;
    const isEmpty = closes && follows;
    if ((closes || follows || last === ',') && !isEmpty) indented.add(`\n${'  '.repeat(depth)}`);
    indented.add(text.slice(start, end));
    if (first === ':') indented.add(' ');
    if (first === '{' || first === '[') depth += 1;
    last = first;
  });
  return indented.toText();
}

/** Replaces the numbers of JSON text, each given as it is written. */
export function replaceNumbers(text: string, replace: (number: string) => string): string {
  const replaced = new TextBuilder();
  let done = 0;
  scan(text, (first, start, end) => {
    if (!/[-\d]/.test(first)) return;
    const number = text.slice(start, end);
    const other = replace(number);
    if (other === number) return;
    replaced.add(text.slice(done, start) + other);
    done = end;
  });
  return replaced.toText() + text.slice(done);
}

const MAX_PIECES = 10_000;

/** Joins pieces now and then: millions at once would take many times the memory of the text. */
class TextBuilder {
  #text = '';
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) === MAX_PIECES) this.toText();
  }

  toText(): string {
    this.#text += this.#pieces.join('');
    this.#pieces = [];
    return this.#text;
  }
}

/** Turns large integers into strings of their digits: ids may be that long. */
export function keepLargeIntegers(text: string): string {
  return replaceNumbers(text, (number) => (isUnsafeInteger(number) ? `"${number}"` : number));
}

function isUnsafeInteger(number: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(number) && !Number.isSafeInteger(Number(number));
}

/**
 * Turns numbers that JavaScript would write differently, such as `5.00` or `1e400`, into strings.
 */
export function keepNumbers(text: string): string {
  return replaceNumbers(text, (number) =>
    String(Number(number)) === number ? number : `"${number}"`,
  );
}

/** Finds a name that an object has twice: parsers disagree about which value counts. */
export function findRepeatedName(text: string): string | undefined {
  /** The names of each open object so far; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  let repeated: string | undefined;
  scan(text, (first, start, end) => {
    const names = open.at(-1);
    if (first === '"' && last !== ':' && names !== undefined) {
      const name: string = JSON.parse(text.slice(start, end));
      if (names.has(name)) repeated = name;
      names.add(name);
    }
    if (first === '{' || first === '[') open.push(first === '{' ? new Set() : undefined);
    if (first === '}' || first === ']') open.pop();
    last = first;
    return repeated !== undefined;
  });
  return repeated;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"[^"\\\0-\x1f]*"|true|false|null)[ \t\n\r]*/y;
const NAME = /"[^"\\\0-\x1f]*"[ \t\n\r]*:[ \t\n\r]*/y;
const PIECE = /[^"\\\0-\x1f]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const BRACKET = /[{}[\]][ \t\n\r]*/y;
const COMMA = /,[ \t\n\r]*/y;
const COLON = /:[ \t\n\r]*/y;
const QUOTE = /"/y;
const LAST_QUOTE = /"[ \t\n\r]*/y;

/**
 * Throws for what `JSON.parse` refuses, without making the value, which takes seven times the memory
 * of the text; and for more than {@link MAX_LEVELS}.
 */
export function checkJson(text: string): true {
  /** The bracket that closes each open list or object. */
  const closings: string[] = [];
  let at = 0;
  const fail = () => {
    throw new SyntaxError(`not JSON at ${at}`);
  };
  /** Takes what has this form, and returns whether it is there. */
  const takes = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const take = (pattern: RegExp) => takes(pattern) || fail();
  const takeString = () => {
    take(QUOTE);
    while (takes(PIECE));
    take(LAST_QUOTE);
  };
  const takeName = () => {
    if (closings.at(-1) !== '}' || takes(NAME)) return;
    takeString();
    take(COLON);
  };
  const isClosing = () => text.charAt(at) === closings.at(-1);
  const takeOpening = (bracket: string) => {
    closings.push(bracket === '{' ? '}' : ']');
    if (closings.length > MAX_LEVELS) fail();
    take(BRACKET);
  };
  /** Takes a value, of a list or object its beginning, and what stands before the next value. */
  const takeValue = () => {
    const first = text.charAt(at);
    const isOpening = first === '{' || first === '[';
    if (isOpening) takeOpening(first);
    else if (!takes(SCALAR)) takeString();
    if (isOpening && !isClosing()) return takeName();

    while (isClosing()) {
      take(BRACKET);
      closings.pop();
    }
    if (closings.length === 0) return;
    take(COMMA);
    takeName();
  };

  take(SPACE);
  do takeValue();
  while (closings.length > 0);
  if (at < text.length) fail();
  return true;
}
