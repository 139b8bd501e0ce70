import { isObject, type JsonObject, parseJson } from '../spec/read.ts';

/** How many ends of a cut text are tried; the first few find all that an answer of this service can hold. */
const MOST_TRIES = 64;

/**
 * The fields of a JSON object that were received whole before its text was cut off; `undefined` where none was. The
 * field at the cut is left out, unless it ends in a quote or a bracket: half a number looks like a whole one.
 */
export function parseCutObject(text: string): JsonObject | undefined {
  let end = /["}\]]\s*$/.test(text) ? text.length : text.lastIndexOf(',');
  for (let tries = 0; tries < MOST_TRIES && end > 0; tries += 1) {
    const value = parseJson(`${text.slice(0, end)}}`);
    if (isObject(value)) return value;
    end = text.lastIndexOf(',', end - 1);
  }
  return undefined;
}

/** Whether an answer is a page for people: the service itself sends none. */
export function isWebPage(contentType: string | undefined, text: string): boolean {
  return /html/i.test(contentType ?? '') || /^\s*</.test(text);
}
