import { CliError } from '../../errors.ts';
import { readErrorObject } from '../../http/error-body.ts';
import type { JsonObject } from '../../spec/read.ts';

/**
 * What a 2xx answer says of the change that was asked for: `refused` where it says no in so many words, `unclear` where
 * its `success` is neither true nor false.
 */
export type Verdict = 'done' | 'refused' | 'unclear';

/**
 * Judges the answer to a change: `success: false` is a no, and so is an `error` without any of the fields that a success
 * brings. An answer that says nothing of success has succeeded, as its status tells.
 */
export function verdictOf(answer: JsonObject, brings: readonly string[]): Verdict {
  const { success, error } = answer;
  if (success === false) return 'refused';
  if (!isBlank(error) && brings.every((name) => isBlank(answer[name]))) return 'refused';
  return success === undefined || success === true ? 'done' : 'unclear';
}

/** The error that a refusing answer ends the command with: `sentence`, which has no end yet, and the service's words. */
export function refusedBy(answer: JsonObject, sentence: string): CliError {
  const { text, lines } = readErrorObject(answer);
  const end = text === undefined ? (lines.length === 0 ? '.' : ':') : `: ${text}`;
  return new CliError('failed', `${sentence}${end}`, { lines: lines.length === 0 ? undefined : lines });
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}
