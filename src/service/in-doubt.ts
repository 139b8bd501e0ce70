import { CliError, type Settling } from '../errors.ts';

/**
 * Makes the error of a change that may have been carried out: exit code 8 with `outcome: "unknown"`, whatever the last
 * answer said, so that scripts need to know one case only. An interrupt stays one.
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
