import { once } from '../once.ts';
import { MOST_LEVELS } from './tokens.ts';

/** The next token. `nothing` follows a complete value; `scalar` is the rest of a number, `true`, `false` or `null`. */
export type Expected =
  | 'value'
  | 'firstItem'
  | 'name'
  | 'firstName'
  | 'colon'
  | 'comma'
  | 'nothing'
  | 'string'
  | 'escape'
  | 'scalar';

/** The states of the checker; the grammar has the next state for each state and byte. */
const PLACE = {
  value: 0,
  arrayStart: 1,
  objectStart: 2,
  key: 3,
  colon: 4,
  after: 5,
  string: 6,
  escape: 7,
  /** The four digits of a `\u` escape: 8 to 11. */
  hex: 8,
  /** In the next four a number may end. */
  zero: 12,
  integer: 13,
  fraction: 14,
  exponentDigits: 15,
  minus: 16,
  point: 17,
  exponent: 18,
  exponentSign: 19,
  /** The letters of `true`, `false` and `null` behind the first: 20 to 29. */
  literal: 20,
} as const;

/** Entries of the grammar that also change the nesting or the kind of string. */
const ACTION = {
  openObject: 64,
  openArray: 65,
  closeObject: 66,
  closeArray: 67,
  comma: 68,
  openKey: 69,
  endString: 70,
};

/** Lower entries of the grammar are places. */
const FIRST_ACTION = 64;
const REFUSED = 255;

const SPACES = ' \t\n\r';
const DIGITS = '0123456789';
const HEX_DIGITS = '0123456789abcdefABCDEF';

const VALUE_STARTS = [PLACE.value, PLACE.arrayStart];
const NUMBER_ENDS = [PLACE.zero, PLACE.integer, PLACE.fraction, PLACE.exponentDigits];
const VALUE_ENDS = [PLACE.after, ...NUMBER_ENDS];

type Rule = readonly [places: readonly number[], characters: string, next: number];

const rules = (): readonly Rule[] => [
  ...[...VALUE_STARTS, PLACE.objectStart, PLACE.key, PLACE.colon].map((place): Rule => [[place], SPACES, place]),
  [VALUE_ENDS, SPACES, PLACE.after],
  [VALUE_STARTS, '{', ACTION.openObject],
  [VALUE_STARTS, '[', ACTION.openArray],
  [[PLACE.objectStart, ...VALUE_ENDS], '}', ACTION.closeObject],
  [[PLACE.arrayStart, ...VALUE_ENDS], ']', ACTION.closeArray],
  [VALUE_ENDS, ',', ACTION.comma],
  [[PLACE.objectStart, PLACE.key], '"', ACTION.openKey],
  [[PLACE.colon], ':', PLACE.value],

  [VALUE_STARTS, '"', PLACE.string],
  [[PLACE.string], '"', ACTION.endString],
  [[PLACE.string], '\\', PLACE.escape],
  [[PLACE.escape], '"\\/bfnrt', PLACE.string],
  [[PLACE.escape], 'u', PLACE.hex],
  ...[0, 1, 2].map((digit): Rule => [[PLACE.hex + digit], HEX_DIGITS, PLACE.hex + digit + 1]),
  [[PLACE.hex + 3], HEX_DIGITS, PLACE.string],

  [VALUE_STARTS, '-', PLACE.minus],
  [[...VALUE_STARTS, PLACE.minus], '123456789', PLACE.integer],
  [[...VALUE_STARTS, PLACE.minus], '0', PLACE.zero],
  [[PLACE.integer], DIGITS, PLACE.integer],
  [[PLACE.zero, PLACE.integer], '.', PLACE.point],
  [[PLACE.point, PLACE.fraction], DIGITS, PLACE.fraction],
  [[PLACE.zero, PLACE.integer, PLACE.fraction], 'eE', PLACE.exponent],
  [[PLACE.exponent], '+-', PLACE.exponentSign],
  [[PLACE.exponent, PLACE.exponentSign, PLACE.exponentDigits], DIGITS, PLACE.exponentDigits],

  ...literal('true', PLACE.literal),
  ...literal('false', PLACE.literal + 3),
  ...literal('null', PLACE.literal + 7),
];

/** Each letter after the first has a place of its own, from `start` on. */
function literal(word: string, start: number): Rule[] {
  return Array.from(word, (letter, index): Rule => {
    const places = index === 0 ? VALUE_STARTS : [start + index - 1];
    return [places, letter, index === word.length - 1 ? PLACE.after : start + index];
  });
}

/** `[place * 256 + byte]` is the next place or an action. Built lazily, as most commands check no JSON. */
const grammar = once(() => {
  const table = new Uint8Array(30 * 256).fill(REFUSED);
  // In a string every byte from 0x20 on is plain, unless a rule below says otherwise.
  table.fill(PLACE.string, PLACE.string * 256 + 0x20, (PLACE.string + 1) * 256);
  for (const [places, characters, next] of rules()) {
    for (const place of places) {
      for (const character of characters) table[place * 256 + character.charCodeAt(0)] = next;
    }
  }
  return table;
});

const BEFORE_VALUE_ENDS: readonly Expected[] = ['value', 'firstItem', 'firstName', 'name', 'colon'];

/**
 * Checks, chunk by chunk, that bytes are one JSON value (RFC 8259); the caller checks that they are UTF-8. One long
 * closure: all its functions share the position in the text.
 */
export function createJsonChecker() {
  const table = grammar();
  /** The closing action for each open array or object, from index 1 on. */
  const closers = new Uint8Array(MOST_LEVELS + 1);
  let depth = 0;
  let place: number = PLACE.value;
  let inKey = false;

  const open = (closer: number, next: number) => {
    if (depth === MOST_LEVELS) return REFUSED;
    depth += 1;
    closers[depth] = closer;
    return next;
  };
  /** Returns the next place. */
  const act = (action: number): number => {
    switch (action) {
      case ACTION.openObject:
        return open(ACTION.closeObject, PLACE.objectStart);
      case ACTION.openArray:
        return open(ACTION.closeArray, PLACE.arrayStart);
      case ACTION.closeObject:
      case ACTION.closeArray:
        if (closers[depth] !== action) return REFUSED;
        depth -= 1;
        return PLACE.after;
      case ACTION.comma:
        if (depth === 0) return REFUSED;
        return closers[depth] === ACTION.closeObject ? PLACE.key : PLACE.value;
      case ACTION.openKey:
        inKey = true;
        return PLACE.string;
      case ACTION.endString: {
        const next = inKey ? PLACE.colon : PLACE.after;
        inKey = false;
        return next;
      }
      default:
        return REFUSED;
    }
  };

  return {
    /** Takes the next bytes. Returns -1, or the index of the first invalid byte, after which the checker is done. */
    check(bytes: Uint8Array): number {
      // Local variables are several times faster here than shared ones.
      const { string, integer, fraction } = PLACE;
      const end = bytes.length;
      let here = place;
      let index = 0;
      for (; index < end; index += 1) {
        // A fast path for strings and numbers, where most bytes do not change the place.
        if (here === string) {
          while (index < end && isPlain(bytes[index] ?? 0)) index += 1;
        } else if (here === integer || here === fraction) {
          while (index < end && isDigit(bytes[index] ?? 0)) index += 1;
        }
        if (index === end) break;
        let next = table[(here << 8) | (bytes[index] ?? 0)] ?? REFUSED;
        if (next >= FIRST_ACTION) {
          next = act(next);
          if (next === REFUSED) break;
        }
        here = next;
      }
      place = here;
      return index < end ? index : -1;
    },
    expected(): Expected {
      if (VALUE_ENDS.includes(place as never)) return depth === 0 ? 'nothing' : 'comma';
      if (place < PLACE.after) return BEFORE_VALUE_ENDS[place] ?? 'value';
      if (place === PLACE.string) return 'string';
      return place >= PLACE.minus ? 'scalar' : 'escape';
    },
  };
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x22 && byte !== 0x5c;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
