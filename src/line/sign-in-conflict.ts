import { type CliError, quoted, usageError } from '../errors.ts';
import { sameLine } from '../kit/globals.ts';
import type { ChosenCredential } from '../kit/settings.ts';
import type { Setting } from '../kit/target.ts';
import { unsetVariable } from '../shell-line.ts';
import type { CredentialRecord } from '../vault/credentials/records.ts';

/** A profile is named, and the environment has another sign-in. */
export function namedBeside(
  { source }: ChosenCredential,
  { where, value, origin }: Setting,
  argv: readonly string[],
): CliError {
  return usageError(
    `${source} is set, and ${where} names the profile ${quoted(value)}, which stores another sign-in. Nothing was sent.`,
    {
      say: `Unset ${source} to use the profile, or leave out ${where} to use ${source}:`,
      run: [unsetVariable(source), origin === 'flag' ? lineWithout(argv, where) : unsetVariable(where)],
    },
  );
}

/** The token of the environment would go to another address than the one it is stored for. */
export function storedElsewhere(
  { source }: ChosenCredential,
  { baseUrl, profile }: CredentialRecord,
  address: Setting,
): CliError {
  return usageError(
    `The token in ${source} is stored for ${baseUrl} (profile ${quoted(profile)}), and would go to ${address.value} (${address.where}). Nothing was sent.`,
    {
      say: `Unset ${source}, or name the address that the token belongs to: --api-url ${baseUrl}`,
      run: [unsetVariable(source)],
    },
  );
}

/** Writes a command line as it was typed, without an option and its value. */
function lineWithout(argv: readonly string[], flag: string): string {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isLeftOut = (word: string, at: number): boolean =>
    at < end && (word === flag || word.startsWith(`${flag}=`) || argv[at - 1] === flag);
  return sameLine(
    argv.filter((word, at) => !isLeftOut(word, at)),
    [],
  );
}
