import { CliError, inDoubt, quote, type Settling } from '../errors.ts';
import { readErrorObject } from './error-body.ts';
import { getStatusAssumptions, splitWords } from './status-words.ts';
import type { Fact, Judgement } from './verdict.ts';

/** The sentences of an error, without their full stops. */
export interface Sentences {
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
  const { text, lines } = readErrorObject(first?.part);
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
  return readErrorObject(first?.part).text ?? (first && describeFact(first));
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
