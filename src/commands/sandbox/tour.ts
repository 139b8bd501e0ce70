import { defineCommand } from '../../command/define.ts';
import { silent } from '../../command/result.ts';
import { shellWord } from '../../command/shell-word.ts';
import { CliError } from '../../errors.ts';
import { code, dim, strong } from '../../io/screen.ts';
import { runStop } from './run-stop.ts';
import { type Stop, tourStops } from './stops.ts';
import { withSandbox } from './with-sandbox.ts';

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
