import type { Context } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { silent } from '../command/result.ts';
import type { LoginTarget } from '../command/target.ts';
import { signInVariablesIn } from '../environment.ts';
import { usageError } from '../errors.ts';
import { loginByDevice } from './login/device.ts';
import { type LoginOptions, OPTIONS } from './login/options.ts';
import { completeLogin, startLogin } from './login/two-steps.ts';
import { loginWithToken } from './login/with-token.ts';

export default defineCommand({
  path: 'login',
  summary: 'Sign in by approving a code in a browser',
  effect: 'changes',
  args: {},
  options: OPTIONS,
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

  async run(context, options) {
    checkCombination(context, options);
    await warnOfShadowing(context);
    if (options.complete) await completeLogin(context, options);
    else await loginTo(context.settings.login(), context, options);
    return silent();
  },
});

async function loginTo(target: LoginTarget, context: Context, options: LoginOptions): Promise<void> {
  if (options.withToken) await loginWithToken(context, target);
  else if (options.wait) await loginByDevice(context, options, target);
  else await startLogin(context, options, target);
}

function checkCombination(
  { settings: { globals } }: Context,
  { withToken, printToken, wait, complete, name }: LoginOptions,
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
