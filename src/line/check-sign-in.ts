import { SIGN_IN_VARIABLES } from '../environment.ts';
import type { ChosenCredential, Setting, Settings } from '../kit/setting.ts';
import { type CredentialRecord, type Credentials, isAt } from '../sign-in/record.ts';

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
export async function checkSignIn(
  credential: ChosenCredential | undefined,
  address: Setting,
  parts: CheckParts,
): Promise<void> {
  if (credential === undefined || !SIGN_IN_VARIABLES.some((name) => name === credential.source)) return;
  const { settings, argv } = parts;
  const named = settings.profileName();
  const profile = named && settings.profile();
  const isSame = credential.kind === 'bearer' && profile?.token === credential.token;
  const isBeside = named !== undefined && profile !== undefined && !isSame;
  const known = recordsOf(credential, parts);
  const [first] = known;
  const isElsewhere = first !== undefined && !known.some((record) => isAt(record, address.value));
  if (!isBeside && !isElsewhere) return;
  const { namedBeside, storedElsewhere } = await import('./sign-in-trouble.ts');
  if (isBeside) throw namedBeside(credential, named, argv);
  if (isElsewhere) throw storedElsewhere(credential, first, address);
}

/** The stored sign-ins with this token. A store that cannot be read says nothing: the environment needs none. */
function recordsOf({ token }: ChosenCredential, { stored }: CheckParts): readonly CredentialRecord[] {
  try {
    return stored().credentials.filter((record) => record.token === token);
  } catch {
    return [];
  }
}
