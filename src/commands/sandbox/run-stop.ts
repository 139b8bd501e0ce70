import type { Context } from '../../command/context.ts';
import { runChild } from '../../command/spawn.ts';
import type { Stop } from './stops.ts';
import type { Workshop } from './with-sandbox.ts';

/** Milliseconds between two looks for a login that waits for its approval. */
const LOOK_EVERY_MS = 100;

/** Runs one command of the tour as a person would, in a process of its own; resolves with its exit code. */
export async function runStop(context: Context, workshop: Workshop, stop: Stop): Promise<number> {
  const ended = new AbortController();
  const approval = stop.approve ? approveWhenAsked(context, workshop, ended.signal) : undefined;
  const { SVC_TOKEN, ...withoutToken } = workshop.env;
  // The tour plays the person: nobody has to answer, and its own login is approved here although CI may be set.
  const env = { ...withoutToken, ...(stop.stored ? {} : { SVC_TOKEN }), CI: undefined, SVC_NO_INPUT: '1' };
  try {
    return await runChild([...context.system.self, ...stop.words], {
      env,
      cwd: workshop.folder,
      signal: context.system.signal,
      sharesTerminal: context.io.stdinIsTty,
    });
  } finally {
    ended.abort();
    await approval;
  }
}

/** Approves the first login that is started, as a person with a browser would. */
async function approveWhenAsked(
  { system: { clock } }: Context,
  { sandbox }: Workshop,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    const [waiting] = sandbox.pendingLogins();
    if (waiting !== undefined) {
      sandbox.approve(waiting);
      return;
    }
    await clock.sleep(LOOK_EVERY_MS, ended).catch(() => undefined);
  }
}
