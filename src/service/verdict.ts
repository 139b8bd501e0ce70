import { CliError } from '../errors.ts';
import { asText, asYesOrNo, isObject, type JsonObject } from '../json/values.ts';
import { type Assume, type AssumptionName, assumeFrom } from '../spec/assumptions.ts';
import { readErrorObject } from './error-body.ts';

/** What the 2xx answer to a change says of it. `unclear`: nothing in it tells. */
export type Verdict = 'done' | 'failed' | 'pending' | 'unclear';

/** The kinds of status words, worst first: a status is of the first kind that one of its words has. */
type Kind = 'failed' | 'pending' | 'done';

/** The status words of orders, or those of jobs and everything else. */
export type StatusWords = Readonly<Record<Kind, ReadonlySet<string>>>;

/** A verdict with what decided it. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The status that decided, as the API wrote it; otherwise the first one. */
  readonly status: string | undefined;
  /** Set if svc does not know the word of `status`, whatever decided. */
  readonly isUnknownWord: boolean;
  /** The object that decided: the answer, what it wraps, or an element. */
  readonly part: JsonObject;
  /** The element that decided, such as `stagedRecords[1]`; its `index` counts over the whole collection. */
  readonly element?: { readonly name: string; readonly index: number } | undefined;
}

interface JudgeOptions {
  readonly words: StatusWords;
  /** Fields in which the answer may wrap the thing, besides `data` and `result`: `order`, `job`. */
  readonly wrappers?: readonly string[];
  /** Whether `success: true` is documented for the answer: then it decides, whatever status stands beside it. */
  readonly hasSuccess?: boolean;
  /** Fields that hold what was sent, such as `items`; each of their elements is judged as well. */
  readonly collections?: readonly string[];
}

/** The assumptions with the words of each thing. Both share the pending ones. */
const TABLES = {
  checkout: { failed: 'checkout.failed', pending: 'checkout.pending', done: 'checkout.done' },
  job: { failed: 'job.failed', pending: 'checkout.pending', done: 'job.done' },
} as const satisfies Record<string, Record<Kind, AssumptionName>>;

/** The words of assumptions that were read before, by their texts: a list asks for the same ones each time. */
const known = new Map<string, StatusWords>();

/** Returns the status words of orders (`checkout`) or of jobs. A word that the user declared is of that kind alone. */
export function statusWords(assume: Assume, thing: keyof typeof TABLES): StatusWords {
  const key = [thing, ...Object.values(TABLES[thing]).map(assume)].join('\n');
  const words = known.get(key) ?? readWords(assume, thing);
  known.set(key, words);
  return words;
}

function readWords(assume: Assume, thing: keyof typeof TABLES): StatusWords {
  const own = assumeFrom(new Map());
  const read = (text: string) => new Set(text.split(/\s+/).map((word) => wordsOf(word).join(' ')));
  const table = Object.fromEntries(
    Object.entries(TABLES[thing]).map(([kind, name]) => [kind, { words: read(assume(name)), own: read(own(name)) }]),
  );
  const declaredBy = (kind: string, word: string) => table[kind]?.words.has(word) && !table[kind].own.has(word);
  const isTaken = (kind: string, word: string) =>
    Object.keys(table).some((other) => other !== kind && declaredBy(other, word));
  const wordsFor = (kind: Kind) =>
    new Set([...(table[kind]?.words ?? [])].filter((word) => word !== '' && !isTaken(kind, word)));
  return { failed: wordsFor('failed'), pending: wordsFor('pending'), done: wordsFor('done') };
}

const NEGATIONS = new Set(['not', 'no', 'non', 'never', 'without']);
/** Words that add nothing to a word of the table. */
const FILLERS = new Set([
  'payment',
  'order',
  'job',
  'in',
  'is',
  'and',
  'with',
  'the',
  'was',
  'has',
  'been',
  'by',
  'user',
]);

/** Splits a status into its words: `PaymentFailed`, `payment_failed` and `PAYMENT-FAILED` are the same. */
function wordsOf(status: string): readonly string[] {
  return status
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/timed[ _-]?out/g, 'timeout')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');
}

/** Returns the kind of a status, or undefined for one that svc does not know. */
export function kindOf(status: string, table: StatusWords): Kind | undefined {
  const words = wordsOf(status);
  const whole = words.join(' ');
  for (const kind of ['failed', 'pending', 'done'] as const) if (table[kind].has(whole)) return kind;
  const isIn = (kind: Kind) => (word: string) => table[kind].has(word);
  if (words.some((word) => NEGATIONS.has(word))) return undefined;
  for (const kind of ['failed', 'pending'] as const) if (words.some(isIn(kind))) return kind;
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 && telling.every(isIn('done')) ? 'done' : undefined;
}

/**
 * Judges the answer to a change: its top level, what it wraps, and the elements of what was sent. The worst of them counts:
 * failed, pending, done. Histories and other things within the answer are not judged.
 */
export function judge(answer: unknown, options: JudgeOptions): Judgement {
  const { wrappers = [], collections = [], hasSuccess = false } = options;
  const top = isObject(answer) ? answer : {};
  const inner = wrappedIn(top, ['data', 'result', ...wrappers]);
  const elements = [top, ...inner].flatMap((object) =>
    collections.flatMap((name) => elementsOf(object[name]).map((part, index) => ({ part, element: { name, index } }))),
  );
  const listed = Array.isArray(answer)
    ? elementsOf(answer).map((part, index) => ({ part, element: { name: '', index } }))
    : [];
  const all = [{ part: top }, ...inner.map((part) => ({ part })), ...elements, ...listed].map(
    (place): Judgement => ({ ...place, ...judgeObject(place.part, options) }),
  );
  // A word that svc does not know keeps an answer from being done, unless it says `success: true` itself.
  const isUnknown = ({ verdict, isUnknownWord }: Judgement) => verdict === 'unclear' && isUnknownWord;
  const worst = [
    all.find(({ verdict }) => verdict === 'failed'),
    all.find(({ verdict }) => verdict === 'pending'),
    hasSuccess && saysSuccess(top) ? undefined : all.find(isUnknown),
    all.find(({ verdict }) => verdict === 'done'),
  ].find((judgement) => judgement !== undefined);
  return (
    worst ??
    all.find(({ status }) => status !== undefined) ?? {
      part: top,
      verdict: 'unclear',
      status: undefined,
      isUnknownWord: false,
    }
  );
}

/** What an answer about a deployment says. `done` and `failed` are final; `over` is done and not live. */
export interface DeploymentJudgement extends Judgement {
  readonly stage: 'live' | 'over' | 'done' | 'failed' | 'running';
}

/**
 * Judges an answer about a deployment.
 * @param isLive what its live indicator says; undefined if there is none
 */
export function judgeDeployment(answer: unknown, isLive: boolean | undefined, assume: Assume): DeploymentJudgement {
  const judgement = judge(answer, { words: statusWords(assume, 'job'), wrappers: ['deployment'] });
  return { ...judgement, stage: stageOf(judgement, isLive) };
}

/** An answer that says that it failed is never taken for a live one. */
function stageOf({ verdict }: Judgement, isLive: boolean | undefined): DeploymentJudgement['stage'] {
  if (verdict === 'failed') return verdict;
  if (isLive) return 'live';
  if (verdict !== 'done') return 'running';
  return isLive === false ? 'over' : 'done';
}

/** Returns what an object wraps, such as `data` and the `job` in it. */
function wrappedIn(object: JsonObject, names: readonly string[], depth = 2): readonly JsonObject[] {
  if (depth === 0) return [];
  const inner = names.map((name) => object[name]).filter(isObject);
  return [...inner, ...inner.flatMap((child) => wrappedIn(child, names, depth - 1))];
}

/** Returns the objects of a list, of a list of lists by name (`{"A": […]}`), or of a map of objects by id. */
function elementsOf(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return [];
  return Object.values(value).flat().filter(isObject);
}

const FLAGS = ['success', 'ok', 'staged'];
const COMPLAINTS = ['error', 'errors', 'failed', 'rejected'];

/** Judges one object by its flags and complaints first, then by its status. */
function judgeObject(
  object: JsonObject,
  { words, hasSuccess }: JudgeOptions,
): Pick<Judgement, 'verdict' | 'status' | 'isUnknownWord'> {
  const statuses = statusesOf(object).map((status) => ({ status, kind: kindOf(status, words) }));
  const first = (kind: Kind | undefined) => statuses.find((found) => found.kind === kind)?.status;
  const status = first('failed') ?? first('pending') ?? first(undefined) ?? statuses[0]?.status;
  const isUnknownWord = status !== undefined && status === first(undefined);
  const as = (verdict: Verdict) => ({ verdict, status, isUnknownWord });
  const isFlag = (value: unknown) => asYesOrNo(value) === false;
  if (FLAGS.some((name) => isFlag(object[name])) || COMPLAINTS.some((name) => !isEmpty(object[name])))
    return as('failed');
  if (first('failed') !== undefined) return as('failed');
  if (saysSuccess(object) && (hasSuccess || statuses.length === 0)) return as('done');
  // A `success` that is neither yes nor no says nothing.
  if (asYesOrNo(object['success']) === undefined && !isEmpty(object['success'])) return as('unclear');
  if (first('pending') !== undefined) return as('pending');
  return as(statuses.length > 0 && first(undefined) === undefined ? 'done' : 'unclear');
}

function saysSuccess({ success }: JsonObject): boolean {
  return asYesOrNo(success) === true;
}

/** A field that is a status by its name, such as `paymentStatus`, and not one of earlier times. */
const STATUS_NAME =
  /^(?!(?:previous|prior|last|old|initial|http)_?-?[A-Z_]?)(?:status|state|.*(?:Status|State|_status|_state))$/;

/** Returns the statuses of an object, as they are written. `outcome` and `result` count if they are a single word. */
function statusesOf(object: JsonObject): readonly string[] {
  const byName = Object.entries(object).flatMap(([name, value]) => {
    if (!STATUS_NAME.test(name)) return [];
    const named = isObject(value) ? ['status', 'state', 'code', 'name', 'value'].map((key) => value[key]) : [value];
    return named.flatMap((text) => (typeof text === 'string' ? (asText(text.trim()) ?? []) : []));
  });
  const single = ['outcome', 'result'].flatMap((name) => {
    const value = object[name];
    return typeof value === 'string' && /^[\w-]+$/.test(value) ? value : [];
  });
  return [...byName, ...single];
}

/** Words of services that fill a field instead of leaving it out. */
const NOTHING = /^(?:none|null|no errors?|n\/a|false|0)?$/i;

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return NOTHING.test(value.trim());
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/**
 * Makes the error (exit code 9) of an answer that says `failed`, with the platform's own words.
 * @param sentence without its full stop
 */
export function failedBy({ part, status, element }: Judgement, sentence: string): CliError {
  const { text, lines } = readErrorObject(part);
  const where = element === undefined ? '' : `${element.name}[${element.index}]`;
  const why = [where, text ?? (lines.length > 0 || status === undefined ? '' : `status ${status}`)].filter(Boolean);
  const bareEnd = lines.length === 0 ? '.' : ':';
  const { error } = part;
  return new CliError('failed', `${sentence}${why.length > 0 ? `: ${why.join(': ')}` : bareEnd}`, {
    lines: lines.length === 0 ? undefined : lines,
    service: isEmpty(error) ? undefined : { error },
  });
}

/** Returns a status as a word that `SVC_ASSUME` takes: `requires review` as `requires_review`. */
export function assumable(status: string): string {
  return wordsOf(status).join('_');
}
