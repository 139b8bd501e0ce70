import { type Hint, tryOr } from '../errors.ts';
import { type HttpResponse, isJson } from '../http/send.ts';
import { checkJson, keepLargeIntegers, MAX_LEVELS, survey } from '../json/scan.ts';
import { isObject } from '../json/values.ts';
import type { Answer, Call, Memory } from './call.ts';

const MIB = 1024 * 1024;
const MAX_BYTES = 10 * MIB;
/** The limit of all answers together. */
const MAX_HELD_BYTES = 128 * MIB;
/** Every answer may have these, however little memory there is. */
const SMALL_BYTES = MIB;
const BEGINNING_BYTES = 1024;

const FEWER =
  'Several answers at a time share the memory. Take one at a time with --concurrency 1.';
const INCOMPLETE = 'is not complete JSON';

/** A complete answer that is not in the form of the API. */
export class Unreadable extends Error {
  beginning: Uint8Array = new Uint8Array();
  readonly hint: Hint | undefined;

  /** `reason` follows "The answer from HOST", such as "is empty". */
  constructor(reason: string, hint?: Hint) {
    super(reason);
    this.name = 'Unreadable';
    this.hint = hint;
  }
}

/**
 * Reads a body to its end.
 * @throws Unreadable if it is not what the call accepts; TransportError if it is cut
 */
export async function readBody(
  answer: HttpResponse,
  call: Call,
  memory?: Memory,
): Promise<Pick<Answer, 'text' | 'value'>> {
  const held = await readBytes(answer, call, memory);
  const bytes = new Uint8Array(held);
  const beginning = bytes.slice(0, BEGINNING_BYTES);
  try {
    const isAnything = call.accept === 'anything';
    const isUnlabelled = isAnything && !isJson(answer.headers);
    if (bytes.length === 0 && !isAnything) throw new Unreadable('is empty');
    const text = isUnlabelled ? new TextDecoder().decode(bytes) : decodeUtf8(bytes);
    // Parsing takes several times the memory of the text.
    held.resize(0);
    const mayBeNone = isUnlabelled || (text === '' && isAnything);
    return { text, value: mayBeNone ? parseIfJson(text) : readValue(text, call) };
  } catch (error) {
    if (error instanceof Unreadable) error.beginning = beginning;
    throw error;
  }
}

/** Reads bytes into memory that can be given back at once, by resizing it. */
async function readBytes(
  { body }: HttpResponse,
  { maxBytes, largeAnswerHint }: Call,
  memory?: Memory,
): Promise<ArrayBuffer> {
  const limit = maxBytes ?? (largeAnswerHint === undefined ? MAX_BYTES : MAX_HELD_BYTES);
  const held = new ArrayBuffer(0, { maxByteLength: limit });
  let share: number | undefined;
  for await (const chunk of body) {
    const start = held.byteLength;
    const length = start + chunk.length;
    if (length > limit) throw tooLarge(limit, largeAnswerHint);
    if (length > SMALL_BYTES && memory !== undefined) {
      const { heapLimit, answers } = memory;
      // All answers share 128 MiB, or a quarter of the heap.
      share ??= Math.floor(Math.min(MAX_HELD_BYTES, heapLimit() / 4) / answers);
      if (length > share) throw tooLarge(share, answers > 1 ? FEWER : largeAnswerHint);
    }
    held.resize(length);
    new Uint8Array(held, start).set(chunk);
  }
  return held;
}

function tooLarge(limit: number, hint: Hint | undefined): Unreadable {
  const size = limit < MIB ? `${limit} bytes` : `${Math.floor(limit / MIB)} MiB`;
  return new Unreadable(`is larger than ${size}`, hint);
}

function readValue(text: string, { accept = 'object', isText }: Call): unknown {
  const isLarge = isText && text.length > SMALL_BYTES;
  const value = isLarge ? undefined : parseAnswer(text);
  if (isLarge && !tryOr(() => checkJson(text), false)) throw new Unreadable(INCOMPLETE);
  const isList = accept === 'object_or_array' && Array.isArray(value);
  const isFit = isLarge ? /^\s*[[{]/.test(text) : isObject(value) || isList;
  if (isFit || accept === 'anything') return value;
  throw new Unreadable('is JSON, but not the object that was expected');
}

/** Parses JSON; returns undefined for anything else. */
export function parseIfJson(body: string | Uint8Array): unknown {
  return tryOr(() => parseAnswer(typeof body === 'string' ? body : decodeUtf8(body)), undefined);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable('is not UTF-8 text');
  }
}

/** Parses an answer. Integers that JavaScript would alter become strings. */
function parseAnswer(text: string): unknown {
  const { isTooDeep, hasLargeIntegers } = survey(text);
  if (isTooDeep) throw new Unreadable(`is nested deeper than ${MAX_LEVELS} levels`);
  try {
    return JSON.parse(hasLargeIntegers ? keepLargeIntegers(text) : text);
  } catch {
    // The parser's own message quotes the text, which may contain a secret.
    throw new Unreadable(INCOMPLETE);
  }
}
