import { asText, isObject, type JsonObject } from '../json/values.ts';
import { hasControl } from '../spec/text.ts';
import { parseIfJson } from './readable.ts';

/** The platform's own explanation of an error: the Error object unchanged, its text, and a line `field: message` for each field. */
export interface ServiceWords {
  readonly object: JsonObject | undefined;
  readonly text: string | undefined;
  readonly lines: readonly string[];
}

const MAX_TEXT_LENGTH = 1_000;
const MAX_LINES = 50;
const MAX_FIELD_DEPTH = 8;
/** Bytes; a longer body that is not JSON is no message. */
const MAX_PLAIN_TEXT_LENGTH = 500;

/** Reads the Error object of an answer that is not 2xx, or its body if it is a short text. */
export function readErrorBody(bytes: Uint8Array, contentType: string): ServiceWords {
  const value = parseIfJson(bytes);
  if (isObject(value)) return readErrorObject(value);
  const text = typeof value === 'string' ? value.trim() : plainText(bytes, contentType);
  return { object: undefined, text: shorten(asText(text)), lines: [] };
}

/**
 * Reads the documented `error`, a text or field errors, and its common substitutes: `message`, `reason`, `errors`, and the `title`
 * and `detail` of RFC 9457.
 */
export function readErrorObject(object: JsonObject | undefined): ServiceWords {
  const { error, errors, message, reason } = object ?? {};
  const fields = [error, errors, message].find((value) => isObject(value) || Array.isArray(value));
  return {
    object,
    text: shorten(textOf(error) ?? textOf(message) ?? textOf(reason) ?? textOf(errors) ?? problemText(object)),
    lines: fields === undefined ? [] : fieldLines(fields).slice(0, MAX_LINES),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? asText(value.trim()) : undefined;
}

function problemText(object: JsonObject | undefined): string | undefined {
  const [title, detail] = [textOf(object?.['title']), textOf(object?.['detail'])];
  if (title === undefined || detail === undefined) return detail ?? title;
  return `${title}${/[.:;?!]$/.test(title) ? '' : ':'} ${detail}`;
}

/** Returns the body as one line, unless it is a page, broken JSON, or binary. */
function plainText(bytes: Uint8Array, contentType: string): string | undefined {
  const isText = contentType === '' || /^(?:text\/plain|application\/(?:[\w.-]+\+)?json)\b/i.test(contentType);
  if (!isText || bytes.length > MAX_PLAIN_TEXT_LENGTH) return undefined;
  const text = new TextDecoder().decode(bytes).trim().replace(/\s+/g, ' ');
  return /^[<{["]/.test(text) || text.includes('\ufffd') || hasControl(text) ? undefined : text;
}

/** Returns one line for each message with the path of its field: `items[0].planId: is unknown`. */
function fieldLines(error: unknown, field = '', depth = 0): string[] {
  if (Array.isArray(error)) {
    return error.flatMap((item, index) => {
      if (!isObject(item)) return fieldLines(item, field, depth + 1);
      return entryLine(item, field) ?? fieldLines(item, `${field}[${index}]`, depth + 1);
    });
  }
  if (isObject(error) && depth < MAX_FIELD_DEPTH) {
    return Object.entries(error).flatMap(([name, value]) =>
      fieldLines(value, field === '' ? name : `${field}.${name}`, depth + 1),
    );
  }
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return [shorten(field === '' ? text : `${field}: ${text}`) ?? ''];
}

function entryLine(entry: JsonObject, path: string): string[] | undefined {
  const text = textOf(entry['message']) ?? problemText(entry);
  if (text === undefined) return undefined;
  const about = ['field', 'pointer', 'path', 'param'].map((name) => textOf(entry[name])).find(Boolean) ?? path;
  return [shorten(about === '' ? text : `${about}: ${text}`) ?? ''];
}

function shorten(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
