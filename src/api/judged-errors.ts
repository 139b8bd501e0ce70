import { CliError, inDoubt, quote, type Settling } from '../errors.ts';
import { readErrorObject } from './error-body.ts';
import { getStatusAssumptions, splitWords } from './status-words.ts';
import type { Fact, Judgement } from './verdict.ts';

/** Without their full stops. */
export interface Sentences {
  readonly failed: string;
  /** For an answer that contradicts itself. Left out where only a failure is an error. */
  readonly doubtful?: string;
  /**
   * For an answer that tells nothing, or has an unknown status. Left out where that is no error.
   */
  readonly unclear?: string;
}

/**
 * The error of a judgement: exit code 9 if the change failed, 8 with `outcome: "unknown"` if that
 * is open.
 */
export function conclude(
  judgement: Judgement,
  sentences: Sentences,
  settling?: Settling,
): CliError | undefined {
  const { verdict } = judgement;
  if (verdict === 'failed') return failedBy(judgement, sentences.failed);
  if (verdict === 'doubtful') {
    const message = `${sentences.doubtful}: ${contradictionIn(judgement)}.`;
    return sentences.doubtful === undefined
      ? undefined
      : inDoubt(new CliError('unavailable', message), settling);
  }
  if (sentences.unclear === undefined || (verdict !== 'unknown' && verdict !== 'silent'))
    return undefined;
  const error = new CliError('unavailable', `${sentences.unclear}.`, {
    lines: unknownWord(judgement),
  });
  return inDoubt(error, settling);
}

function failedBy(judgement: Judgement, sentence: string): CliError {
  const [first] = judgement.against;
  const { text, lines } = readErrorObject(first?.part);
  const service = first?.path === 'error' ? { error: first.value } : undefined;
  const reason = lines.length > 0 ? text : reasonIn(judgement);
  const end = lines.length > 0 ? ':' : '.';
  const message = `${sentence}${reason === undefined ? end : `: ${reason}`}`;
  return new CliError('failed', message, { service, lines: lines.length > 0 ? lines : undefined });
}

/** In the platform's words, or else the field that says so. Undefined if nothing does. */
export function reasonIn({ against: [first] }: Judgement): string | undefined {
  return readErrorObject(first?.part).text ?? (first && inWords(first));
}

/** Such as `error is "no funds", but payment.status is paid`. */
export function contradictionIn({ against, others }: Judgement): string {
  const [bad, good] = [against, others].map((facts) => facts.map(inWords).join(' and '));
  return good === '' ? `${bad}` : `${bad}, but ${good}`;
}

function inWords({ path, value }: Fact): string {
  return `${path} is ${written(value)}`;
}

function written(value: unknown): string {
  if (typeof value === 'string') return /^[\w.-]+$/.test(value) ? value : quote(value);
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** How to declare a status that svc does not know. */
export function unknownWord({ thing, verdict, status }: Judgement): readonly string[] {
  if (status === undefined || verdict !== 'unknown') return [];
  const { done, failed } = getStatusAssumptions(thing);
  // As a word that SVC_ASSUME takes: `requires review` as `requires_review`.
  const word = splitWords(status).join('_');
  return [
    `svc does not know the status ${quote(status)}. If it means success: SVC_ASSUME=${done}=+${word}. ` +
      `If it means failure: SVC_ASSUME=${failed}=+${word}`,
  ];
}
