import { createHash } from 'node:crypto';
import { canonicalJson } from '../json/raw-json.ts';
import { asArray, asObject, asText, type JsonObject, parseJson } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';

/** What is ordered, without who pays and how it was written. Equal texts are equal orders. */
export interface Contents {
  /** Plans and domains with their renewals and quantities, in any order; a quantity that is left out is 1. */
  readonly things: string;
  /** The same with the labels. */
  readonly labelled: string;
}

/** Reads the contents of the body of operation 3. */
export function contentsOf(body: string): Contents {
  const items = asArray(asObject(parseJson(body))['items']).map(asObject);
  return { things: tally(items, () => []), labelled: tally(items, ({ label }) => [label ?? null]) };
}

/** Returns the labels of the items of a body, each once; undefined without any. */
export function labelsOf(body: string): string | undefined {
  const items = asArray(asObject(parseJson(body))['items']).map(asObject);
  const labels = items.flatMap(({ label }) => asText(label) ?? []);
  return labels.length === 0 ? undefined : [...new Set(labels)].join(', ');
}

/** Adds up the quantities of equal items. */
function tally(items: readonly JsonObject[], more: (item: JsonObject) => readonly unknown[]): string {
  const counts = new Map<string, number>();
  for (const item of items) {
    const { planId = null, domain = null, renew, quantity } = item;
    const key = canonicalJson([planId, domain, renew === true, ...more(item)]);
    counts.set(key, (counts.get(key) ?? 0) + (typeof quantity === 'number' ? quantity : 1));
  }
  return [...counts]
    .map(([key, count]) => `${count} × ${key}`)
    .sort()
    .join(' + ');
}

/** A hash that is equal for bodies with the same fields in any order. */
export function fingerprint(body: string): string {
  return createHash('sha256')
    .update(canonicalJson(parseJson(body)))
    .digest('base64url');
}

/** The names of this machine that mean the same address. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether two base addresses lead to the same platform: `localhost`, `127.0.0.1` and `[::1]` are one host. */
export function isSamePlace(one: string, other: string): boolean {
  return one === other || placeOf(one) === placeOf(other);
}

function placeOf(address: string): string {
  const url = parseUrl(address);
  if (url === undefined) return address;
  const host = url.hostname.replace(/\.$/, '');
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  return `${LOOPBACK.test(host) ? 'localhost' : host}:${port}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}
