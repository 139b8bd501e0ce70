import { CliError, type Hint } from '../../errors.ts';
import { asYesOrNo, type JsonObject } from '../../json/values.ts';
import { readErrorObject } from '../../service/error-body.ts';

/** The outcome of a change by its 2xx answer. */
export type Verdict = 'done' | 'refused' | 'unclear';

/**
 * Judges the answer to a change. Refused: `success: false`, or an `error` and no field of a success. Done: `success: true`,
 * or a field of a success and no `success`.
 * @param brings the fields of a success
 */
export function verdictOf(answer: JsonObject, brings: readonly string[]): Verdict {
  const { success, error } = answer;
  const said = asYesOrNo(success);
  const bringsNothing = brings.every((name) => isBlank(answer[name]));
  if (said === false || (!isBlank(error) && bringsNothing)) return 'refused';
  if (said === true) return 'done';
  return bringsNothing || !isBlank(success) ? 'unclear' : 'done';
}

/** Makes the error of a refusal from a sentence without its full stop, and the service's words. */
export function refusedBy(answer: JsonObject, sentence: string): CliError {
  const { text, lines } = readErrorObject(answer);
  const end = text === undefined ? (lines.length === 0 ? '.' : ':') : `: ${text}`;
  return new CliError('failed', `${sentence}${end}`, {
    lines: lines.length === 0 ? undefined : lines,
    service: isBlank(answer['error']) ? undefined : { error: answer['error'] },
  });
}

/** Makes the error of an unclear answer: the change may have happened. */
export function unconfirmed(answer: JsonObject, sentence: string, hint?: Hint): CliError {
  const { text, lines } = readErrorObject(answer);
  return new CliError('unavailable', `${sentence}${text === undefined ? '.' : `: ${text}`}`, {
    outcome: 'unknown',
    lines: lines.length === 0 ? undefined : lines,
    hint,
  });
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}
