import { CliError } from '../../errors.ts';
import { asYesOrNo, type JsonObject } from '../../json/values.ts';
import { readErrorObject } from '../../service/error-body.ts';

/** What a 2xx answer says of the change that was asked for; `unclear` where it says neither yes nor no. */
export type Verdict = 'done' | 'refused' | 'unclear';

/**
 * Judges the answer to a change. `success: false` is a no, and so is an `error` without any of the fields that a success
 * brings. `success: true` is a yes; without `success`, so is any of those fields.
 */
export function verdictOf(answer: JsonObject, brings: readonly string[]): Verdict {
  const { success, error } = answer;
  const said = asYesOrNo(success);
  const bringsNothing = brings.every((name) => isBlank(answer[name]));
  if (said === false || (!isBlank(error) && bringsNothing)) return 'refused';
  if (said === true) return 'done';
  return bringsNothing || !isBlank(success) ? 'unclear' : 'done';
}

/** The error that a refusing answer ends the command with: `sentence`, which has no end yet, and the service's words. */
export function refusedBy(answer: JsonObject, sentence: string): CliError {
  const { text, lines } = readErrorObject(answer);
  const end = text === undefined ? (lines.length === 0 ? '.' : ':') : `: ${text}`;
  return new CliError('failed', `${sentence}${end}`, {
    lines: lines.length === 0 ? undefined : lines,
    service: isBlank(answer['error']) ? undefined : { error: answer['error'] },
  });
}

/** The error for an answer that says neither yes nor no: the change may have happened. The service's words follow. */
export function unconfirmed(answer: JsonObject, sentence: string, hint: string): CliError {
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
