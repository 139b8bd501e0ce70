import { defineCommand, printed } from '../../cli/define/define.ts';
import { rest } from '../../cli/values/parameters.ts';
import { usageError } from '../../errors.ts';
import { runChild } from '../shared/programs.ts';
import { windowsCommand } from './windows-command.ts';
import { PLATFORM_OPTIONS, withSandbox } from './with-sandbox.ts';

export default defineCommand({
  summary: 'Run a command against a fresh sandbox, and exit with its code',
  effect: 'local',
  usage: '[options] -- <command...>',
  args: { command: rest('the command and its arguments, after --', 1, { offer: 'command' }) },
  options: PLATFORM_OPTIONS,
  examples: [
    ['svc sandbox exec -- svc whoami', 'one command, with nothing set up'],
    [
      "svc sandbox exec --fault 'metrics:503*2' -- svc metrics",
      'how svc copes when the API fails twice',
    ],
    [
      "svc sandbox exec -- sh -c 'svc restart && svc metrics'",
      'a script, as a pipeline would test it',
    ],
  ],
  exitCodes: [[127, 'the command was not found']],

  async run(context, { command, ...options }) {
    if (command[0] === '') {
      throw usageError('The command is empty.', 'svc sandbox exec -- svc whoami');
    }
    const { platform, cwd } = context.program;
    const exitCode = await withSandbox(context, options, ({ env }) => {
      if (platform !== 'win32') return runChild(command, { env }, context);
      const { words, isVerbatim } = windowsCommand(command, env, cwd());
      return runChild(words, { env, isVerbatim }, context);
    });
    return printed({ exitCode });
  },
});
