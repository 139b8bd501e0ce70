/** Deeper nesting only serves to break recursive code. */
export const MAX_LEVELS = 200;

const BACKSLASH = 0x5c;
/** What a character is: `single` is a token of its own, `word` a part of a number or word. */
const KIND = { space: 0, single: 1, string: 2, word: 3 };
const PATTERNS = [/[ \t\n\r]/, /[^\w.+\-" \t\n\r]/, /"/, /[\w.+-]/];
const kinds = Uint8Array.from({ length: 128 }, (_, code) =>
  PATTERNS.findIndex((one) => one.test(String.fromCharCode(code))),
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
    const kind = kindAt(text, start);
    end = start + 1;
    if (kind === KIND.space) continue;
    if (kind === KIND.string) end = endOfString(text, end) + 1;
    else if (kind === KIND.word)
      while (end < text.length && kindAt(text, end) === KIND.word) end += 1;
    if (visit(text.charAt(start), start, end)) return;
  }
}

function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? KIND.single;
}

/** The index of the closing quote, or the length of the text. */
export function endOfString(text: string, start: number): number {
  // A regular expression would overflow the stack on megabytes of escapes.
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (escapes > start && text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote;
  }
  return text.length;
}

/** Accepts any text. Large integers are those that a JavaScript number would alter. */
export function survey(text: string) {
  let depth = 0;
  let hasLargeIntegers = false;
  scan(text, (first, start, end) => {
    if (first === '{' || first === '[') depth += 1;
    else if (first === '}' || first === ']') depth -= 1;
    else if (end - start > 15 && first !== '"')
      hasLargeIntegers ||= isUnsafeInteger(text.slice(start, end));
    return depth > MAX_LEVELS;
  });
  return { isTooDeep: depth > MAX_LEVELS, hasLargeIntegers };
}

/** Indents valid JSON by two spaces. */
export function indentJson(text: string): string {
  const laidOut = createText();
  let depth = 0;
  let last = '';
  scan(text, (first, start, end) => {
    const closes = first === '}' || first === ']';
    const follows = last === '{' || last === '[';
    if (closes) depth -= 1;
    if (closes ? !follows : follows || last === ',') laidOut.add(`\n${'  '.repeat(depth)}`);
    laidOut.add(text.slice(start, end));
    if (first === ':') laidOut.add(' ');
    if (first === '{' || first === '[') depth += 1;
    last = first;
  });
  return laidOut.whole();
}

/** Replaces the numbers of JSON text, each given as it is written. */
export function replaceNumbers(text: string, replace: (number: string) => string): string {
  const replaced = createText();
  let done = 0;
  scan(text, (first, start, end) => {
    if (first !== '-' && !(first >= '0' && first <= '9')) return;
    const number = text.slice(start, end);
    const other = replace(number);
    if (other === number) return;
    replaced.add(text.slice(done, start));
    replaced.add(other);
    done = end;
  });
  return done === 0 ? text : replaced.whole() + text.slice(done);
}

const MAX_PIECES = 10_000;

/** Joined now and then: millions of pieces at once would take many times the memory of the text. */
function createText() {
  const joined: string[] = [];
  let pieces: string[] = [];
  return {
    add(piece: string): void {
      if (pieces.push(piece) < MAX_PIECES) return;
      joined.push(pieces.join(''));
      pieces = [];
    },
    whole: () => [...joined, ...pieces].join(''),
  };
}

/** As strings of their digits: ids may be that long. */
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

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"[^"\\\0-\x1f]*"|true|false|null)[ \t\n\r]*/y;
const NAME = /"[^"\\\0-\x1f]*"[ \t\n\r]*:[ \t\n\r]*/y;
const PIECE = /[^"\\\0-\x1f]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const [OPEN, CLOSE] = [/[{[][ \t\n\r]*/y, /[}\]][ \t\n\r]*/y];
const [COMMA, COLON] = [/,[ \t\n\r]*/y, /:[ \t\n\r]*/y];
const [START, END] = [/"/y, /"[ \t\n\r]*/y];

/**
 * As `JSON.parse`, without making the value, which takes seven times the memory of the text; up to
 * {@link MAX_LEVELS}.
 */
export function checkJson(text: string): true {
  const closings: string[] = [];
  let at = 0;
  const takes = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const take = (pattern: RegExp) => {
    if (!takes(pattern)) throw new SyntaxError(`not JSON at ${at}`);
  };
  const takeString = () => {
    take(START);
    while (takes(PIECE));
    take(END);
  };
  const takeName = () => {
    if (closings.at(-1) !== '}' || takes(NAME)) return;
    takeString();
    take(COLON);
  };
  take(SPACE);
  do {
    const first = text.charAt(at);
    if (first === '{' || first === '[') {
      closings.push(first === '{' ? '}' : ']');
      if (closings.length > MAX_LEVELS) throw new SyntaxError(`not JSON at ${at}`);
      take(OPEN);
      if (text.charAt(at) !== closings.at(-1)) {
        takeName();
        continue;
      }
    } else if (!takes(SCALAR)) takeString();
    while (text.charAt(at) === closings.at(-1)) {
      take(CLOSE);
      closings.pop();
    }
    if (closings.length > 0) {
      take(COMMA);
      takeName();
    }
  } while (closings.length > 0);
  if (at < text.length) throw new SyntaxError(`not JSON at ${at}`);
  return true;
}
