import { asText, isObject, type JsonObject } from '../json/values.ts';

/**
 * The platform's own words: the Error object unchanged, its text, and a line `field: message` for
 * each field.
 */
export interface ServiceWords {
  readonly object: JsonObject | undefined;
  readonly text: string | undefined;
  readonly lines: readonly string[];
}

const MAX_TEXT_LENGTH = 1_000;
const MAX_LINES = 50;

/** Reads `error`, a text or field errors, or its substitutes, such as those of RFC 9457. */
export function readErrorObject(object: JsonObject | undefined): ServiceWords {
  const { error, errors, message, reason } = object ?? {};
  const fields = [error, errors, message].find((value) => isObject(value) || Array.isArray(value));
  return {
    object,
    text: shorten(
      textOf(error) ?? textOf(message) ?? textOf(reason) ?? textOf(errors) ?? problemText(object),
    ),
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

function fieldLines(error: unknown, field = ''): string[] {
  if (Array.isArray(error)) {
    return error.flatMap((item, index) => {
      if (!isObject(item)) return fieldLines(item, field);
      return entryLine(item, field) ?? fieldLines(item, `${field}[${index}]`);
    });
  }
  if (isObject(error)) {
    return Object.entries(error).flatMap(([name, value]) =>
      fieldLines(value, field === '' ? name : `${field}.${name}`),
    );
  }
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return [shorten(field === '' ? text : `${field}: ${text}`) ?? ''];
}

function entryLine(entry: JsonObject, path: string): string[] | undefined {
  const text = textOf(entry['message']) ?? problemText(entry);
  if (text === undefined) return undefined;
  const about =
    ['field', 'pointer', 'path', 'param'].map((name) => textOf(entry[name])).find(Boolean) ?? path;
  return [shorten(about === '' ? text : `${about}: ${text}`) ?? ''];
}

function shorten(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MAX_TEXT_LENGTH
    ? `${text.slice(0, MAX_TEXT_LENGTH)}…`
    : text;
}
