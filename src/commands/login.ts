import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { type Result, silent } from '../command/result.ts';
import type { LoginTarget } from '../command/target.ts';
import { signInVariablesIn } from '../environment.ts';
import { usageError } from '../errors.ts';
import { loginByDevice } from './login/device.ts';
import { completeLogin, startLogin } from './login/two-steps.ts';
import { loginWithToken } from './login/with-token.ts';

export interface LoginOptions {
  /** The name that the approval page shows for this machine. */
  readonly name?: string;
  /** False with `--no-browser`. */
  readonly browser: boolean;
  readonly withToken?: boolean;
  /** Print the token and store nothing, for containers without a writable disk. */
  readonly printToken?: boolean;
  /** False with `--no-wait`: start, print what is needed, and leave the rest to `--complete`. */
  readonly wait: boolean;
  readonly complete?: boolean;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('login')
    .description('Sign in by approving a code in a browser')
    .option('--name <text>', 'name of this machine on the approval page (default: its host name)')
    .option('--no-browser', 'do not open a browser; the link is always shown')
    .option('--with-token', 'read an API token from stdin instead')
    .option('--print-token', 'print the token on stdout and store nothing')
    .option('--no-wait', 'start a login and exit; finish it with svc login --complete')
    .option('--complete', 'wait for the login that --no-wait started');
  attach(command, {
    run,
    human: () => undefined,
    examples: [
      ['svc login --api-url https://api.example.com', 'sign in, and remember the address'],
      ['svc login --no-wait --json', 'for agents: show the code and exit; svc login --complete does the rest'],
      ['svc login --with-token < token.txt', 'store a token that you already have'],
    ],
    exitCodes: [
      [2, 'there is no place to store the token, or nobody is here to approve; nothing was sent'],
      [
        9,
        'the login was refused, its code expired or is no longer accepted, its answer was lost, or another login took its place at once',
      ],
    ],
  });
}

export async function run(context: Context, options: LoginOptions): Promise<Result<undefined>> {
  checkCombination(options, context);
  await warnOfShadowing(context);
  if (options.complete) await completeLogin(context, options);
  else await loginTo(context.settings.login(), context, options);
  return silent();
}

async function loginTo(target: LoginTarget, context: Context, options: LoginOptions): Promise<void> {
  if (options.withToken) await loginWithToken(context, target);
  else if (options.wait) await loginByDevice(context, options, target);
  else await startLogin(context, options, target);
}

function checkCombination(
  { withToken, printToken, wait, complete, name }: LoginOptions,
  { settings: { globals } }: Context,
): void {
  const refuse = (message: string): never => {
    throw usageError(message, 'svc login --help');
  };
  const ways = [withToken && '--with-token', complete && '--complete', !wait && '--no-wait'].filter(Boolean);
  if (ways.length > 1) refuse(`${ways.join(' and ')} cannot be used together.`);
  if (printToken && withToken) refuse('--with-token has nothing to print.');
  if (printToken && !wait) refuse('--no-wait has no token to print; --complete --print-token does that.');
  if (printToken && globals.json) refuse('--print-token prints the bare token, which --json never shows.');
  if (name !== undefined && (complete || withToken)) refuse(`--name has no meaning with ${ways[0]}.`);
  if (name?.trim() === '') throw usageError('--name is empty.', 'svc login --name "my laptop"');
}

async function warnOfShadowing({ system: { env }, io }: Context): Promise<void> {
  for (const name of signInVariablesIn(env)) await io.warn(`${name} is set and will be used instead of this login.`);
}
