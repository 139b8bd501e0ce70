import { type Assume, createAssume } from '../contract/assumptions.ts';
import type { Fields } from '../contract/fields/field.ts';
import { OPERATION_FIELDS } from '../contract/fields/operations.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { CliError } from '../errors.ts';
import { asText, findField, isObject, type JsonObject, otherFields } from '../json/values.ts';
import { splitName } from '../split-name.ts';

/** An answer without what may wrap it, such as `{"success": true, "data": {…}}`. */
export interface Unwrapped {
  /**
   * The object with the documented fields of the operation, and what stands beside it in a wrapper.
   * Any other answer stays as it is.
   */
  readonly value: unknown;
  /** The objects around it, the outermost first. */
  readonly wrappers: readonly JsonObject[];
  /** The object without what stands beside it; undefined if nothing does. */
  readonly own?: JsonObject | undefined;
}

/** Names of objects that are about what was asked for: they may wrap it, or stand in it. */
const WRAPPERS = ['data', 'result', 'order', 'job', 'autopay'];
const MAX_WRAPPERS = 2;

/** A wrapper says these of the request. Of what was asked for, they would say something else. */
const ABOUT_THE_REQUEST = ['error', 'success', 'status', 'state'];

/** An object of an answer that may be what was asked for, with the names that lead to it. */
interface Level {
  readonly object: JsonObject;
  readonly path: readonly string[];
  readonly wrappers: readonly JsonObject[];
}

/**
 * Finds the own level of an answer: the object with the most documented fields of the operation, of
 * equals the outer one; of an order the object with its id.
 */
export function unwrap(answer: unknown, operation: Operation | undefined): Unwrapped {
  const asItCame = { value: answer, wrappers: [] };
  const documented = listDocumentedFields(operation);
  if (documented.length === 0) return asItCame;

  const levels = listLevels(answer);
  const orderLevel = operation?.name === OPERATIONS.createOrder.name && findOrderLevel(levels);
  const level = orderLevel || findRichestLevel(levels, documented);
  if (level === undefined) return asItCame;

  const { object, path, wrappers } = level;
  const beside = wrappers.map((wrapper, depth) =>
    otherFields(wrapper, [path[depth] ?? '', ...ABOUT_THE_REQUEST]),
  );
  const own = wrappers.length === 0 ? undefined : object;
  // A field `__proto__` stays a field.
  const fields = [...beside, object].flatMap((part) => Object.entries(part));
  return { value: Object.fromEntries(fields), wrappers, own };
}

/** Lists an answer and what it wraps, the outer ones first. */
function listLevels(answer: unknown): readonly Level[] {
  if (!isObject(answer)) return [];
  const levels: Level[] = [{ object: answer, path: [], wrappers: [] }];
  for (const { object, path, wrappers } of levels) {
    if (path.length === MAX_WRAPPERS) break;
    for (const name of WRAPPERS) {
      const inner = object[name];
      if (!isObject(inner)) continue;
      levels.push({ object: inner, path: [...path, name], wrappers: [...wrappers, object] });
    }
  }
  return levels;
}

/** Returns the level with an order id, or else an object named `order` whose `id` it then is. */
function findOrderLevel(levels: readonly Level[]): Level | undefined {
  const named = levels.find(({ object }) => asText(object['orderId']) !== undefined);
  if (named !== undefined) return named;

  const order = levels.find(
    ({ object, path }) => path.at(-1) === 'order' && asText(object['id']) !== undefined,
  );
  if (order === undefined) return undefined;
  const { id, ...fields } = order.object;
  return { ...order, object: { orderId: id, ...fields } };
}

function findRichestLevel(
  levels: readonly Level[],
  documented: readonly string[],
): Level | undefined {
  const counts = levels.map(({ object }) => documented.filter((name) => name in object).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? undefined : levels[counts.indexOf(most)];
}

/**
 * Finds the API's Error object in the answer to a read that has nothing else: neither the answer
 * nor what it wraps has a documented field of the operation.
 */
export function findErrorObject(answer: unknown, operation: Operation): JsonObject | undefined {
  const documented = listDocumentedFields(operation);
  const levels = listLevels(answer).map(({ object }) => object);
  const hasField = documented.some((name) =>
    levels.some((object) => (object[name] ?? null) !== null),
  );
  if (hasField) return undefined;

  const withError = levels.find((object) => !isEmpty(object['error']));
  // The API document shows nothing of the usage history, which has lists or objects.
  return documented.length === 0 && !isBareError(answer) ? undefined : withError;
}

/** Whether an object, or the one object that it wraps, has an error and no list or object. */
function isBareError(answer: unknown): boolean {
  if (!isObject(answer)) return false;
  const parts = Object.entries(otherFields(answer, ['error'])).filter(
    ([, value]) => value instanceof Object,
  );
  if (parts.length === 0) return !isEmpty(answer['error']);
  const [[name, part] = []] = parts;
  return parts.length === 1 && WRAPPERS.includes(name ?? '') && isBareError(part);
}

/**
 * Whether a field that says something is empty: null, false, 0, a blank text, or a list or object
 * of such.
 */
export function isEmpty(value: unknown): boolean {
  if (value instanceof Object) return Object.values(value).every(isEmpty);
  return !value || (typeof value === 'string' && value.trim() === '');
}

function listDocumentedFields(operation: Operation | undefined): readonly string[] {
  const { answer = {} } = DOCUMENTED[operation?.name ?? ''] ?? {};
  return Object.entries(answer).flatMap(([name, { assumed }]) =>
    assumed === 'field' ? [] : [name],
  );
}

const DOCUMENTED: Readonly<Record<string, { readonly answer: Fields }>> = {
  ...OPERATION_FIELDS,
  // The assumed lookup of a job answers what queued it.
  getJob: OPERATION_FIELDS.runAction,
};

/**
 * Finds the id of an object unless it is the one that was asked for.
 * @param object the job, deployment or database itself
 */
export function findOtherId(
  object: JsonObject,
  kind: 'job' | 'deployment' | 'database',
  askedId: string,
): string | undefined {
  const readTexts = (names: readonly string[]) =>
    names.flatMap((name) => asText(object[name]) ?? []);
  const ids = readTexts(['id', `${kind}Id`, `${kind}_id`, 'uuid']);
  const names = readTexts(['slug', 'name', 'number']);
  return [...ids, ...names].includes(askedId) ? undefined : ids[0];
}

/** Creates the warning beside an answer that is only shown. */
export function createOtherIdWarning(
  askedId: string,
  otherId: string,
): { readonly text: string; readonly code: string } {
  return {
    text: `svc asked for ${askedId}, and the answer is about ${otherId}.`,
    code: 'other_thing',
  };
}

/** Creates the error (exit code 8) of an answer that was to decide something. */
export function createOtherIdError(askedId: string, otherId: string): CliError {
  return new CliError(
    'unavailable',
    `svc asked for ${askedId}, but the answer is about ${otherId}. Nothing follows from it.`,
  );
}

/** Finds the id of an order. Without one it may exist, whatever else the answer says. */
export function findOrderId(order: unknown): string | undefined {
  return asText(findField(order, 'orderId'))?.trim() || undefined;
}

/** A kind of change, or what else an answer is about. */
export type ChangeKind = 'order' | 'staging' | 'job' | 'restart' | 'deployment' | 'change';

const KINDS = ['failed', 'pending', 'done'] as const;
type Kind = (typeof KINDS)[number];

/** A status as the API wrote it. Without a kind, svc does not know its words. */
export interface Status {
  /** The path of its field, such as `payment.status`. */
  readonly path: string;
  readonly text: string;
  readonly kind: Kind | undefined;
}

/**
 * Returns the assumptions with the places and the words of a status. Stagings and restarts have
 * those of jobs.
 */
export function getStatusAssumptions(thing: ChangeKind) {
  const name = thing === 'order' ? 'checkout' : 'job';
  const place = thing === 'deployment' ? thing : name;
  return {
    places: `${place}.status`,
    failed: `${name}.failed`,
    pending: `${name}.pending`,
    done: `${name}.done`,
  } as const;
}

/** Reads the statuses of an object, at the assumed places. */
export function readStatuses(
  part: JsonObject,
  thing: ChangeKind,
  assume: Assume,
): readonly Status[] {
  const places = assume(getStatusAssumptions(thing).places).split(/\s+/);
  return places.flatMap((path) => {
    const value = path.split('.').reduce<unknown>(findField, part);
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') return [];
    return [{ path, text, kind: classifyStatus(text, getStatusWords(assume, thing)) }];
  });
}

type StatusWords = ReadonlyMap<string, Kind>;

/** The words that were read already: a batch reads thousands of answers. */
const WORDS_READ = new WeakMap<Assume, Map<ChangeKind, StatusWords>>();

function getStatusWords(assume: Assume, thing: ChangeKind): StatusWords {
  const byThing = WORDS_READ.get(assume) ?? new Map<ChangeKind, StatusWords>();
  WORDS_READ.set(assume, byThing);
  const words = byThing.get(thing) ?? readStatusWords(assume, thing);
  byThing.set(thing, words);
  return words;
}

/** Reads the kind of each word or phrase. One that the user declared is of that kind alone. */
export function readStatusWords(assume: Assume, thing: ChangeKind): StatusWords {
  const rows = getStatusAssumptions(thing);
  const listWords = (source: Assume) =>
    KINDS.flatMap((kind) => {
      const words = source(rows[kind]).split(/\s+/);
      return words.map((word) => [splitWords(word).join(' '), kind] as const);
    });
  const standard = new Map(listWords(STANDARD));
  const isDeclared = ([word, kind]: readonly [string, Kind]) => standard.get(word) !== kind;
  // The last entry of a word counts.
  return new Map(listWords(assume).sort((a, b) => Number(isDeclared(a)) - Number(isDeclared(b))));
}

const STANDARD = createAssume(new Map());

/** Words that say what a status is about, or join others. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'payment order job action request transaction charge card checkout build deploy deployment restart staging backup plugin record records ' +
    'validation verification funds approval confirmation method user customer in is and with the was has been by for of to on'
  ).split(' '),
);

/**
 * Splits a status or the name of a field: `PaymentFailed`, `payment_failed` and `PAYMENT-FAILED`
 * are the same.
 */
export function splitWords(text: string): readonly string[] {
  return splitName(text.replace(/timed[ _-]?out/gi, ' timeout'));
}

/**
 * Returns the kind that all words have that say something. Undefined if they have several, or svc
 * does not know one of them.
 */
export function classifyStatus(status: string, table: StatusWords): Kind | undefined {
  const words = splitWords(status);
  const kinds = new Set(words.filter((word) => !FILLERS.has(word)).map((word) => table.get(word)));
  const [only] = kinds.size === 1 ? kinds : [];
  return table.get(words.join(' ')) ?? only;
}
