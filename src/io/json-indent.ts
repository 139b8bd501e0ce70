/** Lays valid JSON out over lines, two spaces deep; strings and numbers stay as they are. */
export interface JsonIndenter {
  /** The next bytes of a valid JSON text, laid out. */
  push(bytes: Uint8Array): Uint8Array;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * An indenter for one JSON value, however its bytes are cut. One closure, long as it is: all its functions share the
 * variables that say where in the text it is, and nothing else can change them.
 */
export function createJsonIndenter(): JsonIndenter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** Whether a bracket was opened and nothing has come since. */
  let fresh = false;

  const newline = () => `\n${'  '.repeat(depth)}`;
  const enter = () => {
    const lead = fresh ? newline() : '';
    fresh = false;
    return lead;
  };
  const outside = (character: string): string => {
    switch (character) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        return '';
      case '{':
      case '[': {
        const lead = enter();
        depth += 1;
        fresh = true;
        return lead + character;
      }
      case '}':
      case ']': {
        depth -= 1;
        const lead = fresh ? '' : newline();
        fresh = false;
        return lead + character;
      }
      case ',':
        return `,${newline()}`;
      case ':':
        return ': ';
      default:
        return enter() + character;
    }
  };
  /** The index behind the end of the string, or of the bytes. */
  const skipString = (bytes: Uint8Array, from: number): number => {
    let index = from;
    for (; index < bytes.length && inString; index += 1) {
      if (escaped) escaped = false;
      else if (bytes[index] === BACKSLASH) escaped = true;
      else if (bytes[index] === QUOTE) inString = false;
    }
    return index;
  };

  return {
    push(bytes) {
      // One character for each byte, so that nothing is decoded and encoded again.
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      let laidOut = '';
      let index = 0;
      while (index < text.length) {
        if (inString) {
          const end = skipString(bytes, index);
          laidOut += text.slice(index, end);
          index = end;
        } else {
          inString = bytes[index] === QUOTE;
          laidOut += outside(text.charAt(index));
          index += 1;
        }
      }
      return Buffer.from(laidOut, 'latin1');
    },
  };
}
