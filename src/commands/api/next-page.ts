import { CliError } from '../../errors.ts';
import type { Answer, Call } from '../../http/call.ts';
import { asObject, asText, isObject } from '../../spec/read.ts';
import { parseTarget, type Target } from './target.ts';

/** Fields that name the next page by its address, and by a cursor with the query parameter that takes it. */
const ADDRESS_FIELDS = ['next', 'nextUrl', 'next_url', 'nextPage', 'next_page'];
const CURSOR_FIELDS: ReadonlyArray<readonly [field: string, parameter: string]> = [
  ['nextCursor', 'cursor'],
  ['next_cursor', 'cursor'],
  ['nextPageToken', 'pageToken'],
  ['next_page_token', 'page_token'],
];
/** Objects that may hold such a field beside the answer itself. */
export const PLACES = ['links', '_links', 'pagination', 'paging', 'meta', 'page'];

/** Fields that say whether there is a next page, and which. */
export const NEXT_FIELDS = [...ADDRESS_FIELDS, ...CURSOR_FIELDS.map(([field]) => field), 'hasMore', 'has_more'];

/** Where the next page is: a `Link` header (RFC 8288), a field with an address, or a field with a cursor. */
export function nextTarget(answer: Answer, call: Call, baseUrl: string): Target | undefined {
  const address = linkedAddress(answer.headers['link'] ?? '') ?? fieldOf(answer.value, ADDRESS_FIELDS, isAddress);
  if (address !== undefined) return targetOf(address, call, baseUrl);
  for (const [field, parameter] of CURSOR_FIELDS) {
    const cursor = fieldOf(answer.value, [field], () => true);
    if (cursor === undefined) continue;
    const others = (call.query ?? []).filter(([name]) => name !== parameter);
    return { path: call.operation.path, query: [...others, [parameter, cursor]] };
  }
  return undefined;
}

function linkedAddress(header: string): string | undefined {
  for (const [, address, parameters = ''] of header.matchAll(/<([^<>]*)>(\s*;[^,]*)?/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:;|$)/i.test(parameters)) return address;
  }
  return undefined;
}

function fieldOf(value: unknown, names: readonly string[], fits: (text: string) => boolean): string | undefined {
  const places = [asObject(value), ...PLACES.map((place) => asObject(asObject(value)[place]))];
  for (const place of places) {
    for (const name of names) {
      const field = place[name];
      const text = asText(isObject(field) ? field['href'] : field);
      if (text !== undefined && fits(text)) return text;
    }
  }
  return undefined;
}

function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|\/|\?)/i.test(text);
}

/** A credential never follows a page to another address. */
function targetOf(address: string, call: Call, baseUrl: string): Target {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const url = URL.canParse(address, `${base.origin}${basePath}${call.operation.path}`)
    ? new URL(address, `${base.origin}${basePath}${call.operation.path}`)
    : undefined;
  if (url === undefined || url.origin !== base.origin) throw notPages('The next page is at another address');
  const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : url.pathname;
  return parseTarget(path + url.search, baseUrl);
}

/** The error of pages that cannot be followed. */
export function notPages(what: string): CliError {
  return new CliError('unexpected', `${what}; --paginate cannot go on.`, {
    hint: 'the same command without --paginate',
  });
}
