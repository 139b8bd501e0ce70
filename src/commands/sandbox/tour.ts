import type { Context } from '../../command/context.ts';
import { defineCommand } from '../../command/define.ts';
import { silent } from '../../command/result.ts';
import { shellWord } from '../../command/shell-word.ts';
import { runChild } from '../../command/spawn.ts';
import { CliError } from '../../errors.ts';
import { code, dim, strong } from '../../io/screen.ts';
import { type Stop, tourStops } from './stops.ts';
import { type Workshop, withSandbox } from './with-sandbox.ts';

export default defineCommand({
  path: 'sandbox tour',
  summary: 'Show every documented command at work, against a fresh sandbox',
  effect: 'local',
  args: {},
  options: {},
  examples: [['svc sandbox tour', 'every documented command, as a person would type it']],
  exitCodes: [[9, 'a command of the tour did not end as it should']],

  async run(context) {
    const failed = await withSandbox(context, async (workshop) => {
      const failures: Stop[] = [];
      for (const stop of tourStops(workshop.sandbox.listing)) {
        context.system.signal.throwIfAborted();
        await context.io.show((screen) => {
          screen.line();
          screen.line(dim(`# ${stop.meaning}`));
          screen.line(['$ ', code(['svc', ...stop.words].map(shellWord).join(' '))]);
        });
        const exitCode = await runStop(context, workshop, stop);
        if (exitCode === stop.exitCode) continue;
        failures.push(stop);
        await context.io.show((screen) =>
          screen.warning(`This ended with exit code ${exitCode}, not ${stop.exitCode}.`),
        );
      }
      return failures;
    });
    await context.io.show((screen) => {
      screen.line();
      if (failed.length === 0) screen.success(strong('That was every documented command, at work.'));
    });
    const words = failed.map((stop) => `svc ${stop.words.join(' ')}`).join(', ');
    return silent(failed.length === 0 ? undefined : new CliError('failed', `The tour met a failure: ${words}`));
  },
});

/** Milliseconds between two looks for a login that waits for its approval. */
const LOOK_EVERY_MS = 100;

/** Runs one command of the tour as a person would, in a process of its own; resolves with its exit code. */
async function runStop(context: Context, workshop: Workshop, stop: Stop): Promise<number> {
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
