import { getUser } from '../api/call.ts';
import { CliError } from '../errors.ts';
import type { Outcome } from './end.ts';
import { createGate } from './gate.ts';
import { ItemProgress } from './item-progress.ts';
import type { Run } from './run-parts.ts';

/** The answer of operation 11 about a token after a 401: refused, accepted, or it could not be asked. */
type SignInState = 'refused' | 'accepted' | 'unknown';

/**
 * Makes the check of a 401: a platform may answer so for one item alone. Operation 11 is asked once
 * with the same token and organization; if it could not be asked, the next 401 asks again.
 */
export function createSignInCheck(run: Run) {
  const states = new Map<string | undefined, Promise<SignInState>>();

  return async ({ item, error }: Outcome): Promise<SignInState | undefined> => {
    if (error?.details.status !== 401) return undefined;

    const known = states.get(item.org);
    if (known !== undefined) return known;
    const asked = askPlatform(run, item.org);
    states.set(item.org, asked);
    const state = await asked;
    if (state === 'unknown') states.delete(item.org);
    return state;
  };
}

async function askPlatform(run: Run, org: string | undefined): Promise<SignInState> {
  const progress = new ItemProgress(run.context.time.clock.monotonic(), undefined);
  const gate = createGate(run, '', progress);
  try {
    const client = (await run.clientsFor(org))({ gate, deadlinePerCall: false });
    await getUser(client);
    return 'accepted';
  } catch (error) {
    const isRefused = error instanceof CliError && error.details.status === 401;
    return isRefused ? 'refused' : 'unknown';
  }
}

/** Rewrites the error of an item whose token the platform accepts elsewhere. */
export function explainAcceptedToken({ item, error }: Outcome): CliError | undefined {
  if (error?.code !== 'unauthenticated') return error;
  const message = `The platform accepts the token, but answered 401 for ${item.id}.`;
  const { hint: _, ...details } = error.details;
  return new CliError(error.code, message, details);
}
