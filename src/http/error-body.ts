import { asText, isObject, type JsonObject } from '../spec/read.ts';
import { readJson } from './json-answer.ts';

/** What the service says about an error, in the forms that people and scripts get. */
export interface ServiceWords {
  /** Its Error object, as it came. */
  readonly object: JsonObject | undefined;
  /** Its message, where it is a text. */
  readonly text: string | undefined;
  /** Its field errors, `field: message` each. */
  readonly lines: readonly string[];
}

const LONGEST_TEXT = 1_000;
const MOST_LINES = 50;
const DEEPEST_FIELD = 8;

/** Reads the Error object of an answer that is not 2xx; anything else says nothing. */
export function readErrorBody(bytes: Uint8Array): ServiceWords {
  return readErrorObject(tryJson(bytes));
}

/** Reads what an object says of an error: in `error`, a text or field errors, else in `message`. */
export function readErrorObject(object: JsonObject | undefined): ServiceWords {
  const error = object?.['error'];
  return {
    object,
    text: shorten(asText(typeof error === 'string' ? error.trim() : undefined) ?? asText(object?.['message'])),
    lines: isObject(error) || Array.isArray(error) ? fieldLines(error).slice(0, MOST_LINES) : [],
  };
}

function tryJson(bytes: Uint8Array): JsonObject | undefined {
  try {
    const { value } = readJson(bytes, { contentType: 'application/json' });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One line for each message, under the path of its field: `items[0].planId: is unknown`. */
function fieldLines(error: unknown, field = '', depth = 0): string[] {
  if (Array.isArray(error)) {
    return error.flatMap((item, index) => fieldLines(item, isObject(item) ? `${field}[${index}]` : field, depth + 1));
  }
  if (isObject(error) && depth < DEEPEST_FIELD) {
    return Object.entries(error).flatMap(([name, value]) =>
      fieldLines(value, field === '' ? name : `${field}.${name}`, depth + 1),
    );
  }
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return [shorten(field === '' ? text : `${field}: ${text}`) ?? ''];
}

function shorten(text: string | undefined): string | undefined {
  return text !== undefined && text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
