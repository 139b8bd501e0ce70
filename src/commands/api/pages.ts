import { limitInWords } from '../../api/body.ts';
import type { Answer, Call, Client } from '../../api/call.ts';
import { CliError, listed, usageError } from '../../errors.ts';
import { RawJson, toJsonText } from '../../json/raw-json.ts';
import { replaceNumbers } from '../../json/scan.ts';
import {
  asArray,
  asObject,
  asText,
  DECIMAL,
  isObject,
  type JsonObject,
} from '../../json/values.ts';
import { parseUrl } from '../../parse-url.ts';
import { basePathOf, parseTarget, type Target } from './request.ts';

const MAX_PAGES = 1_000;

/**
 * Sends a call and follows its pages. Lists become one list; of objects, the first one's only list
 * gets the elements of all the others. A single page is returned unchanged.
 * @throws CliError `usage` for pages that cannot be joined; `unexpected` for pages that repeat,
 * lead to another address, are not JSON, or have more than `maxBytes` together.
 */
export async function readPages(
  client: Client,
  call: Call,
  { baseUrl, maxBytes }: { readonly baseUrl: string; readonly maxBytes: number },
): Promise<{ readonly text: string; readonly last: Answer }> {
  const pages: Answer[] = [];
  const seen = new Set<string>();
  let next = call;
  let length = 0;
  for (;;) {
    const address = JSON.stringify([next.operation.path, next.query]);
    if (seen.has(address)) throw cannotGoOn('The pages go round in a circle');
    if (seen.size === MAX_PAGES) throw cannotGoOn(`There are more than ${MAX_PAGES} pages`);
    seen.add(address);
    const answer: Answer = await client.call(next);
    if (answer.value === undefined) throw cannotGoOn('A page is not JSON');
    pages.push(answer);
    length += answer.text.length;
    if (length > maxBytes)
      throw cannotGoOn(`The pages together are larger than ${limitInWords(maxBytes)}`);
    const following = nextTarget(answer, next, baseUrl);
    const [first = answer] = pages;
    // Before the next is asked for: there may be a thousand.
    if (following !== undefined || pages.length > 1) checkJoins(answer, first);
    if (following === undefined)
      return { text: pages.length === 1 ? answer.text : joined(pages, first), last: answer };
    next = {
      ...call,
      operation: { ...call.operation, path: following.path },
      path: {},
      query: following.query,
    };
  }
}

function cannotGoOn(problem: string): CliError {
  return new CliError('unexpected', `${problem}; --paginate cannot go on.`, {
    hint: 'Repeat the command without --paginate.',
  });
}

const ADDRESS_FIELDS = ['next', 'nextUrl', 'next_url', 'nextPage', 'next_page'];
const CURSOR_FIELDS: ReadonlyArray<readonly [field: string, parameter: string]> = [
  ['nextCursor', 'cursor'],
  ['next_cursor', 'cursor'],
  ['nextPageToken', 'pageToken'],
  ['next_page_token', 'page_token'],
];
const ADDRESS = /^(?:https?:\/\/|\/|\?)/i;
/** Objects that may contain such a field. */
const PLACES = ['links', '_links', 'pagination', 'paging', 'meta', 'page'];

/** In a `Link` header (RFC 8288), a field with an address, or one with a cursor. */
function nextTarget(answer: Answer, call: Call, baseUrl: string): Target | undefined {
  const address =
    linkedAddress(answer.headers['link'] ?? '') ?? fieldOf(answer.value, ADDRESS_FIELDS, ADDRESS);
  if (address !== undefined) return targetOf(address, call, baseUrl);
  for (const [field, parameter] of CURSOR_FIELDS) {
    const cursor = fieldOf(answer.value, [field]);
    if (cursor === undefined) continue;
    const others = (call.query ?? []).filter(([name]) => name !== parameter);
    return { path: call.operation.path, query: [...others, [parameter, cursor]] };
  }
  return undefined;
}

function linkedAddress(header: string): string | undefined {
  for (const [, address, parameters = ''] of header.matchAll(/<([^<>]*)>(\s*;[^,]*)?/g)) {
    if (parameters.split(';').some(isNext)) return address;
  }
  return undefined;
}

function isNext(parameter: string): boolean {
  const [name = '', value = ''] = parameter.toLowerCase().split('=', 2);
  return name.trim() === 'rel' && value.replaceAll('"', ' ').split(/\s/).includes('next');
}

function fieldOf(page: unknown, names: readonly string[], form = /^/): string | undefined {
  const places = [asObject(page), ...PLACES.map((place) => asObject(asObject(page)[place]))];
  return places
    .flatMap((place) => names.map((name) => place[name]))
    .map((field) => asText(isObject(field) ? field['href'] : field))
    .find((text) => text !== undefined && form.test(text));
}

/** Throws for another origin, which must not get the credential. */
function targetOf(address: string, call: Call, baseUrl: string): Target {
  const base = new URL(baseUrl);
  const basePath = basePathOf(baseUrl);
  const current = `${base.origin}${basePath}${call.operation.path}`;
  const url = parseUrl(address, current);
  if (url?.origin !== base.origin) throw cannotGoOn('The next page is at another address');
  const path = url.pathname.startsWith(`${basePath}/`)
    ? url.pathname.slice(basePath.length)
    : url.pathname;
  return parseTarget(path + url.search, baseUrl);
}

/** Their names; undefined for a page that is a list. */
function listsOf({ value }: Answer): string[] | undefined {
  if (Array.isArray(value)) return undefined;
  if (!isObject(value)) throw cannotJoin('A page is neither a list nor an object');
  return Object.keys(value).filter((name) => Array.isArray(value[name]));
}

function checkJoins(page: Answer, first: Answer): void {
  const [lists, firstLists] = [listsOf(page), listsOf(first)];
  if ((lists === undefined) !== (firstLists === undefined)) {
    throw cannotJoin('Some pages are lists, and others are objects');
  }
  if (lists === undefined) return;
  if (lists.length > 1) throw cannotJoin(`A page has ${lists.length} lists (${listed(lists)})`);
  const [name, expected] = [lists[0], firstLists?.[0]];
  if (expected === undefined) throw cannotJoin('The page has no list');
  // A later page may omit the list when nothing is left.
  if (name !== undefined && name !== expected)
    throw cannotJoin(`The list is ${expected} first and ${name} later`);
}

function cannotJoin(why: string): Error {
  return usageError(
    `${why}, so --paginate cannot join the pages into one.`,
    'Repeat the command without --paginate.',
  );
}

function joined(pages: readonly Answer[], first: Answer): string {
  const values = pages.map(({ text }) => parseExactly(text));
  const [name] = listsOf(first) ?? [];
  if (name === undefined) return toJsonText(values.flatMap(asArray));
  const list = values.flatMap((page) => asArray(asObject(page)[name]));
  return toJsonText({
    ...withNext(asObject(values[0]), asObject(values.at(-1)), PLACES),
    [name]: list,
  });
}

const NEXT_FIELDS = [
  ...ADDRESS_FIELDS,
  ...CURSOR_FIELDS.map(([field]) => field),
  'hasMore',
  'has_more',
];

/** Takes the fields about the next page from the last one. */
function withNext(page: JsonObject, last: JsonObject, places: readonly string[]): JsonObject {
  const fields = Object.entries(page).flatMap(([name, value]): Array<[string, unknown]> => {
    const isPlace = places.includes(name) && isObject(value) && !(value instanceof RawJson);
    if (isPlace) return [[name, withNext(value, asObject(last[name]), [])]];
    if (!NEXT_FIELDS.includes(name)) return [[name, value]];
    return Object.hasOwn(last, name) ? [[name, last[name]]] : [];
  });
  return Object.fromEntries(fields);
}

const NUMBER = '\u0000number';

/** Keeps numbers as they are written. */
function parseExactly(text: string): unknown {
  const marked = replaceNumbers(text, (number) => JSON.stringify({ [NUMBER]: number }));
  return JSON.parse(marked, (_name, value) => {
    const number = isObject(value) ? value[NUMBER] : undefined;
    return typeof number === 'string' && DECIMAL.test(number) ? new RawJson(number) : value;
  });
}
