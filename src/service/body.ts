import type { HttpResponse } from '../http/send.ts';
import { isTooDeep, keepLargeIntegers, MOST_LEVELS } from '../json/tokens.ts';
import { isObject } from '../json/values.ts';
import type { Call } from './call.ts';

/** An answer that arrived whole but is not what the API gives. */
export class Unreadable extends Error {
  /** `reason` goes behind "The answer from HOST", such as "is empty". */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Unreadable';
  }
}

/** What is expected of a body: JSON of some kind, or anything at all. */
export interface Expected {
  readonly accept?: Call['accept'] | undefined;
  readonly contentType: string;
}

/**
 * Decodes a whole body. Apart from {@link readValue}, so that the caller can let go of the bytes in between: those of a
 * large answer weigh as much as its text.
 * @throws Unreadable when it is empty or not UTF-8, unless anything may come.
 */
export function readText(bytes: Uint8Array, expected: Expected): string {
  if (mayBeAnything(bytes, expected)) return new TextDecoder().decode(bytes);
  if (bytes.length === 0) throw new Unreadable('is empty');
  return decode(bytes);
}

/**
 * Reads the JSON that the call expects: an object unless it says otherwise. Integers that a number cannot hold are
 * strings of their digits. Where anything may come, the value is `undefined` when the answer does not call itself JSON
 * and is none.
 * @throws Unreadable for everything else.
 */
export function readValue(text: string, expected: Expected): unknown {
  const { accept = 'object' } = expected;
  if (mayBeAnything(text, expected)) return parseIfJson(text);
  const value = parse(text);
  if (accept === 'anything' || isObject(value) || (accept === 'object_or_array' && Array.isArray(value))) return value;
  throw new Unreadable('is JSON, but not the object that was expected');
}

function mayBeAnything(body: Uint8Array | string, { accept, contentType }: Expected): boolean {
  return accept === 'anything' && (body.length === 0 || !/\bjson\b/i.test(contentType));
}

function parseIfJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Unreadable('is not UTF-8 text', error);
  }
}

function parse(text: string): unknown {
  if (isTooDeep(text)) throw new Unreadable(`is nested deeper than ${MOST_LEVELS} levels`);
  try {
    return JSON.parse(keepLargeIntegers(text));
  } catch {
    // The parser's own message quotes the text, which may hold a secret.
    throw new Unreadable('is not JSON, or not all of it');
  }
}

/** Bytes of an answer that is held, unless the call says otherwise. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Bytes above which an answer streams, where there is something to stream to. */
const STREAM_FROM_BYTES = 1024 * 1024;

/** What is told while a body is read. */
export interface ReadOptions extends Pick<Call, 'stream' | 'maxBytes' | 'accept'> {
  /** Called once, before the first bytes go to the stream: from now on there is no second attempt. */
  readonly onStream?: () => void;
}

/**
 * Reads a body to its end. Held up to a limit; from 1 MiB on it goes to the call's stream, if there is one, and the
 * answer is `undefined`.
 * @throws Unreadable when it is too large or not JSON; TransportError when it is cut; what the stream throws.
 */
export async function readBody(answer: HttpResponse, options: ReadOptions): Promise<HeldBytes | undefined> {
  const limit = options.maxBytes ?? MAX_BYTES;
  const stream = mayStream(answer, options) ? options.stream : undefined;
  const held = holdBytes(limit);
  let streaming = false;
  for await (const chunk of answer.body) {
    if (streaming) {
      await stream?.write(chunk);
    } else if (stream !== undefined && held.length + chunk.length > STREAM_FROM_BYTES) {
      const first = Buffer.concat([held.view(), chunk]);
      held.release();
      refuseOtherThanJson(first, options.accept);
      options.onStream?.();
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

/** Where anything may come, only what calls itself JSON is streamed as JSON. */
function mayStream(answer: HttpResponse, options: ReadOptions): boolean {
  return options.accept !== 'anything' || /\bjson\b/i.test(answer.headers['content-type'] ?? '');
}

/** What was handed on cannot be taken back, so the first character is looked at before. */
function refuseOtherThanJson(bytes: Buffer, accept: Call['accept']): void {
  const [first] = bytes.toString('latin1').trimStart();
  const expected = accept === undefined || accept === 'object' ? ['{'] : ['{', '['];
  if (first === undefined || !expected.includes(first)) throw new Unreadable('is not JSON');
}

/** The bytes of an answer as they arrive. They are given back at a word: a large answer is not held twice while it is read. */
interface HeldBytes {
  readonly length: number;
  push(chunk: Uint8Array): void;
  /** All bytes so far; not to be used after `release`. */
  view(): Uint8Array;
  /** Forgets the bytes, and returns the memory of many to the system at once. */
  release(): void;
}

/** Bytes of room that are added at a time. */
const STEP = 256 * 1024;

/** Room for up to `limit` bytes. It is reserved at once and taken as it fills, so nothing is ever moved. */
export function holdBytes(limit: number): HeldBytes {
  const memory = new ArrayBuffer(0, { maxByteLength: limit });
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(chunk) {
      const end = length + chunk.length;
      if (end > memory.byteLength) memory.resize(Math.min(limit, Math.ceil(end / STEP) * STEP));
      new Uint8Array(memory, length, chunk.length).set(chunk);
      length = end;
    },
    view: () => new Uint8Array(memory, 0, length),
    release() {
      // It takes a tenth of a millisecond: too much for what the garbage collector does as well.
      if (length > STEP) memory.resize(0);
      length = 0;
    },
  };
}
