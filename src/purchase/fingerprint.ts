import { createHash } from 'node:crypto';
import { isObject, parseJson } from '../spec/read.ts';

/** A text that is equal for bodies that order the same, whatever the order of their fields. */
export function fingerprint(body: string): string {
  return createHash('sha256')
    .update(canonicalJson(parseJson(body)))
    .digest('base64url');
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
