import type { Hint } from '../errors.ts';
import { isKnownEncoding } from '../http/decompressed.ts';
import { type HttpResponse, isJson } from '../http/send.ts';
import { checkJson } from '../json/scan.ts';
import { isObject } from '../json/values.ts';
import type { Answer, Call } from './call.ts';
import { decodeUtf8, parseAnswer, parseIfJson, Unreadable } from './readable.ts';

const MIB = 1024 * 1024;
/** Bytes of an answer, unless the call sets another limit. */
const MAX_BYTES = 10 * MIB;
/** Bytes of all answers in memory together. */
const MAX_HELD_BYTES = 128 * MIB;
/** Bytes that every answer may have, however little memory there is. */
const SMALL_BYTES = MIB;
/** Bytes to keep of an unreadable answer, for `--debug`. */
const BEGINNING_BYTES = 1024;

/** The bytes of the heap (see `Runtime`), and how many answers share it. */
export interface Memory {
  readonly heapLimit: () => number;
  readonly answers: number;
}

/** Returns the bytes that an answer may have at most: 128 MiB, or a quarter of the heap, shared by all answers. */
export function maxHeldBytes({ heapLimit, answers }: Memory): number {
  return Math.floor(Math.min(MAX_HELD_BYTES, heapLimit() / 4) / answers);
}

type ReadOptions = Pick<Call, 'maxBytes' | 'large' | 'accept' | 'isText'> & { readonly memory?: Memory | undefined };

/**
 * Reads a body to its end.
 * @throws Unreadable if it is compressed in an unknown way, too large, or not the JSON that the call accepts; TransportError if it is cut.
 */
export async function readBody(answer: HttpResponse, options: ReadOptions): Promise<Pick<Answer, 'text' | 'value'>> {
  if (!isKnownEncoding(answer.headers)) throw new Unreadable('came compressed in a way that svc does not know');
  const held = await readBytes(answer, options);
  const bytes = new Uint8Array(held);
  const beginning = bytes.slice(0, BEGINNING_BYTES);
  try {
    const mayBeAnything = options.accept === 'anything' && !isJson(answer.headers);
    const text = readText(bytes, options.accept, mayBeAnything);
    // Parsing takes several times the memory of the text.
    held.resize(0);
    if (options.isText) checkText(text);
    return { text, value: options.isText ? undefined : readValue(text, options.accept, mayBeAnything) };
  } catch (error) {
    if (error instanceof Unreadable) error.beginning = beginning;
    throw error;
  }
}

/** Returns the bytes in memory that can be given back at once, by resizing it. */
async function readBytes({ body }: HttpResponse, { maxBytes, large, memory }: ReadOptions): Promise<ArrayBuffer> {
  const limit = maxBytes ?? (large === undefined ? MAX_BYTES : MAX_HELD_BYTES);
  // Only takes addresses.
  const held = new ArrayBuffer(0, { maxByteLength: limit });
  let share: number | undefined;
  for await (const chunk of body) {
    const start = held.byteLength;
    const length = start + chunk.length;
    if (length > limit) throw tooLarge(limit, large);
    if (length > SMALL_BYTES && memory !== undefined) {
      share ??= maxHeldBytes(memory);
      if (length > share) throw tooLarge(share, memory.answers > 1 ? FEWER : large);
    }
    held.resize(length);
    new Uint8Array(held, start).set(chunk);
  }
  return held;
}

const FEWER = 'Several answers at a time share the memory. Take one at a time with --concurrency 1.';

function tooLarge(limit: number, hint: Hint | undefined): Unreadable {
  return new Unreadable(`is larger than ${limitInWords(limit)}`, { hint });
}

/** Writes a limit in bytes, such as `128 MiB`. */
export function limitInWords(bytes: number): string {
  return bytes < MIB ? `${bytes} bytes` : `${Math.floor(bytes / MIB)} MiB`;
}

function readText(bytes: Uint8Array, accept: Call['accept'], mayBeAnything: boolean): string {
  if (mayBeAnything) return new TextDecoder().decode(bytes);
  if (bytes.length === 0 && accept !== 'anything') throw new Unreadable('is empty');
  return decodeUtf8(bytes);
}

function checkText(text: string): void {
  try {
    checkJson(text);
  } catch {
    throw new Unreadable('is not complete JSON');
  }
  if (!/^\s*[[{]/.test(text)) throw notTheObject();
}

function notTheObject(): Unreadable {
  return new Unreadable('is JSON, but not the object that was expected');
}

function readValue(text: string, accept: Call['accept'] = 'object', mayBeAnything = false): unknown {
  if (mayBeAnything || (text === '' && accept === 'anything')) return parseIfJson(text);
  const value = parseAnswer(text);
  if (accept === 'anything' || isObject(value) || (accept === 'object_or_array' && Array.isArray(value))) return value;
  throw notTheObject();
}
