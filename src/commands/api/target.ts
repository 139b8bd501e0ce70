import { usageError } from '../../errors.ts';
import { unicodePattern } from '../../once.ts';

/** Where a request goes, below the base address. */
export interface Target {
  /** The path as it is sent, percent-encoded, with `{name}` placeholders. */
  readonly path: string;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
}

/** What a path cannot hold as it is (RFC 3986, section 3.3): a percent sign, too, unless it begins an escape. */
const NOT_IN_A_PATH = /[^\w\-.~!$&'()*+,;=:@/%]|%(?![0-9a-f]{2})/i;

/**
 * Reads the path of a request, or the full URL of one below the base address; any query in it is kept.
 * @throws CliError `usage` for another host, and for a path that would not arrive as it is written.
 */
export function parseTarget(text: string, baseUrl: string): Target {
  const [beforeQuery = '', query = ''] = belowBase(text, baseUrl).split(/\?(.*)/s);
  const refuse = (why: string, hint = 'svc api /v1/user') =>
    usageError(`The path ${JSON.stringify(text)} ${why}.`, hint);
  if (text.includes('#')) throw refuse('has a fragment (#…), which is never sent', 'the same path, with %23 for #');
  if (!beforeQuery.startsWith('/')) throw refuse('does not start with /');
  const path = beforeQuery.replace(/[^\x21-\x7e]+/g, encodeReadable);
  if (NOT_IN_A_PATH.test(path.replace(/\{\w+\}/g, ''))) {
    throw refuse('holds a character that must be percent-encoded', 'the same path, with %20 for a space, %5C for \\');
  }
  const [, ...segments] = path.split('/');
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) throw refuse('has a "." or ".." in it');
  if (segments.slice(0, -1).includes('')) throw refuse('has an empty part (//)');
  return { path, query: [...new URLSearchParams(query)] };
}

const hidden = unicodePattern('[\\p{C}\\p{Z}]');

/** Letters beyond ASCII become what they are in a URL; controls and spaces are left, to be refused. */
function encodeReadable(text: string): string {
  return hidden().test(text) ? text : encodeURIComponent(text);
}

function belowBase(text: string, baseUrl: string): string {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  const isBelow = text.startsWith(`${baseUrl}/`);
  if (isBelow) return text.slice(baseUrl.length);
  throw usageError(`svc sends requests to ${baseUrl} only.`, 'the path alone, or --api-url for another address');
}
