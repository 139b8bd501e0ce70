import { ACTION, FIRST_ACTION, PLACE, TABLE, WHOLE_PLACES } from './json-grammar.ts';

/** Arrays and objects inside one another that are read at most. */
const DEEPEST_JSON = 200;

/** Tells what is wrong, and where in the bytes that were given. */
export type Fail = (reason: string, index: number) => Error;

/** Checks that bytes, however they are cut, are one whole JSON value (RFC 8259); UTF-8 is checked elsewhere. */
export interface JsonScanner {
  /** Takes the next bytes; throws what `fail` makes when they cannot belong to a JSON value. */
  scan(bytes: Uint8Array): void;
  /** Whether the bytes so far are a whole value. */
  isWhole(): boolean;
}

const IN_OBJECT = 1;
const IN_ARRAY = 2;

/**
 * A scanner for one JSON value. One closure, long as it is: all its functions share the variables that say where in the
 * text it is, and nothing else can change them.
 */
export function createJsonScanner(fail: Fail): JsonScanner {
  /** What is open, from 1 on; 0 is the top. */
  const containers = new Uint8Array(DEEPEST_JSON + 1);
  let depth = 0;
  let place: number = PLACE.value;
  let inKey = false;

  const open = (container: number, next: number, index: number) => {
    if (depth === DEEPEST_JSON) throw fail(`more than ${DEEPEST_JSON} levels`, index);
    depth += 1;
    containers[depth] = container;
    return next;
  };
  const close = (container: number, index: number) => {
    if (containers[depth] !== container) throw fail('a bracket that closes nothing', index);
    depth -= 1;
    return PLACE.after;
  };
  /** Does what an action asks for, and tells the next place. */
  const act = (action: number, byte: number, index: number): number => {
    switch (action) {
      case ACTION.openObject:
        return open(IN_OBJECT, PLACE.objectStart, index);
      case ACTION.openArray:
        return open(IN_ARRAY, PLACE.arrayStart, index);
      case ACTION.closeObject:
        return close(IN_OBJECT, index);
      case ACTION.closeArray:
        return close(IN_ARRAY, index);
      case ACTION.comma:
        if (depth === 0) throw fail('more than one value', index);
        return containers[depth] === IN_OBJECT ? PLACE.key : PLACE.value;
      case ACTION.openKey:
        inKey = true;
        return PLACE.string;
      case ACTION.endString: {
        const next = inKey ? PLACE.colon : PLACE.after;
        inKey = false;
        return next;
      }
      default:
        throw fail(`unexpected ${nameOf(byte)}`, index);
    }
  };

  return {
    scan(bytes) {
      // Locals are several times faster here than what the functions share.
      const { string, integer, fraction } = PLACE;
      const end = bytes.length;
      let here = place;
      for (let index = 0; index < end; index += 1) {
        // Most of a text is inside strings and numbers, where the table would lead from one place to the same.
        if (here === string) {
          while (index < end && isPlain(bytes[index] ?? 0)) index += 1;
        } else if (here === integer || here === fraction) {
          while (index < end && isDigit(bytes[index] ?? 0)) index += 1;
        }
        if (index === end) break;
        const byte = bytes[index] ?? 0;
        const next = TABLE[(here << 8) | byte] ?? ACTION.refuse;
        here = next < FIRST_ACTION ? next : act(next, byte, index);
      }
      place = here;
    },
    isWhole: () => depth === 0 && WHOLE_PLACES.includes(place),
  };
}

/** Neither a control nor a quote nor a backslash. */
function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x22 && byte !== 0x5c;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function nameOf(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
