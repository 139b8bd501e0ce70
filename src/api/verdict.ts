import type { Assume } from '../contract/assumptions.ts';
import { asObject, isObject, type JsonObject } from '../json/values.ts';
import { kindOf, type StatusWords, splitWords, statusWords, type Thing } from './status-words.ts';
import {
  findTrouble,
  isLeftOut,
  isLeftOutStatus,
  isNo,
  isTrouble,
  isYes,
  pathTo,
  statusesOf,
  type Trouble,
} from './trouble.ts';

/**
 * The worst first: that one counts. `unknown`: svc does not know the word of a status. `silent`:
 * nothing tells.
 */
const VERDICTS = ['failed', 'pending', 'unknown', 'done', 'silent'] as const;
type Verdict = (typeof VERDICTS)[number];

interface Said {
  readonly verdict: Verdict;
  /** The one that decided, as the API wrote it; otherwise the first one of the object. */
  readonly status: string | undefined;
  /** The field that decided if it was no status: a flag, or a name of trouble. */
  readonly cause: string | undefined;
  readonly part: JsonObject;
  /** Empty for the answer itself and what it wraps, or such as `items[1]`. */
  readonly path: string;
}

/** A verdict with what decided it. */
export interface Judgement extends Said {
  readonly thing: Thing;
  readonly failed: readonly Said[];
  /** In an unknown place: nothing is confirmed, and nothing has surely failed. */
  readonly doubt: Trouble | undefined;
}

const WRAPPERS = ['data', 'result', 'order', 'job', 'deployment'];
/**
 * Where an order says how it is paid and delivered. A text in place of the object is its status.
 */
const PARTS_OF_AN_ORDER = ['payment', 'transaction', 'charge', 'provision'];
const LISTS = ['items', 'stagedRecords', 'records'];
/** Beside one of these, what was left out counts. A job skips what it does not need to touch. */
const MADE = ['orderId', 'stagedRecords'];

/** Names by which an object says of itself whether it was done. `isAccepted` is `accepted`. */
const FLAGS = ['success', 'ok', 'accepted', 'approved', 'successful', 'succeeded'];
const FLAGS_OF_ELEMENTS = ['staged', 'applied'];
/** False in one of these means "not yet". */
const NOT_YET = ['paid', 'completed', 'valid', 'verified', 'live'];

interface Place {
  readonly part: JsonObject;
  readonly path: string;
}

/** Judges the answer to a change. */
export function judge(answer: unknown, thing: Thing, assume: Assume): Judgement {
  const words = statusWords(assume, thing);
  const top: Place = { part: asObject(answer), path: '' };
  const listed = Array.isArray(answer) ? elementsOf(answer, '') : [];
  const places = [...levelsOf(top).flatMap((level) => placesAt(level, thing)), ...listed];
  const judged = places.map((place) => judgePlace(place, thing, words));
  const failed = judged.filter(({ verdict }) => verdict === 'failed');
  const rank = ({ verdict }: Said) => VERDICTS.indexOf(verdict);
  const worst = judged.reduce((one, other) => (rank(other) < rank(one) ? other : one));
  // Documented: a restart that says so was done, whatever status stands beside it.
  const isDone = thing === 'restart' && isYes(top.part['success']) && failed.length === 0;
  const doubt = findTrouble(answer, words);
  return { ...worst, ...(isDone && { verdict: 'done' }), thing, failed, doubt };
}

function levelsOf(place: Place, depth = 2): readonly Place[] {
  if (depth === 0) return [place];
  const inner = WRAPPERS.map((name) => place.part[name]).filter(isObject);
  return [place, ...inner.flatMap((part) => levelsOf({ ...place, part }, depth - 1))];
}

function placesAt(level: Place, thing: Thing): readonly Place[] {
  const { part, path } = level;
  const ofOrder = (thing === 'order' ? PARTS_OF_AN_ORDER : []).flatMap((name): Place[] => {
    const value = part[name];
    const inner = typeof value === 'string' && value.trim() !== '' ? { status: value } : value;
    return isObject(inner) ? [{ part: inner, path: pathTo(path, name) }] : [];
  });
  return [
    level,
    ...ofOrder,
    ...LISTS.flatMap((name) => elementsOf(part[name], pathTo(path, name))),
  ];
}

/** The objects of a list, of lists by name (`{"A": […]}`), or of a map of objects by id. */
function elementsOf(value: unknown, path: string): readonly Place[] {
  const entries: readonly unknown[] = isObject(value)
    ? Object.values(value).flat()
    : [value].flat();
  return entries.flatMap((part, index) =>
    isObject(part) ? [{ part, path: `${path}[${index}]` }] : [],
  );
}

function judgePlace({ part, path }: Place, thing: Thing, words: StatusWords): Said {
  const isElement = path.endsWith(']');
  const statuses = statusesOf(part).map(([, status]) => ({ status, kind: kindOf(status, words) }));
  const first = (kind: string | undefined) => statuses.find((found) => found.kind === kind)?.status;
  const unknown = first(undefined);
  const status = first('failed') ?? first('pending') ?? unknown ?? statuses[0]?.status;
  const hasFailed = first('failed') !== undefined;
  const cause = hasFailed ? undefined : causeIn(part, isElement);
  const as = (verdict: Verdict): Said => ({ verdict, status, cause, part, path });
  const isLeft = isElement && unknown !== undefined && isLeftOutStatus(unknown);
  if (hasFailed || cause !== undefined || isLeft) return as('failed');
  if (first('pending') !== undefined) return as('pending');
  if (unknown !== undefined) return as('unknown');
  if (status !== undefined) return as('done');
  // The live indicator of a deployment has a reader of its own.
  if (thing !== 'deployment' && hasFlag(part, NOT_YET, isNo)) return as('pending');
  return as(hasFlag(part, FLAGS, isYes) ? 'done' : 'silent');
}

function causeIn(part: JsonObject, isElement: boolean): string | undefined {
  const flags = isElement ? [...FLAGS, ...FLAGS_OF_ELEMENTS] : FLAGS;
  const saysMade = MADE.some((name) => part[name] !== undefined);
  return Object.keys(part).find((name) => {
    const value = part[name];
    return (
      (isFlag(name, flags) && isNo(value)) ||
      isTrouble(name, value) ||
      (saysMade && isLeftOut(name, value))
    );
  });
}

function hasFlag(
  part: JsonObject,
  flags: readonly string[],
  says: (value: unknown) => boolean,
): boolean {
  return Object.keys(part).some((name) => isFlag(name, flags) && says(part[name]));
}

function isFlag(name: string, flags: readonly string[]): boolean {
  return flags.includes(splitWords(name).join(' ').replace(/^is /, ''));
}

/** By the status of a deployment and its live indicator. */
export interface DeploymentJudgement extends Judgement {
  /**
   * `done` is over, and nothing says whether it is live; `over` is not live; of the last two the
   * status says nothing.
   */
  readonly stage: 'live' | 'failed' | 'done' | 'over' | 'running' | 'not_live' | 'silent';
}

/**
 * @param isLive what the live indicator says; undefined if there is none, or if two contradict each
 * other
 */
export function judgeDeployment(
  answer: unknown,
  isLive: boolean | undefined,
  assume: Assume,
): DeploymentJudgement {
  const judgement = judge(answer, 'deployment', assume);
  return { ...judgement, stage: stageOf(judgement, isLive) };
}

function stageOf(
  { verdict, status }: Judgement,
  isLive: boolean | undefined,
): DeploymentJudgement['stage'] {
  if (verdict === 'failed') return 'failed';
  if (isLive) return 'live';
  if (verdict === 'pending') return 'running';
  // `success: true` is about the answer, not about the deployment.
  const isOver = verdict === 'done' && status !== undefined;
  if (isLive === false) return isOver ? 'over' : 'not_live';
  return isOver ? 'done' : 'silent';
}
