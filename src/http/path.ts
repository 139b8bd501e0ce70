import { usageError } from '../errors.ts';
import { hasControl, hasHalfCharacter } from '../spec/plain-text.ts';
import type { Call } from './call.ts';

/**
 * The address of a call: base path, operation path with one encoded segment for each value, query.
 * @throws CliError `usage` for a value that cannot be one segment, and for a path that would lead elsewhere.
 */
export function buildUrl(baseUrl: string, call: Pick<Call, 'operation' | 'path' | 'query'>): URL {
  const base = new URL(baseUrl);
  const values = call.path ?? {};
  const path = call.operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encodeSegment(name, value);
  });
  const pathname = base.pathname.replace(/(?<!\/)\/+$/, '') + path;
  const text = base.origin + pathname + encodeQuery(call.query ?? []);
  const url = path.startsWith('/') && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.origin !== base.origin || url.pathname !== pathname || url.hash !== '') {
    throw usageError(`The path ${JSON.stringify(path)} cannot be sent as it is written.`, 'a path such as /v1/user');
  }
  return url;
}

function encodeSegment(name: string, value: string): string {
  if (value === '') throw usageError(`The value of ${name} is empty.`);
  if (value === '.' || value === '..') throw usageError(`"${value}" cannot be the value of ${name}.`);
  if (hasControl(value)) throw usageError(`The value of ${name} must not hold control characters.`);
  refuseBrokenText(name, value);
  return encodeURIComponent(value);
}

function encodeQuery(query: NonNullable<Call['query']>): string {
  const pairs = query.map(([name, value]) => {
    refuseBrokenText(name, name + value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** U+FFFD and half of a surrogate pair are what a wrong character set leaves of a name: a different one. */
function refuseBrokenText(name: string, text: string): void {
  if (text.includes('\ufffd') || hasHalfCharacter(text))
    throw usageError(`The value of ${name} is not readable as UTF-8 text.`);
}
