import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { type Result, silent } from '../../command/result.ts';
import { withSandbox } from './with-sandbox.ts';

export interface ExecOptions {
  /** The command and its arguments. */
  readonly command: readonly string[];
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('exec')
    .description('Run a command against a fresh sandbox, and exit with its code')
    .argument('<command...>', 'the command and its arguments, after --')
    .usage('[options] -- <command...>');
  attach(command, {
    run,
    human: () => undefined,
    examples: [
      ['svc sandbox exec -- svc whoami', 'one command, with nothing set up'],
      ["svc sandbox exec -- sh -c 'svc restart && svc metrics'", 'a script, as a pipeline would test it'],
    ],
    exitCodes: [[127, 'the command was not found']],
  });
}

export async function run(context: Context, options: ExecOptions): Promise<Result<undefined>> {
  const exitCode = await withSandbox(context, ({ run }) => run(options.command));
  return { ...silent(), exitCode };
}
