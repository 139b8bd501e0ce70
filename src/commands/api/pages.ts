import { listed, usageError } from '../../errors.ts';
import type { Answer, Call, Client } from '../../http/call.ts';
import { isObject } from '../../spec/read.ts';
import { joinArrays, type Member, membersOf, objectOf } from './json-parts.ts';
import { NEXT_FIELDS, nextTarget, notPages, PLACES } from './next-page.ts';

/** More pages than this are a mistake of one side or the other. */
const MOST_PAGES = 1_000;

/** All pages as one JSON text. */
export interface Pages {
  readonly text: string;
  /** The answer of the last page. */
  readonly last: Answer;
}

/**
 * Sends a call and follows its pages. Their texts are kept as they came, so no number changes: pages that are lists
 * become one list, and of pages that are objects the first one gets the elements of all the others in its only list. A
 * single page is left alone.
 * @throws CliError `usage` for pages that cannot be joined, and `unexpected` for pages that lead round in a circle, to
 * another address, or are not JSON.
 */
export async function readPages(client: Client, call: Call, baseUrl: string): Promise<Pages> {
  const pages: Answer[] = [];
  const seen = new Set<string>();
  let next = call;
  for (;;) {
    const address = JSON.stringify([next.operation.path, next.query]);
    if (seen.has(address)) throw notPages('The pages lead round in a circle');
    if (seen.size === MOST_PAGES) throw notPages(`There are more than ${MOST_PAGES} pages`);
    seen.add(address);
    const answer: Answer = await client.call(next);
    if (answer.value === undefined) throw notPages('A page is not JSON');
    pages.push(answer);
    const following = nextTarget(answer, next, baseUrl);
    const [first = answer] = pages;
    // Before the next page is asked for: there may be a thousand.
    if (following !== undefined || pages.length > 1) checkJoins(answer, first);
    if (following === undefined) return { text: pages.length === 1 ? answer.text : joined(pages, first), last: answer };
    next = { ...call, operation: { ...call.operation, path: following.path }, path: {}, query: following.query };
  }
}

/** The names of the lists of a page; `undefined` for a page that is a list itself. */
function listsOf({ value }: Answer): string[] | undefined {
  if (Array.isArray(value)) return undefined;
  if (!isObject(value)) throw cannotJoin('A page is neither a list nor an object');
  return Object.keys(value).filter((name) => Array.isArray(value[name]));
}

/** Throws a usage error for a page that cannot be joined to the first one. */
function checkJoins(page: Answer, first: Answer): void {
  const [lists, firstLists] = [listsOf(page), listsOf(first)];
  if ((lists === undefined) !== (firstLists === undefined)) {
    throw cannotJoin('Some pages are lists, and others are objects');
  }
  if (lists === undefined) return;
  if (lists.length > 1) throw cannotJoin(`A page has ${lists.length} lists (${listed(lists)})`);
  const [name, expected] = [lists[0], firstLists?.[0]];
  if (expected === undefined) throw cannotJoin('The page has no list');
  // A later page may say that there is nothing more by leaving it out.
  if (name !== undefined && name !== expected) throw cannotJoin(`The list is ${expected} first and ${name} later`);
}

function cannotJoin(why: string): Error {
  return usageError(`${why}, so --paginate cannot join the pages into one.`, 'the same command without --paginate');
}

function joined(pages: readonly Answer[], first: Answer): string {
  const texts = pages.map(({ text }) => text);
  const [name] = listsOf(first) ?? [];
  if (name === undefined) return joinArrays(texts);
  const documents = texts.map(membersOf);
  const list = joinArrays(
    documents.map((members) => find(members, name)?.value ?? '').filter((value) => value.startsWith('[')),
  );
  const [members = [], last = []] = [documents[0], documents.at(-1)];
  const extended = members.map((member) => (member.name === name ? { ...member, value: list } : member));
  return objectOf(withNext(extended, last, PLACES));
}

/** The members with what those of the last page say of the next one, here and in the named objects. */
function withNext(members: readonly Member[], last: readonly Member[], places: readonly string[]): Member[] {
  return members.flatMap((member) => {
    const { name, value } = member;
    const latest = find(last, name)?.value;
    if (places.includes(name) && value.startsWith('{')) {
      const inside = latest?.startsWith('{') === true ? membersOf(latest) : [];
      return [{ ...member, value: objectOf(withNext(membersOf(value), inside, [])) }];
    }
    if (!NEXT_FIELDS.includes(name)) return [member];
    return latest === undefined ? [] : [{ ...member, value: latest }];
  });
}

/** The member of a name; the last one, as JSON is read, if there are several. */
function find(members: readonly Member[], name: string): Member | undefined {
  return members.findLast((member) => member.name === name);
}
