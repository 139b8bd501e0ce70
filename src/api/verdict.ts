import type { Assume } from '../contract/assumptions.ts';
import { CliError, inDoubt, quote, type Settling } from '../errors.ts';
import { asObject, asYesOrNo, isObject, type JsonObject } from '../json/values.ts';
import { readErrorObject } from './error-body.ts';
import {
  type ChangeKind,
  findOrderId,
  getStatusAssumptions,
  isEmpty,
  readStatuses,
  type Status,
  splitWords,
  type Unwrapped,
} from './read-answer.ts';

/**
 * The verdict of an answer on a change.
 * - `failed`: only that it failed. `doubtful`: that it failed, and also the opposite.
 * - `unknown`: svc does not know the words of its status. `silent`: nothing.
 */
type Verdict = 'failed' | 'doubtful' | 'pending' | 'unknown' | 'done' | 'silent';

/** A field that decides: `error`, `success`, or a status. */
interface Fact {
  /** The path of the field, such as `payment.status`. */
  readonly path: string;
  readonly value: unknown;
  /** The object with the field, which may have the reason beside it. */
  readonly part: JsonObject;
}

/** A verdict with what decided it. */
export interface Judgement {
  readonly thing: ChangeKind;
  readonly verdict: Verdict;
  /** The status that decided, as the API wrote it. */
  readonly status: string | undefined;
  /** Whether a status says that it has not ended. */
  readonly isPending: boolean;
  /** The facts that say that it failed. */
  readonly against: readonly Fact[];
  /** The facts that contradict those. */
  readonly others: readonly Fact[];
}

/**
 * Judges the answer to a change by what the API document names, `error` and `success`, and by a
 * status at the assumed places. Everything else is shown, and not judged. A wrapper, or an object
 * with the name of one, can speak against a change, and confirms none: it may be about the request.
 */
export function judge(
  { value, wrappers, own }: Unwrapped,
  thing: ChangeKind,
  assume: Assume,
): Judgement {
  const part = asObject(own ?? value);
  const statuses = readStatuses(part, thing, assume);
  const listFacts = (object: JsonObject, above = '') =>
    findFactsAgainst(object, readStatuses(object, thing, assume), above);
  const against = [
    ...[part, ...wrappers].flatMap((object) => listFacts(object)),
    ...listInnerObjects(part, thing).flatMap(({ name, object }) => listFacts(object, `${name}.`)),
  ];

  const worstFirst = ['failed', 'pending', undefined, 'done'] as const;
  const [worst] = worstFirst.flatMap((kind) => statuses.filter((status) => status.kind === kind));
  const isSuccess = asYesOrNo(part['success']) === true;
  const others: Fact[] = statuses
    .filter(({ kind }) => kind !== 'failed')
    .map(({ path, text }) => ({ path, value: text, part }));
  if (isSuccess) others.push({ path: 'success', value: part['success'], part });
  // An error may be about something beside the order: only a status says that an order with an id
  // has failed.
  const isOrder = thing === 'order' && findOrderId(part) !== undefined;
  if (isOrder && worst?.kind !== 'failed') {
    others.push({ path: 'orderId', value: part['orderId'], part });
  }

  const contradicted = others.length === 0 ? 'failed' : 'doubtful';
  return {
    thing,
    verdict: against.length === 0 ? toVerdict(worst, isSuccess, thing) : contradicted,
    status: worst?.text,
    isPending: statuses.some(({ kind }) => kind === 'pending'),
    against,
    others,
  };
}

/** Names of objects that stand inside what was asked for, and are about it. */
const INNER = ['data', 'result', 'order', 'job'];

/** Lists what may speak against a change from inside. The error of a job's result is its output. */
function listInnerObjects(part: JsonObject, thing: ChangeKind) {
  if (thing === 'change') return [];
  return INNER.flatMap((name) => {
    const object = part[name];
    if (!isObject(object)) return [];
    const isOutput = thing === 'job' && (name === 'data' || name === 'result');
    return [{ name, object: isOutput ? { ...object, error: null } : object }];
  });
}

/** Returns the verdict of an answer that has nothing against the change. */
function toVerdict(worst: Status | undefined, isSuccess: boolean, thing: ChangeKind): Verdict {
  // Documented: a restart that says so was done, whatever status stands beside it.
  if (isSuccess && (thing === 'restart' || worst === undefined)) return 'done';
  if (worst === undefined) return 'silent';
  return worst.kind ?? 'unknown';
}

function findFactsAgainst(part: JsonObject, statuses: readonly Status[], above: string): Fact[] {
  const { error, success } = part;
  const facts: Fact[] = [];
  if (!isEmpty(error)) facts.push({ path: `${above}error`, value: error, part });
  if (asYesOrNo(success) === false) facts.push({ path: `${above}success`, value: success, part });
  for (const { kind, path, text } of statuses) {
    if (kind === 'failed') facts.push({ path: above + path, value: text, part });
  }
  return facts;
}

/**
 * The stage of a deployment. `done` is over, and nothing says whether it is live; `over` is not
 * live; of the last two the status says nothing.
 */
type Stage = 'live' | 'failed' | 'doubtful' | 'done' | 'over' | 'running' | 'not_live' | 'silent';

/** A judgement of a deployment: by its live indicator, and else by its status. */
export interface DeploymentJudgement extends Judgement {
  readonly stage: Stage;
}

/**
 * Judges a deployment.
 * @param live the field that says whether it is live; undefined if there is no indicator, or if two contradict each other
 */
export function judgeDeployment(
  { value, wrappers, own }: Unwrapped,
  live: { readonly field: string; readonly isLive: boolean } | undefined,
  assume: Assume,
): DeploymentJudgement {
  const top = asObject(own ?? value);
  const { deployment = top } = top;
  const judgement = judge(
    { value: deployment, wrappers: deployment === top ? wrappers : [...wrappers, top] },
    'deployment',
    assume,
  );

  if (live === undefined) return { ...judgement, stage: toStageByStatus(judgement) };
  return {
    ...judgement,
    others: [{ path: live.field, value: live.isLive, part: top }, ...judgement.others],
    stage: toStageByLive(judgement, live.isLive),
  };
}

function toStageByStatus({ verdict, status }: Judgement): Stage {
  if (verdict === 'failed' || verdict === 'doubtful') return verdict;
  if (verdict === 'pending') return 'running';
  // `success: true` is about the answer, not about the deployment.
  return verdict === 'done' && status !== undefined ? 'done' : 'silent';
}

function toStageByLive({ verdict, status, against }: Judgement, isLive: boolean): Stage {
  // The document names the indicator, which decides alone, and the error, which may be about it.
  const hasFailed = against.some(({ path }) => !/^(?:\w+\.)?(?:error|success)$/.test(path));
  const hasError = against.some(({ path }) => path === 'error');
  if (isLive) return hasError ? 'doubtful' : 'live';
  if (hasFailed) return 'failed';
  if (hasError) return 'doubtful';
  if (verdict === 'pending') return 'running';
  return verdict === 'done' && status !== undefined ? 'over' : 'not_live';
}

/** The sentences of an error, without their full stops. */
interface Sentences {
  readonly failed: string;
  /** The one for an answer that contradicts itself. Absent where only a failure is an error. */
  readonly doubtful?: string;
  /**
   * The one for an answer that says nothing, or has an unknown status. Absent where that is no error.
   */
  readonly unclear?: string;
}

/**
 * Creates the error of a judgement: exit code 9 if the change failed, 8 with `outcome: "unknown"` if that
 * is open.
 */
export function toVerdictError(
  judgement: Judgement,
  sentences: Sentences,
  settling?: Settling,
): CliError | undefined {
  const { verdict } = judgement;
  if (verdict === 'failed') return createFailedError(judgement, sentences.failed);
  if (verdict === 'doubtful' && sentences.doubtful !== undefined) {
    return inDoubt(
      new CliError('unavailable', `${sentences.doubtful}: ${describeContradiction(judgement)}.`),
      settling,
    );
  }
  const isUnclear = verdict === 'unknown' || verdict === 'silent';
  if (sentences.unclear === undefined || !isUnclear) return undefined;
  return inDoubt(
    new CliError('unavailable', `${sentences.unclear}.`, {
      lines: describeUnknownStatus(judgement),
    }),
    settling,
  );
}

function createFailedError(judgement: Judgement, sentence: string): CliError {
  const [first] = judgement.against;
  const { text, lines } = readErrorObject(first?.part ?? {});
  const hasLines = lines.length > 0;
  const reason = hasLines ? text : findReason(judgement);
  const end = hasLines ? ':' : '.';
  return new CliError('failed', reason === undefined ? sentence + end : `${sentence}: ${reason}`, {
    service: first?.path === 'error' ? { error: first.value } : undefined,
    lines: hasLines ? lines : undefined,
  });
}

/** Finds the reason in the platform's words, or else the field that says so. */
export function findReason({ against: [first] }: Judgement): string | undefined {
  return first && (readErrorObject(first.part).text ?? describeFact(first));
}

/** Describes contradictions: `error is "no funds", but payment.status is paid`. */
export function describeContradiction({ against, others }: Judgement): string {
  const sides = [against, others].map((facts) => facts.map(describeFact).join(' and '));
  return sides.filter((side) => side !== '').join(', but ');
}

function describeFact({ path, value }: Fact): string {
  return `${path} is ${describeValue(value)}`;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return /^[\w.-]+$/.test(value) ? value : quote(value);
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Says how to declare a status that svc does not know. */
export function describeUnknownStatus({ thing, verdict, status }: Judgement): readonly string[] {
  if (status === undefined || verdict !== 'unknown') return [];
  const { done, failed } = getStatusAssumptions(thing);
  // As a word that SVC_ASSUME takes: `requires review` as `requires_review`.
  const word = splitWords(status).join('_');
  return [
    `svc does not know the status ${quote(status)}. If it means success: SVC_ASSUME=${done}=+${word}. ` +
      `If it means failure: SVC_ASSUME=${failed}=+${word}`,
  ];
}
