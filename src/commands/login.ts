import type { Command } from 'commander';
import type { Attach } from '../command/attach.ts';
import type { Context } from '../command/context.ts';
import { type Result, silent } from '../command/result.ts';
import { CliError, usageError } from '../errors.ts';
import { isOn } from '../io/terminal.ts';
import { checkProfileName, profileNameOf } from '../login/credentials/records.ts';
import { completeLogin, loginByDevice, startLogin } from './login/device.ts';
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

export function define(parent: Command, attach: Attach): void {
  const command = parent
    .command('login')
    .description('Sign in by approving a code in a browser')
    .option('--name <text>', 'name of this machine on the approval page (default: its host name)')
    .option('--no-browser', 'do not open a browser; the link is always shown')
    .option('--with-token', 'read an API token from stdin instead')
    .option('--print-token', 'print the token on stdout and store nothing')
    .option('--no-wait', 'start a login and end; svc login --complete goes on with it')
    .option('--complete', 'wait for the login that --no-wait started');
  attach(command, {
    run,
    human: () => undefined,
    examples: [
      ['svc login --api-url https://api.example.com', 'sign in, and remember the address'],
      ['svc login --with-token < token.txt', 'store a token that you have'],
    ],
    exitCodes: [
      [9, 'the login was refused, or its code expired'],
      [2, 'nothing can be stored, or nobody can approve here'],
    ],
  });
}

export async function run(context: Context, options: LoginOptions): Promise<Result<undefined>> {
  checkCombination(options);
  const profile = profileOf(context);
  if (options.withToken) await loginWithToken(context, profile);
  else if (options.complete) await completeLogin(context, options);
  else if (!options.wait) await startLogin(context, options, profile);
  else await loginByDevice(context, options, profile);
  return silent();
}

/** The profile that the login writes: the one that is named, else that of the address. */
function profileOf({ settings }: Context): string {
  const named = settings.profileName();
  return named === undefined ? profileNameOf(settings.apiUrl().value) : checkProfileName(named.value);
}

function checkCombination({ withToken, printToken, wait, complete, name }: LoginOptions): void {
  const ways = [withToken && '--with-token', complete && '--complete', !wait && '--no-wait'].filter(Boolean);
  if (ways.length > 1) throw usageError(`${ways.join(' and ')} cannot be used together.`, 'svc login --help');
  if (withToken && printToken) throw usageError('--with-token has nothing to print.', 'svc login --help');
  if (name?.trim() === '') throw usageError('--name is empty.', 'svc login --name "my laptop"');
}

/** Where nobody can see the code, a login would wait for nothing. */
export function checkSomebodyCanApprove({ env, globals }: Context, options: LoginOptions): void {
  if (!isOn(env['CI']) || globals.json || !options.browser) return;
  throw new CliError('usage', 'No one can approve here; set SVC_TOKEN.', {
    hint: 'svc login --no-browser, where somebody reads this log',
  });
}
