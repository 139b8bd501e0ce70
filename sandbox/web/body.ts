import type { IncomingMessage } from 'node:http';
import { collectBytes } from '../../src/collect.ts';
import { survey } from '../../src/json/scan.ts';
import { isObject, type JsonObject, parseJson } from '../../src/json/values.ts';
import { Refusal } from './refusal.ts';

const MAX_BYTES = 1024 * 1024;
/** The media type of the API. */
export const JSON_TYPE = 'application/json';
/** The media type of a form of the sandbox's own pages. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Checks the headers of a body. It must have the given type: a page of another site can send text
 * without a CORS preflight, but not JSON.
 * @throws Refusal 415 or 413
 */
export function checkBodyHead(incoming: IncomingMessage, type: string): void {
  const { headers } = incoming;
  const length = Number(headers['content-length'] ?? 0);
  if (length === 0 && headers['transfer-encoding'] === undefined) return;
  const given = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (given !== type) throw new Refusal(415, `The body must be ${type}.`);
  if (headers['content-encoding'] !== undefined) {
    throw new Refusal(415, 'The body must not be compressed.');
  }
  if (length > MAX_BYTES) throw tooLarge();
}

/** @throws Refusal 413 above 1 MiB, 400 unless it is UTF-8. */
export async function readBodyText(incoming: IncomingMessage): Promise<string> {
  const bytes = await collectBytes(incoming.iterator({ destroyOnReturn: false }), MAX_BYTES);
  if (bytes === undefined) {
    // Whoever still sends reads the answer after that.
    incoming.resume();
    throw tooLarge();
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'The body is not UTF-8.');
  }
}

/** @throws Refusal 413 above 1 MiB, 400 unless it is a JSON object. */
export async function readJson(incoming: IncomingMessage): Promise<JsonObject> {
  const text = await readBodyText(incoming);
  if (text === '') throw new Refusal(400, 'The body is missing; it must be a JSON object.');
  if (survey(text).isTooDeep) throw new Refusal(400, 'The body is nested too deeply.');
  const value = parseJson(text);
  if (value === undefined) throw new Refusal(400, 'The body is not well-formed JSON.');
  if (!isObject(value)) throw new Refusal(400, 'The body must be a JSON object.');
  return value;
}

function tooLarge(): Refusal {
  return new Refusal(413, 'The body is over 1 MiB.');
}
