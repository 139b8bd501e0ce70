import { asText, fieldOf, isObject, type JsonObject } from '../json/values.ts';
import { kindOf, type StatusWords, splitWords } from './status-words.ts';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Nouns of trouble. Before another noun they say nothing: `errorTracking`, `failureThreshold`. */
const NOUNS = wordSet('fail fails failure failures error errors conflict conflicts');
/** Before a noun they count as a list or a number: `failedRecords`, not `rejectedBy`. */
const PARTICIPLES = wordSet('failed failing rejected declined refused denied conflicting');
/** May stand behind either: `errorCode`, `failedCount`. */
const ABOUT_TROUBLE = wordSet(
  'code codes message messages reason reasons count counts total text detail details description list at',
);
/** They count as a list or a number only, and only beside what was made. */
const LEFT_OUT = wordSet('ignored skipped invalid missing lost unavailable');
const WHAT_WAS_SENT = wordSet('records items count total');

const SETTINGS = wordSet(
  'url urls uri uris policy policies threshold thresholds handler handlers page pages log logs rate rates limit limits ' +
    'attempt attempts retry retries history',
);
/** What is to happen on a failure, or if there is one, did not happen. */
const CONDITIONS = wordSet('on if');
const EARLIER = wordSet('previous last');
const ECHOES = wordSet('params parameters request input payload');

/** Fills a field instead of leaving it out. */
const NOTHING = /^(?:0+|ok|success|none|null|n\/a|false|-|(?:no|0) (?:errors?|failures?))?$/i;

const MAX_DEPTH = 8;
const MAX_VALUES = 20_000;

/** Its name says so, and something is in it. */
export function isTrouble(name: string, value: unknown): boolean {
  const words = splitWords(name);
  const tells = (word: string, index: number) => {
    const isParticiple = PARTICIPLES.has(word);
    if (!isParticiple && !NOUNS.has(word)) return false;
    if (words.slice(0, index).some((earlier) => CONDITIONS.has(earlier))) return false;
    const isLast = words.slice(index + 1).every((other) => ABOUT_TROUBLE.has(other));
    return isLast || (isParticiple && isListOrCount(value));
  };
  return !saysNothing(words) && words.some(tells) && !isNothing(value);
}

/** `skipped`, `skippedCount`, `skippedRecords`. */
export function isLeftOut(name: string, value: unknown): boolean {
  const [first = '', second = 'count', ...others] = splitWords(name);
  const isNamed = LEFT_OUT.has(first) && WHAT_WAS_SENT.has(second) && others.length === 0;
  return isNamed && isListOrCount(value) && !isNothing(value);
}

/** Of the status of an element. */
export function isLeftOutStatus(status: string): boolean {
  return ['skipped', 'ignored', 'invalid'].includes(splitWords(status).join(' '));
}

function isListOrCount(value: unknown): boolean {
  return typeof value === 'number' || Array.isArray(value);
}

function saysNothing(words: readonly string[]): boolean {
  return EARLIER.has(words[0] ?? '') || SETTINGS.has(words.at(-1) ?? '');
}

/** Whether a field is empty, or filled with a word that means so. */
export function isNothing(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return NOTHING.test(value.trim());
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  return Object.values(value).every((child) => isNothing(child, depth + 1));
}

/** A number is a count: none of something is no refusal. */
export function isNo(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^\s*(?:false|no)\s*$/i.test(value));
}

/** The opposite of {@link isNo}, or 1. */
export function isYes(value: unknown): boolean {
  return (
    value === true ||
    value === 1 ||
    (typeof value === 'string' && /^\s*(?:true|yes|1)\s*$/i.test(value))
  );
}

/** A status by its name, such as `paymentStatus`, and not one of earlier times. */
const STATUS_NAME =
  /^(?!(?:previous|prior|last|old|initial|http)_?-?[A-Z_]?)(?:status|state|.*(?:[Ss]tatus|[Ss]tate))$/;

/** `outcome`, `result` and `success` count if they are a single word. */
export function statusesOf(
  object: JsonObject,
): readonly (readonly [name: string, status: string])[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (STATUS_NAME.test(name)) return textsOf(value).map((text) => [name, text] as const);
    const isWord =
      typeof value === 'string' && /^[\w-]+$/.test(value) && !isYes(value) && !isNo(value);
    return isWord && ['outcome', 'result', 'success'].includes(name)
      ? [[name, value] as const]
      : [];
  });
}

function textsOf(value: unknown): readonly string[] {
  const values = isObject(value)
    ? ['status', 'state', 'code', 'name', 'value'].map((key) => value[key])
    : [value];
  return values.flatMap((text) => (typeof text === 'string' ? (asText(text.trim()) ?? []) : []));
}

/** Where trouble was found, and what is there. */
export interface Trouble {
  /** Such as `checks.fraud.status`. */
  readonly path: string;
  readonly value: unknown;
}

interface Visit extends Trouble {
  readonly depth: number;
}

/**
 * Looks for trouble in one bounded walk, not in what tells of earlier times, of settings, or of
 * what was asked.
 */
export function findTrouble(answer: unknown, words: StatusWords): Trouble | undefined {
  const visits: Visit[] = [{ value: answer, path: '', depth: 0 }];
  for (const visit of visits) {
    const { value, path } = visit;
    const name = isObject(value) ? troubleIn(value, words) : undefined;
    if (name !== undefined) return { path: pathTo(path, name), value: fieldOf(value, name) };
    // Not more than that at once: a call takes no more than some 100,000 arguments.
    visits.push(...childrenOf(visit).slice(0, MAX_VALUES - visits.length));
  }
  return undefined;
}

function childrenOf({ value, path, depth }: Visit): readonly Visit[] {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
    if (typeof child !== 'object' || child === null) return [];
    if (!isList && (ECHOES.has(name.toLowerCase()) || saysNothing(splitWords(name)))) return [];
    return [
      { value: child, path: isList ? `${path}[${name}]` : pathTo(path, name), depth: depth + 1 },
    ];
  });
}

/** The path of a field. */
export function pathTo(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The first field that is trouble, in an object of which svc does not know what it is about. */
function troubleIn(object: JsonObject, words: StatusWords): string | undefined {
  // An expired promo code or a cancelled subscription is not trouble of what was asked for.
  const tells = (status: string) =>
    splitWords(status).some((word) => NOUNS.has(word) || PARTICIPLES.has(word));
  const [failed] =
    statusesOf(object).find(([, status]) => tells(status) && kindOf(status, words) === 'failed') ??
    [];
  const isRefused = (name: string) => (name === 'success' || name === 'ok') && isNo(object[name]);
  return (
    failed ?? Object.keys(object).find((name) => isTrouble(name, object[name]) || isRefused(name))
  );
}
