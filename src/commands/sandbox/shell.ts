import type { Needs } from '../../cli/define/context.ts';
import { defineCommand, printed } from '../../cli/define/define.ts';
import { usageError } from '../../errors.ts';
import { code, strong } from '../../terminal/screen.ts';
import { runChild } from '../shared/programs.ts';
import { planShell } from './plan-shell.ts';
import { PLATFORM_OPTIONS, type SandboxSession, withSandbox } from './with-sandbox.ts';

export default defineCommand({
  path: 'sandbox shell',
  summary: 'Open your shell (SHELL) in a fresh sandbox, and exit with its code',
  effect: 'local',
  options: PLATFORM_OPTIONS,
  examples: [
    ['svc sandbox shell', 'a shell in which svc is signed in and nothing is real'],
    ["svc sandbox shell --fault 'metrics:500'", 'one in which metrics fail'],
  ],
  exitCodes: [[127, 'the shell was not found']],

  async run(context, options) {
    const { io } = context;
    if (!io.stdinIsTty || !io.out.isTty) {
      throw usageError('A shell needs a terminal.', 'svc sandbox exec -- svc whoami');
    }
    const exitCode = await withSandbox(context, options, async (session) => {
      await greet(context, session);
      const { command, env } = await planShell(context, session);
      return io.lendTerminal(() =>
        runChild(command, { env: { ...session.env, ...env }, isShell: true }, context),
      );
    });
    return printed({ exitCode });
  },
});

function greet({ io }: Needs<'io'>, { sandbox }: SandboxSession) {
  const domain = sandbox.listing.domains[0];
  const commands = [
    'svc metrics',
    'svc wp run demo.slow --wait',
    `svc domains add ${domain} --import`,
  ];
  return io.show((screen) => {
    screen.line([
      strong('This shell is in the sandbox:'),
      ' nothing in it is real. To leave: ',
      code('exit'),
    ]);
    screen.heading('To try');
    for (const command of commands) screen.line(['  ', code(command)]);
    screen.heading('Sample ids');
    screen.fields(sandbox.samples);
    screen.line();
  });
}
