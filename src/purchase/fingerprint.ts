import { scryptSync } from 'node:crypto';
import { isObject, type JsonObject } from '../spec/read.ts';

/** What makes a purchase this one and no other. */
export interface PurchaseRequest {
  readonly method: string;
  /** The whole address of the operation, base address included. */
  readonly url: string;
  /** The organization that pays, where one is named. */
  readonly org: string | undefined;
  readonly body: JsonObject;
}

const BYTES = 32;
/** About 6 ms: not felt once, but months for someone who tries every number a phone can have. */
const COST = { N: 4096 };

/** The last fingerprint of a request: it is asked for when the journal is read and again when it is written. */
const lastOf = new WeakMap<PurchaseRequest, { readonly salt: string; readonly print: string }>();

/**
 * A text that is equal for equal purchases and tells nothing about them. An ordinary hash would: all of a purchase but
 * the phone number is easily guessed, and there are few enough of those to try them all. Hence scrypt (RFC 7914), which
 * is SHA-256 made slow, with the salt of the journal.
 */
export function fingerprint(request: PurchaseRequest, salt: string): string {
  const last = lastOf.get(request);
  if (last?.salt === salt) return last.print;
  const { method, url, org, body } = request;
  const text = canonicalJson([method, url, org ?? null, body]);
  const print = scryptSync(text, salt, BYTES, COST).toString('base64url');
  lastOf.set(request, { salt, print });
  return print;
}

/** JSON with the fields of every object in one order, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}
