import type { Context } from '../../command/context.ts';
import { asCliError } from '../../command/report.ts';
import { checkAddress, checkReachable } from './network.ts';
import { checkSignIn, checkToken } from './sign-in.ts';
import { checkCompletion, checkFolder, checkLink, checkProxy } from './surroundings.ts';

/** How a check ended: as it should, worth knowing, or to be mended. */
export type CheckState = 'good' | 'note' | 'bad';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly state: CheckState;
  /** What was found, in words. */
  readonly found: string;
  /** What to do about it; a command where there is one. */
  readonly fix: string | null;
}

/** Looks at one thing; what it throws becomes a failed check. */
export type Look = (context: Context) => Promise<Check> | Check;

const LOOKS: ReadonlyArray<readonly [name: string, look: Look]> = [
  ['address', checkAddress],
  ['proxy', checkProxy],
  ['network', checkReachable],
  ['sign-in', checkSignIn],
  ['token', checkToken],
  ['files', checkFolder],
  ['folder link', checkLink],
  ['completion', checkCompletion],
];

/** Looks at everything, in the order in which one thing needs the other. */
export async function runChecks(context: Context): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const [name, look] of LOOKS) {
    context.signal.throwIfAborted();
    checks.push(await safely(name, look, context));
  }
  return checks;
}

async function safely(name: string, look: Look, context: Context): Promise<Check> {
  try {
    return { ...(await look(context)), name };
  } catch (thrown) {
    const error = asCliError(thrown);
    return { name, state: 'bad', found: error.message, fix: error.details.hint ?? null };
  }
}
