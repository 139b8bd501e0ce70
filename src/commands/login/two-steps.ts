import type { Context } from '../../command/context.ts';
import type { LoginTarget } from '../../command/target.ts';
import { CliError, quoted, usageError } from '../../errors.ts';
import { type ClaimedLogin, claimPending, keepPending } from '../../login/pending.ts';
import type { PollResult } from '../../login/poller.ts';
import { stoppedWaiting } from '../../login/texts.ts';
import { profileNameOf } from '../../vault/credentials/records.ts';
import type { LoginOptions } from './device.ts';
import { awaitToken, keepToken, requestCodes, reserve } from './device.ts';
import { say, sayPending } from './show.ts';

/** Starts a login that another process completes. */
export async function startLogin(context: Context, options: LoginOptions, target: LoginTarget): Promise<void> {
  // Ends svc before it asks for a code, if there is no room to keep the token.
  (await reserve(context, options))?.discard();
  const login = await requestCodes(context, options, target);
  const {
    system: { machine, clock },
  } = context;
  await keepPending(context.vault.folder(), machine, clock, { login, profile: target.profile });
  await sayPending(context, login, false);
  await say(context, (screen) => screen.line('Then: svc login --complete'));
}

/** Waits for the login that `startLogin` began. Unless the login has ended, it can be completed later. */
export async function completeLogin(context: Context, options: LoginOptions): Promise<void> {
  const claimed = claimPending(context.vault.folder(), context.system.machine, context.system.clock);
  const { login, profile } = claimed;
  context.io.redactor.add(login.deviceCode);
  const { reserved, result } = await waitForClaimed(context, options, claimed);
  try {
    await keepToken(context, { login, profile, result, options, reserved });
  } finally {
    reserved?.release();
    claimed.forget();
  }
}

async function waitForClaimed(context: Context, options: LoginOptions, claimed: ClaimedLogin) {
  let reserved: Awaited<ReturnType<typeof reserve>>;
  try {
    checkIsMeant(context, claimed);
    reserved = await reserve(context, options);
    await sayPending(context, claimed.login, false);
    const result: PollResult = await awaitToken(context, claimed.login);
    return { reserved, result };
  } catch (error) {
    reserved?.release();
    if (error instanceof CliError && error.code === 'failed') {
      claimed.forget();
      throw error;
    }
    claimed.giveBack();
    throw error instanceof CliError && error.code === 'interrupted' ? stoppedWaiting(error) : error;
  }
}

/**
 * A flag that names another address or profile than the login was started for is a mistake, and so is `--profile` beside
 * a variable with another address. A variable alone may be there for other commands.
 */
function checkIsMeant({ settings: { globals }, system: { env } }: Context, { login, profile }: ClaimedLogin): void {
  const address = globals.apiUrl ?? (globals.profile === undefined ? undefined : env['SVC_API_URL'] || undefined);
  const isElsewhere = address !== undefined && profileNameOf(address) !== profileNameOf(login.apiUrl);
  if (!isElsewhere && (globals.profile ?? profile) === profile) return;
  throw usageError(
    `The login that was started is for ${login.apiUrl}, as profile ${quoted(profile)}.`,
    'svc login --complete, or svc login --no-wait to start another one',
  );
}
