import { type CliError, usageError } from '../errors.ts';

/** A place in a zone file; both counts start at 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A piece of a zone file; words and strings keep their escapes as written, strings come without their quotes. */
export interface Token extends Place {
  readonly kind: 'word' | 'string' | '(' | ')' | 'newline';
  readonly text: string;
}

const BETWEEN = /[ \t]+|;[^\n]*/y;
const IN_WORD = /[^ \t\n;()"\\]+|\\[^\n]/y;
const IN_STRING = /[^"\\\n]+|\\[^\n]/y;

/** The error of a zone file, with its place. */
export function zoneError(place: Place, message: string, hint?: string): CliError {
  return usageError(`Zone file, line ${place.line}, column ${place.column}: ${message}.`, hint);
}

/** The pieces of a zone file (RFC 1035, section 5.1), comments left out. Throws a usage error with line and column. */
export function* readTokens(text: string): Generator<Token> {
  let line = 1;
  let lineStart = 0;
  let at = 0;
  while (at < text.length) {
    const place = { line, column: at - lineStart + 1 };
    const char = text.charAt(at);
    const skipped = matchAll(BETWEEN, text, at);
    if (skipped > at) at = skipped;
    else if (char === '\n') {
      yield { ...place, kind: 'newline', text: '' };
      at += 1;
      line += 1;
      lineStart = at;
    } else if (char === '(' || char === ')') {
      yield { ...place, kind: char, text: '' };
      at += 1;
    } else {
      const end = char === '"' ? endOfString(text, at, place) : endOfWord(text, at, place);
      yield char === '"'
        ? { ...place, kind: 'string', text: text.slice(at + 1, end - 1) }
        : { ...place, kind: 'word', text: text.slice(at, end) };
      at = end;
    }
  }
}

function endOfString(text: string, start: number, place: Place): number {
  const end = matchAll(IN_STRING, text, start + 1);
  if (text.charAt(end) !== '"') throw zoneError(place, 'this quote is not closed on its line');
  return end + 1;
}

function endOfWord(text: string, start: number, place: Place): number {
  const end = matchAll(IN_WORD, text, start);
  if (text.charAt(end) === '\\') throw zoneError(place, 'this ends in a backslash that escapes nothing');
  return end;
}

/** Where a run of matches ends. A loop and not one repeated expression, which would exhaust its stack on a long run. */
function matchAll(pattern: RegExp, text: string, start: number): number {
  let end = start;
  do {
    pattern.lastIndex = end;
    if (!pattern.test(text)) return end;
    end = pattern.lastIndex;
  } while (end < text.length);
  return end;
}
