import type { Context } from '../../command/context.ts';
import { asCliError } from '../../command/report.ts';
import type { Check, Look } from './check.ts';
import { checkAddress, checkReachable } from './network.ts';
import { checkSignIn, checkToken } from './sign-in.ts';
import { checkCompletion, checkFolder, checkLink, checkProxy } from './surroundings.ts';

/** In the order in which a fault is best told: one that spoils several checks belongs to the first. */
const LOOKS: ReadonlyArray<readonly [name: string, look: Look]> = [
  ['files', checkFolder],
  ['address', checkAddress],
  ['proxy', checkProxy],
  ['network', checkReachable],
  ['sign-in', checkSignIn],
  ['token', checkToken],
  ['folder link', checkLink],
  ['completion', checkCompletion],
];

/** What a check needs another one for: it says nothing of its own where that one failed. */
const NEEDS: Readonly<Record<string, string>> = { 'sign-in': 'network' };

/** Looks at everything, in the order in which one thing needs the other. */
export async function runChecks(context: Context): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const [name, look] of LOOKS) {
    context.system.signal.throwIfAborted();
    const broken = checks.filter(({ state }) => state === 'bad');
    const needed = broken.find((check) => check.name === NEEDS[name]);
    const check = needed === undefined ? await safely(name, look, context) : undefined;
    const cause = needed ?? broken.find(({ found }) => found === check?.found);
    checks.push(check === undefined || cause !== undefined ? notChecked(name, cause) : check);
  }
  return checks;
}

function notChecked(name: string, cause: Check | undefined): Check {
  return { name, state: 'note', found: `not checked; see ${cause?.name}`, fix: null };
}

async function safely(name: string, look: Look, context: Context): Promise<Check> {
  try {
    return { ...(await look(context)), name };
  } catch (thrown) {
    const error = asCliError(thrown);
    const { hint = null } = error.details;
    // This is the doctor.
    return { name, state: 'bad', found: error.message, fix: hint?.startsWith('svc doctor') ? null : hint };
  }
}
