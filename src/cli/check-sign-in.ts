import { lineWithout } from '../command/globals.ts';
import type { Credential, Settings } from '../command/settings.ts';
import type { Setting } from '../command/target.ts';
import { SIGN_IN_VARIABLES } from '../environment.ts';
import { type CliError, quoted, usageError } from '../errors.ts';
import { unsetVariable } from '../shell-line.ts';
import { type CredentialRecord, type Credentials, isAt } from '../vault/credentials/records.ts';

interface CheckParts {
  readonly settings: Pick<Settings, 'profile' | 'profileName'>;
  /** The stored sign-ins. May throw. */
  readonly stored: () => Credentials;
  readonly argv: readonly string[];
}

/**
 * Stops a sign-in of the environment that contradicts the stored ones, before it is sent: beside a named profile with
 * another token, and at another address than the one it is stored for.
 * @throws CliError `usage`.
 */
export function checkSignIn(credential: Credential | undefined, address: Setting, parts: CheckParts): void {
  if (credential === undefined || !SIGN_IN_VARIABLES.some((name) => name === credential.source)) return;
  const { settings, argv } = parts;
  const named = settings.profileName();
  const profile = named && settings.profile();
  const isSame = credential.kind === 'bearer' && profile?.token === credential.token;
  if (named !== undefined && profile !== undefined && !isSame) {
    throw namedBeside(credential, named, argv);
  }
  const known = recordsOf(credential, parts);
  const [first] = known;
  if (first !== undefined && !known.some((record) => isAt(record, address.value))) {
    throw storedElsewhere(credential, first, address);
  }
}

/** The stored sign-ins with this token. A store that cannot be read says nothing: the environment needs none. */
function recordsOf({ token }: Credential, { stored }: CheckParts): readonly CredentialRecord[] {
  try {
    return stored().credentials.filter((record) => record.token === token);
  } catch {
    return [];
  }
}

function namedBeside({ source }: Credential, { where, value, origin }: Setting, argv: readonly string[]): CliError {
  return usageError(
    `${source} is set, and ${where} names the profile ${quoted(value)}, which stores another sign-in. Nothing was sent.`,
    {
      say: `Unset ${source} to use the profile, or leave out ${where} to use ${source}:`,
      run: [unsetVariable(source), origin === 'flag' ? lineWithout(argv, where) : unsetVariable(where)],
    },
  );
}

function storedElsewhere({ source }: Credential, { baseUrl, profile }: CredentialRecord, address: Setting): CliError {
  return usageError(
    `The token in ${source} is stored for ${baseUrl} (profile ${quoted(profile)}), and would go to ${address.value} (${address.where}). Nothing was sent.`,
    {
      say: `Unset ${source}, or name the address that the token belongs to: --api-url ${baseUrl}`,
      run: [unsetVariable(source)],
    },
  );
}
