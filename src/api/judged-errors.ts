import { CliError, inDoubt, quoted, type Settling } from '../errors.ts';
import { readErrorObject } from './error-body.ts';
import { splitWords, wordRowsOf } from './status-words.ts';
import { isNothing, type Trouble } from './trouble.ts';
import type { Judgement } from './verdict.ts';

/** Without their full stops. */
export interface Sentences {
  readonly failed: string;
  /** Of trouble in an unknown place. Left out where only a failure is an error. */
  readonly doubtful?: string;
  /** Of an answer that tells nothing, or has an unknown status. Left out where that is no error. */
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
  const { verdict, part, doubt } = judgement;
  if (verdict === 'failed') return failedBy(judgement, sentences.failed);
  if (doubt !== undefined && sentences.doubtful !== undefined) {
    const message = `${sentences.doubtful}: ${inWords(doubt)}.`;
    return inDoubt(new CliError('unavailable', message), settling);
  }
  if (sentences.unclear === undefined || (verdict !== 'unknown' && verdict !== 'silent'))
    return undefined;
  const { text, lines } = readErrorObject(part);
  const message = `${sentences.unclear}${text === undefined ? '.' : `: ${text}`}`;
  return inDoubt(
    new CliError('unavailable', message, { lines: [...lines, ...unknownWord(judgement)] }),
    settling,
  );
}

function failedBy({ part, path, cause, status }: Judgement, sentence: string): CliError {
  const { text, lines } = readErrorObject(part);
  const own =
    cause === undefined ? status && `status ${status}` : `${cause} is ${written(part[cause])}`;
  const why = [path, text ?? (lines.length > 0 ? undefined : own)].filter(Boolean).join(': ');
  const bareEnd = lines.length === 0 ? '.' : ':';
  const { error } = part;
  return new CliError('failed', `${sentence}${why === '' ? bareEnd : `: ${why}`}`, {
    lines: lines.length === 0 ? undefined : lines,
    service: isNothing(error) ? undefined : { error },
  });
}

/** Such as `checks.fraud.status is failed`. */
export function inWords({ path, value }: Trouble): string {
  return `${path} is ${written(value)}`;
}

function written(value: unknown): string {
  if (typeof value === 'string') return /^[\w.-]+$/.test(value) ? value : quoted(value);
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** How to declare a status that svc does not know. */
export function unknownWord({ thing, verdict, status }: Judgement): readonly string[] {
  if (status === undefined || verdict !== 'unknown') return [];
  const { done, failed } = wordRowsOf(thing);
  // As a word that SVC_ASSUME takes: `requires review` as `requires_review`.
  const word = splitWords(status).join('_');
  return [
    `svc does not know the status ${quoted(status)}. If it means success: SVC_ASSUME=${done}=+${word}. ` +
      `If it means failure: SVC_ASSUME=${failed}=+${word}`,
  ];
}
