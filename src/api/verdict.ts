import type { Assume } from '../contract/assumptions.ts';
import { asObject, asYesOrNo, isObject, type JsonObject } from '../json/values.ts';
import { orderIdOf } from './identity.ts';
import { isEmpty, type Unwrapped, WRAPPERS } from './own-level.ts';
import { type Status, statusReader, type Thing } from './status-words.ts';

/**
 * What an answer says of a change.
 * - `failed`: only that it failed. `doubtful`: that it failed, and also the opposite.
 * - `unknown`: svc does not know the words of its status. `silent`: nothing.
 */
type Verdict = 'failed' | 'doubtful' | 'pending' | 'unknown' | 'done' | 'silent';

/** A field that decides: `error`, `success`, or a status. */
export interface Fact {
  /** Such as `payment.status`. */
  readonly path: string;
  readonly value: unknown;
  /** The object that says so, perhaps with the reason beside it. */
  readonly part: JsonObject;
}

/** A verdict with what decided it. */
export interface Judgement {
  readonly thing: Thing;
  readonly verdict: Verdict;
  /** The one that decided, as the API wrote it. */
  readonly status: string | undefined;
  /** Whether a status says that it has not ended. */
  readonly isPending: boolean;
  /** What says that it failed, and what contradicts that. */
  readonly against: readonly Fact[];
  readonly others: readonly Fact[];
}

/**
 * Judges the answer to a change by what the API document names, `error` and `success`, and by a
 * status at the assumed places. Everything else is shown, and not judged. A wrapper, or an object
 * with the name of one, can speak against a change, and confirms none: it may be about the request.
 */
export function judge(answer: Unwrapped, thing: Thing, assume: Assume): Judgement {
  return createJudge(thing, assume)(answer);
}

/** Makes a {@link judge} for many objects. */
export function createJudge(thing: Thing, assume: Assume): (answer: Unwrapped) => Judgement {
  const statusesIn = statusReader(thing, assume);
  return ({ value, wrappers }) => {
    const part = asObject(value);
    const statuses = statusesIn(part);
    const worst = worstOf(statuses);
    const isSuccess = asYesOrNo(part['success']) === true;
    const inside = WRAPPERS.flatMap((name) => {
      const object = part[name];
      return isObject(object) ? factsAgainst(object, statusesIn(object), `${name}.`) : [];
    });
    const against = [
      ...[part, ...wrappers].flatMap((one) => factsAgainst(one, statusesIn(one))),
      ...inside,
    ];
    const others: Fact[] = statuses
      .filter(({ kind }) => kind !== 'failed')
      .map(({ path, text }) => ({ path, value: text, part }));
    if (isSuccess) others.push({ path: 'success', value: part['success'], part });
    // An error may be about something beside the order: only a status says that an order with an id
    // has failed.
    if (thing === 'order' && worst?.kind !== 'failed' && orderIdOf(part) !== undefined)
      others.push({ path: 'orderId', value: part['orderId'], part });
    const saysStatus = worst && (worst.kind ?? 'unknown');
    // Documented: a restart that says so was done, whatever status stands beside it.
    const says =
      isSuccess && (thing === 'restart' || worst === undefined) ? 'done' : (saysStatus ?? 'silent');
    const contradicted = others.length === 0 ? 'failed' : 'doubtful';
    return {
      thing,
      verdict: against.length === 0 ? says : contradicted,
      status: worst?.text,
      isPending: statuses.some(({ kind }) => kind === 'pending'),
      against,
      others,
    };
  };
}

function worstOf(statuses: readonly Status[]): Status | undefined {
  const worstFirst = ['failed', 'pending', undefined, 'done'] as const;
  return worstFirst
    .map((kind) => statuses.find((status) => status.kind === kind))
    .find((status) => status !== undefined);
}

function factsAgainst(part: JsonObject, statuses: readonly Status[], above = ''): Fact[] {
  const { error, success } = part;
  const failed = statuses
    .filter(({ kind }) => kind === 'failed')
    .map(({ path, text }) => ({ path: above + path, value: text, part }));
  const isRefused = asYesOrNo(success) === false;
  return [
    ...(isEmpty(error) ? [] : [{ path: `${above}error`, value: error, part }]),
    ...(isRefused ? [{ path: `${above}success`, value: success, part }] : []),
    ...failed,
  ];
}

/** By the live indicator of a deployment, and else by its status. */
export interface DeploymentJudgement extends Judgement {
  /**
   * `done` is over, and nothing says whether it is live; `over` is not live; of the last two the
   * status says nothing.
   */
  readonly stage:
    | 'live'
    | 'failed'
    | 'doubtful'
    | 'done'
    | 'over'
    | 'running'
    | 'not_live'
    | 'silent';
}

/**
 * @param isLive what the live indicator says; undefined if there is none, or if two contradict each
 * other
 */
export function judgeDeployment(
  { value, wrappers }: Unwrapped,
  isLive: boolean | undefined,
  assume: Assume,
): DeploymentJudgement {
  const top = asObject(value);
  const { deployment = top } = top;
  const around = deployment === top ? wrappers : [...wrappers, top];
  const judgement = judge({ value: deployment, wrappers: around }, 'deployment', assume);
  return { ...judgement, stage: stageOf(judgement, isLive) };
}

function stageOf(
  { verdict, status, against }: Judgement,
  isLive: boolean | undefined,
): DeploymentJudgement['stage'] {
  // Documented, unlike a status.
  if (isLive) return against.some(({ path }) => path === 'error') ? 'doubtful' : 'live';
  if (verdict === 'failed' || verdict === 'doubtful') return verdict;
  if (verdict === 'pending') return 'running';
  // `success: true` is about the answer, not about the deployment.
  const isOver = verdict === 'done' && status !== undefined;
  if (isLive === false) return isOver ? 'over' : 'not_live';
  return isOver ? 'done' : 'silent';
}
