import type { IncomingMessage } from 'node:http';
import { isTooDeep } from '../../json/tokens.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { Refusal } from './refusal.ts';

const MOST_BYTES = 1024 * 1024;
/** The type of the body of every operation. */
export const JSON_TYPE = 'application/json';
/** The type of the body that a form of a page sends. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Checks what the head of a request says about its body. A body must be of the given type, because a page of another
 * site may send text without asking first, but not JSON.
 * @throws Refusal 415 or 413
 */
export function checkBodyHead(incoming: IncomingMessage, type: string): void {
  const { headers } = incoming;
  const length = Number(headers['content-length'] ?? 0);
  if (length === 0 && headers['transfer-encoding'] === undefined) return;
  const given = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (given !== type) throw new Refusal(415, `The body must be ${type}.`);
  if (headers['content-encoding'] !== undefined) throw new Refusal(415, 'The body must not be compressed.');
  if (length > MOST_BYTES) throw tooLarge();
}

/** The body as text. @throws Refusal 413 when it is over 1 MiB, 400 when it is not UTF-8. */
export async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MOST_BYTES) chunks.push(chunk);
  }
  if (length > MOST_BYTES) throw tooLarge();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal(400, 'The body is not UTF-8.');
  }
}

/** The body as a JSON object. @throws Refusal 413 or 400 */
export async function readJson(incoming: IncomingMessage): Promise<JsonObject> {
  const text = await readText(incoming);
  if (text === '') throw new Refusal(400, 'The body is missing; it must be a JSON object.');
  if (isTooDeep(text)) throw new Refusal(400, 'The body is nested too deeply.');
  const value = parsed(text);
  if (!isObject(value)) throw new Refusal(400, 'The body must be a JSON object.');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not well-formed JSON.');
  }
}

function tooLarge(): Refusal {
  return new Refusal(413, 'The body is over 1 MiB.');
}
