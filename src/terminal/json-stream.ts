import { isAscii, isUtf8 } from 'node:buffer';
import { CliError } from '../errors.ts';
import { createJsonChecker, type Expected } from '../json/checker.ts';
import { MOST_LEVELS } from '../json/tokens.ts';
import { createJsonIndenter, escapeJson, type JsonTextOptions } from './json-text.ts';
import type { Sink } from './sink.ts';

export class JsonTextError extends CliError {
  /** In bytes from the start. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super('unexpected', `The answer is not valid JSON: ${reason} at byte ${offset}.`);
    this.name = 'JsonTextError';
    this.offset = offset;
  }
}

/**
 * Passes the bytes of one JSON value on to a sink as they arrive, with a newline at the end. Characters that would drive
 * a terminal become `\uXXXX`; numbers and layout stay as written unless `indent` is set.
 * @throws JsonTextError from both methods if the text is not valid JSON or ends too early.
 */
export function jsonStream(sink: Pick<Sink, 'write'>, { indent = false }: JsonTextOptions = {}) {
  const checker = createJsonChecker();
  const layOut = indent ? createJsonIndenter() : (bytes: Buffer) => bytes;
  let offset = 0;
  /** The start of a character whose other bytes have not arrived. */
  let partial: Buffer = Buffer.alloc(0);
  let lastByte: number | undefined;
  return {
    async write(chunk: Uint8Array): Promise<void> {
      const arrived = Buffer.concat([partial, chunk]);
      const whole = arrived.subarray(0, arrived.length - partialLength(arrived));
      if (!isUtf8(whole)) throw new JsonTextError('not UTF-8', offset + firstReplaced(whole));
      const refused = checker.check(whole);
      if (refused !== -1) throw new JsonTextError(reasonOf(whole[refused] ?? 0, checker.expected()), offset + refused);
      offset += whole.length;
      partial = arrived.subarray(whole.length);
      const safe = layOut(escapeBytes(whole));
      lastByte = safe.at(-1) ?? lastByte;
      if (safe.length > 0) await sink.write(safe, 'json');
    },
    async end(): Promise<void> {
      if (partial.length > 0) throw new JsonTextError('not UTF-8', offset);
      if (checker.expected() !== 'nothing') throw new JsonTextError('it ends too early', offset);
      if (lastByte !== NEWLINE) await sink.write('\n');
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

function escapeBytes(bytes: Buffer): Buffer {
  if (isAscii(bytes) && !bytes.includes(DELETE)) return bytes;
  const text = bytes.toString();
  const safe = escapeJson(text);
  return safe === text ? bytes : Buffer.from(safe);
}

/** Returns how many bytes at the end belong to an incomplete UTF-8 character. */
function partialLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc0) return back < needed ? back : 0;
  }
  return 0;
}

/** Returns the offset of the first invalid byte. */
function firstReplaced(bytes: Buffer): number {
  return Buffer.byteLength(bytes.toString().split('\ufffd', 1)[0] ?? '');
}
