/** Places in a JSON text (RFC 8259); the table says for each of them where each byte leads. */
export const PLACE = {
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
  minus: 12,
  zero: 13,
  integer: 14,
  point: 15,
  fraction: 16,
  exponent: 17,
  exponentSign: 18,
  exponentDigits: 19,
  /** The letters of `true`, `false` and `null` behind the first: 20 to 29. */
  literal: 20,
} as const;

const PLACES = 30;

/** What a byte does beside leading to a place. */
export const ACTION = {
  openObject: 64,
  openArray: 65,
  closeObject: 66,
  closeArray: 67,
  comma: 68,
  openKey: 69,
  endString: 70,
  refuse: 255,
} as const;

/** Entries of the table from here on are actions; below, places. */
export const FIRST_ACTION = 64;

const SPACES = ' \t\n\r';
const DIGITS = '0123456789';
const HEX_DIGITS = '0123456789abcdefABCDEF';

/** Places where a number may end, as nothing closes it. */
const NUMBER_ENDS: readonly number[] = [PLACE.zero, PLACE.integer, PLACE.fraction, PLACE.exponentDigits];
const VALUE_STARTS: readonly number[] = [PLACE.value, PLACE.arrayStart];

/** Places where a value at the top may be over. */
export const WHOLE_PLACES: readonly number[] = [PLACE.after, ...NUMBER_ENDS];

/** `TABLE[place * 256 + byte]` is the next place, or an action. */
export const TABLE: Uint8Array = buildTable();

function buildTable(): Uint8Array {
  const table = new Uint8Array(PLACES * 256).fill(ACTION.refuse);
  // In a string everything is plain but controls; what is not ASCII has been checked to be UTF-8.
  table.fill(PLACE.string, PLACE.string * 256 + 0x20, (PLACE.string + 1) * 256);
  const add: Add = (places, characters, next) => {
    for (const place of places) {
      for (const character of characters) table[place * 256 + character.charCodeAt(0)] = next;
    }
  };
  addStructure(add);
  addStrings(add);
  addNumbers(add);
  addLiterals(add);
  return table;
}

type Add = (places: readonly number[], characters: string, next: number) => void;

function addStructure(add: Add): void {
  for (let place: number = PLACE.value; place <= PLACE.after; place += 1) add([place], SPACES, place);
  add(VALUE_STARTS, '{', ACTION.openObject);
  add(VALUE_STARTS, '[', ACTION.openArray);
  add([PLACE.arrayStart], ']', ACTION.closeArray);
  add([PLACE.objectStart], '}', ACTION.closeObject);
  add([PLACE.colon], ':', PLACE.value);
  add(NUMBER_ENDS, SPACES, PLACE.after);
  add(WHOLE_PLACES, ',', ACTION.comma);
  add(WHOLE_PLACES, ']', ACTION.closeArray);
  add(WHOLE_PLACES, '}', ACTION.closeObject);
}

function addStrings(add: Add): void {
  add(VALUE_STARTS, '"', PLACE.string);
  add([PLACE.objectStart, PLACE.key], '"', ACTION.openKey);
  add([PLACE.string], '"', ACTION.endString);
  add([PLACE.string], '\\', PLACE.escape);
  add([PLACE.escape], '"\\/bfnrt', PLACE.string);
  add([PLACE.escape], 'u', PLACE.hex);
  for (let digit = 0; digit < 3; digit += 1) add([PLACE.hex + digit], HEX_DIGITS, PLACE.hex + digit + 1);
  add([PLACE.hex + 3], HEX_DIGITS, PLACE.string);
}

function addNumbers(add: Add): void {
  const { minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits } = PLACE;
  add(VALUE_STARTS, '-', minus);
  add([...VALUE_STARTS, minus], '123456789', integer);
  add([...VALUE_STARTS, minus], '0', zero);
  add([integer], DIGITS, integer);
  add([zero, integer], '.', point);
  add([point, fraction], DIGITS, fraction);
  add([zero, integer, fraction], 'eE', exponent);
  add([exponent], '+-', exponentSign);
  add([exponent, exponentSign, exponentDigits], DIGITS, exponentDigits);
}

function addLiterals(add: Add): void {
  let place: number = PLACE.literal;
  for (const [first, inner] of [
    ['t', 'rue'],
    ['f', 'alse'],
    ['n', 'ull'],
  ] as const) {
    add(VALUE_STARTS, first, place);
    for (const letter of inner) {
      place += 1;
      add([place - 1], letter, place);
    }
    add([place - 1], inner.slice(-1), PLACE.after);
  }
}
