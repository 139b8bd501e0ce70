import { type HttpResponse, isJson } from '../http/send.ts';
import { isTooDeep, keepLargeIntegers, MOST_LEVELS } from '../json/tokens.ts';
import { isObject } from '../json/values.ts';
import type { Answer, Call } from './call.ts';

/** Bytes of an answer that may be kept in memory, unless the call sets another limit. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Larger answers go to the call's stream, if it has one. */
const STREAM_FROM_BYTES = 1024 * 1024;
/** Bytes of an unreadable answer that are kept for `--debug`. */
const BEGINNING_BYTES = 1024;

/** A complete answer that is not in the form of the API. */
export class Unreadable extends Error {
  beginning: Uint8Array = new Uint8Array();

  /** `reason` follows "The answer from HOST", such as "is empty". */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Unreadable';
  }
}

export interface ReadOptions extends Pick<Call, 'stream' | 'maxBytes' | 'accept'> {
  /** Called once, before the first bytes go to the stream: from then on the request must not be sent again. */
  readonly onStream: () => void;
}

/**
 * Reads a body to its end. Above 1 MiB it goes to the call's stream, if there is one.
 * @throws Unreadable if it is compressed, too large, or not the JSON that the call accepts; TransportError if it is cut;
 * and any error of the stream.
 */
export async function readBody(
  answer: HttpResponse,
  options: ReadOptions,
): Promise<Pick<Answer, 'text' | 'value' | 'streamed'>> {
  refuseEncoding(answer);
  const held = await receive(answer, options);
  if (held === undefined) return { text: '', value: undefined, streamed: true };
  const beginning = held.view().slice(0, BEGINNING_BYTES);
  try {
    const mayBeAnything = options.accept === 'anything' && !isJson(answer.headers);
    const text = readText(held.view(), options.accept, mayBeAnything);
    // Free the bytes of a large answer before parsing: they take as much memory as its text.
    held.release();
    return { text, value: readValue(text, options.accept, mayBeAnything), streamed: false };
  } catch (error) {
    if (error instanceof Unreadable) error.beginning = beginning;
    throw error;
  }
}

/** svc asks for plain bytes; a compressed answer could expand without bound. */
function refuseEncoding({ headers }: HttpResponse): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new Unreadable('came compressed, which svc did not ask for');
}

/** Returns undefined if the body went to the stream. */
async function receive(answer: HttpResponse, options: ReadOptions): Promise<HeldBytes | undefined> {
  const { accept, maxBytes: limit = MAX_BYTES } = options;
  const stream = accept !== 'anything' || isJson(answer.headers) ? options.stream : undefined;
  const held = holdBytes(limit);
  let streaming = false;
  for await (const chunk of answer.body) {
    if (streaming) {
      await stream?.write(chunk);
    } else if (stream !== undefined && held.length + chunk.length > STREAM_FROM_BYTES) {
      const first = Buffer.concat([held.view(), chunk]);
      held.release();
      refuseOtherThanJson(first, accept);
      options.onStream();
      streaming = true;
      await stream.write(first);
    } else if (held.length + chunk.length > limit) {
      throw new Unreadable(`is larger than ${limit} bytes`);
    } else held.push(chunk);
  }
  if (!streaming) return held;
  await stream?.end();
  return undefined;
}

/** Output cannot be taken back, so the first character is checked before any of it is written. */
function refuseOtherThanJson(bytes: Buffer, accept: Call['accept'] = 'object'): void {
  const [first] = bytes.toString('latin1').trimStart();
  const expected = accept === 'object' ? ['{'] : ['{', '['];
  if (first === undefined || !expected.includes(first)) throw new Unreadable('is not JSON');
}

function readText(bytes: Uint8Array, accept: Call['accept'], mayBeAnything: boolean): string {
  if (mayBeAnything) return new TextDecoder().decode(bytes);
  if (bytes.length === 0 && accept !== 'anything') throw new Unreadable('is empty');
  return decodeUtf8(bytes);
}

function readValue(text: string, accept: Call['accept'] = 'object', mayBeAnything = false): unknown {
  if (mayBeAnything || (text === '' && accept === 'anything')) return parseIfJson(text);
  const value = parse(text);
  if (accept === 'anything' || isObject(value) || (accept === 'object_or_array' && Array.isArray(value))) return value;
  throw new Unreadable('is JSON, but not the object that was expected');
}

/** Parses JSON; returns undefined for anything else. */
export function parseIfJson(body: string | Uint8Array): unknown {
  try {
    return parse(typeof body === 'string' ? body : decodeUtf8(body));
  } catch {
    return undefined;
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Unreadable('is not UTF-8 text', error);
  }
}

/** Integers that a JavaScript number would alter become strings of their digits. */
function parse(text: string): unknown {
  if (isTooDeep(text)) throw new Unreadable(`is nested deeper than ${MOST_LEVELS} levels`);
  try {
    return JSON.parse(keepLargeIntegers(text));
  } catch {
    // The parser's own message quotes the text, which may contain a secret.
    throw new Unreadable('is not complete JSON');
  }
}

type HeldBytes = ReturnType<typeof holdBytes>;

/** Bytes by which the buffer grows. */
const STEP = 256 * 1024;
/** Bytes of a small body: reserving address space for each of many would take longer than copying them. */
const SMALL = 64 * 1024;

/**
 * A growing buffer whose memory can be returned to the system at once. Keeps small bodies as they come. For a larger one it reserves `limit` bytes of address space and takes memory as it
 * fills, so no byte is moved again.
 */
export function holdBytes(limit: number) {
  let small: Uint8Array[] = [];
  let memory: ArrayBuffer | undefined;
  let length = 0;
  const append = (chunk: Uint8Array, held: ArrayBuffer) => {
    const end = length + chunk.length;
    if (end > held.byteLength) held.resize(Math.min(limit, Math.ceil(end / STEP) * STEP));
    new Uint8Array(held, length, chunk.length).set(chunk);
    length = end;
  };
  return {
    get length() {
      return length;
    },
    push(chunk: Uint8Array): void {
      if (memory === undefined && length + chunk.length <= SMALL) {
        small.push(chunk);
        length += chunk.length;
        return;
      }
      if (memory === undefined) {
        memory = new ArrayBuffer(0, { maxByteLength: limit });
        length = 0;
        for (const one of small) append(one, memory);
        small = [];
      }
      append(chunk, memory);
    },
    /** All bytes so far, without a copy; invalid after `release`. */
    view(): Uint8Array {
      if (memory !== undefined) return new Uint8Array(memory, 0, length);
      const [only, ...others] = small;
      return only !== undefined && others.length === 0 ? only : Buffer.concat(small);
    },
    release(): void {
      memory?.resize(0);
      small = [];
      length = 0;
    },
  };
}
