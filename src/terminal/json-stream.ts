import { isAscii, isUtf8 } from 'node:buffer';
import { CliError } from '../errors.ts';
import { createJsonChecker, type Expected } from '../json/checker.ts';
import { MOST_LEVELS } from '../json/tokens.ts';
import { createJsonIndenter, escapeJson, type JsonTextOptions } from './json-text.ts';
import type { Sink } from './sink.ts';

/** The text is not one whole JSON value. */
export class JsonTextError extends CliError {
  /** Where it went wrong, in bytes from the start. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super('unexpected', `The answer is not valid JSON: ${reason} at byte ${offset}.`);
    this.name = 'JsonTextError';
    this.offset = offset;
  }
}

/** Passes one JSON value on while its bytes arrive. Both methods throw JsonTextError. */
export interface JsonText {
  /** The bytes that may be shown now: the ones given, with what a terminal would obey as `\uXXXX`. */
  write(bytes: Uint8Array): Uint8Array;
  /** The value must be whole by now. */
  end(): void;
}

/** Checks a JSON text and makes it safe for a terminal; numbers and layout stay as they were written. */
export function createJsonText({ indent = false }: JsonTextOptions = {}): JsonText {
  const NOTHING = Buffer.alloc(0);
  let offset = 0;
  /** The start of a character whose other bytes have not come yet. */
  let partial: Buffer = NOTHING;
  const checker = createJsonChecker();
  const layOut = indent ? createJsonIndenter() : undefined;

  return {
    write(bytes) {
      const arrived = partial.length === 0 ? viewOf(bytes) : Buffer.concat([partial, bytes]);
      const whole = arrived.subarray(0, arrived.length - partialLength(arrived));
      if (!isUtf8(whole)) throw new JsonTextError('not UTF-8', offset + firstReplaced(whole));
      const refused = checker.check(whole);
      if (refused !== -1) throw new JsonTextError(reasonOf(whole[refused] ?? 0, checker.expected()), offset + refused);
      offset += whole.length;
      partial = Buffer.from(arrived.subarray(whole.length));
      const safe = escapeHarmful(whole);
      return layOut === undefined ? safe : layOut(safe);
    },
    end() {
      if (partial.length > 0) throw new JsonTextError('not UTF-8', offset);
      if (checker.expected() !== 'nothing') throw new JsonTextError('it ends too early', offset);
    },
  };
}

/** Takes the bytes of one JSON value as they arrive, checks them and passes them on to a sink, ending with a newline. */
export function jsonStream(
  sink: Sink,
  options: JsonTextOptions = {},
): { write(chunk: Uint8Array): Promise<void>; end(): Promise<void> } {
  const json = createJsonText(options);
  let last: number | undefined;
  return {
    async write(chunk) {
      const safe = json.write(chunk);
      last = safe.at(-1) ?? last;
      if (safe.length > 0) await sink.write(safe);
    },
    async end() {
      json.end();
      if (last !== NEWLINE) await sink.write('\n');
    },
  };
}

function reasonOf(byte: number, expected: Expected): string {
  const isPrintable = byte > 0x20 && byte < 0x7f;
  const character = isPrintable ? String.fromCharCode(byte) : '';
  const isAfterValue = expected === 'comma' || expected === 'nothing';
  if (isAfterValue && /[}\]]/.test(character)) return 'a bracket that closes nothing';
  if (isAfterValue && character === ',') return 'more than one value';
  if ((expected === 'value' || expected === 'firstItem') && /[{[]/.test(character)) {
    return `more than ${MOST_LEVELS} levels`;
  }
  return `unexpected ${isPrintable ? `"${character}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`}`;
}

const NEWLINE = 0x0a;
const DELETE = 0x7f;

function escapeHarmful(bytes: Buffer): Buffer {
  if (isAscii(bytes) && !bytes.includes(DELETE)) return bytes;
  const text = bytes.toString();
  const safe = escapeJson(text);
  return safe === text ? bytes : Buffer.from(safe);
}

/** How many bytes at the end are a UTF-8 character that is not complete. */
function partialLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** Where the first character stands that could not be decoded. */
function firstReplaced(bytes: Buffer): number {
  return Buffer.byteLength(bytes.toString().split('\ufffd', 1)[0] ?? '');
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
