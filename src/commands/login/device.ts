import type { Context } from '../../command/context.ts';
import { flag, off, option, type Values } from '../../command/parameters.ts';
import type { LoginTarget } from '../../command/target.ts';
import { isOn } from '../../environment.ts';
import { CliError } from '../../errors.ts';
import { createPoll } from '../../login/exchange.ts';
import { type PollResult, pollForToken } from '../../login/poller.ts';
import { type DeviceLogin, startDeviceLogin } from '../../login/start.ts';
import { approvedLate, clientNameOf } from '../../login/texts.ts';
import { recordOf } from '../../login/token.ts';
import type { Reservation } from '../../vault/credentials/save.ts';
import { withProgress } from '../shared/with-progress.ts';
import { finishLogin, sayPending, showWaiting } from './show.ts';

/** The options of `svc login`. */
export const OPTIONS = {
  name: option('text', 'name of this machine on the approval page (default: its host name)'),
  browser: off('do not open a browser; the link is always shown'),
  withToken: flag('read an API token from stdin instead'),
  printToken: flag('print the token on stdout and store nothing'),
  wait: off('start a login and exit; finish it with svc login --complete'),
  complete: flag('wait for the login that --no-wait started'),
};

/** The values of {@link OPTIONS}. */
export type LoginOptions = Values<typeof OPTIONS>;

/** Signs in by a device authorization, from the first request to the stored token. */
export async function loginByDevice(context: Context, options: LoginOptions, target: LoginTarget): Promise<void> {
  checkSomebodyCanApprove(context, options);
  const reserved = await reserve(context, options);
  try {
    const login = await requestCodes(context, options, target);
    await sayPending(context, login, options.browser);
    const result = await awaitToken(context, login);
    await keepToken(context, { login, profile: target.profile, result, options, reserved });
  } finally {
    reserved?.release();
  }
}

/** Throws a usage error if nobody can see the code: the login would wait for nothing. */
function checkSomebodyCanApprove({ system: { env }, settings: { globals } }: Context, options: LoginOptions): void {
  if (!isOn(env['CI']) || globals.json || !options.browser) return;
  throw new CliError('usage', 'No one can approve here; set SVC_TOKEN.', {
    hint: 'svc login --no-browser, if somebody reads this log',
  });
}

/** Takes the room for the token, before anybody is asked for it; none if it is only printed. */
export async function reserve(context: Context, options: LoginOptions): Promise<Reservation | undefined> {
  if (options.printToken) return undefined;
  const store = await context.vault.store();
  return store.reserve();
}

/** Asks the service for a device code and a user code. */
export async function requestCodes(
  context: Context,
  options: LoginOptions,
  { address }: LoginTarget,
): Promise<DeviceLogin> {
  const {
    system: { clock, signal, hostname },
    settings: { globals },
    io: { redactor },
    api: { userAgent },
  } = context;
  const login = await withProgress(context.io, 'Starting the login...', async () =>
    startDeviceLogin({
      send: await context.api.send(),
      apiUrl: address.value,
      userAgent,
      clientName: clientNameOf(options.name, hostname),
      clock,
      signal,
      retry: globals.retry,
      timeoutMs: globals.timeoutSeconds * 1000,
    }),
  );
  redactor.add(login.deviceCode);
  return login;
}

/** Polls until the login is approved, and shows that it waits. */
export async function awaitToken(context: Context, login: DeviceLogin): Promise<PollResult> {
  const {
    system: { clock, random, signal, hurry },
    api: { userAgent },
    io: { redactor },
  } = context;
  const poll = createPoll({ send: await context.api.send(), apiUrl: login.apiUrl, userAgent });
  const waiting = showWaiting(context);
  try {
    const result = await pollForToken({ login, poll, clock, random, signal, hurry, report: waiting.report });
    redactor.add(result.issued.token);
    return result;
  } finally {
    waiting.stop();
  }
}

/** A login that was approved, and what decides where its token goes. */
interface ApprovedLogin {
  readonly login: DeviceLogin;
  readonly profile: string;
  readonly result: PollResult;
  readonly options: LoginOptions;
  readonly reserved: Reservation | undefined;
}

/** Stores the token, or prints it with `--print-token`; an interrupt that came just before it ends svc after that. */
export async function keepToken(context: Context, approved: ApprovedLogin): Promise<void> {
  const { login, profile, result, options, reserved } = approved;
  const { issued, interruptedBy } = result;
  const { apiUrl: baseUrl, clientName } = login;
  await finishLogin(context, recordOf(issued, { profile, baseUrl, clientName }, context.system.clock.now()), {
    warnings: issued.warnings,
    printToken: options.printToken,
    reserved,
  });
  if (interruptedBy !== undefined) throw approvedLate(issued.email, interruptedBy);
}
