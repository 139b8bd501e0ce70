import { CliError, type ErrorDetails } from '../errors.ts';
import { readErrorObject } from './error-body.ts';
import type { Judgement } from './verdict.ts';

/** How to settle a change that may have been carried out. Made once, where the change is planned. */
export type Settling = Pick<ErrorDetails, 'lines' | 'hint'>;

/**
 * Makes the error of a change that may have been carried out: exit code 8 with `outcome: "unknown"`, whatever the last
 * answer said, as scripts need to know one case only. An interrupt stays one.
 */
export function inDoubt({ code, message, details }: CliError, { lines = CHECK, hint }: Settling = {}): CliError {
  return new CliError(code === 'interrupted' ? code : 'unavailable', message, {
    ...details,
    outcome: 'unknown',
    lines: [...(details.lines ?? []), ...lines],
    hint: hint ?? details.hint,
  });
}

const CHECK = ['The change may have gone through. Check before you repeat it.'];

/**
 * Makes the error (exit code 8) of an answer that does not say whether the change was made.
 * @param sentence without its full stop
 */
export function unconfirmed({ part, status }: Judgement, sentence: string, settling?: Settling): CliError {
  const { text, lines } = readErrorObject(part);
  const why = text ?? (status === undefined ? undefined : `it says ${status}`);
  const error = new CliError('unavailable', `${sentence}${why === undefined ? '' : `: ${why}`}.`, { lines });
  return inDoubt(error, settling);
}
