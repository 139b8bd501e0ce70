import type { Context } from '../../command/context.ts';
import type { Reservation } from '../../login/credentials/reservation.ts';
import type { DeviceLogin } from '../../login/device-start.ts';
import { recordOf } from '../../login/issued-token.ts';
import { forgetPending, keepPending, readPending } from '../../login/pending.ts';
import { clientNameOf } from '../../login/plain.ts';
import { createPoll } from '../../login/poll.ts';
import { pollForToken } from '../../login/poller.ts';
import { startDeviceLogin } from '../../login/start.ts';
import { approvedLate } from '../../login/texts.ts';
import { checkSomebodyCanApprove, type LoginOptions } from '../login.ts';
import { finishLogin } from './finish.ts';
import { say, sayPending, showWaiting } from './show.ts';

/** Signs in by a device authorization, from the first request to the stored token. */
export async function loginByDevice(context: Context, options: LoginOptions, profile: string): Promise<void> {
  checkSomebodyCanApprove(context, options);
  await warnOfShadowing(context);
  const reserved = options.printToken ? undefined : await reserve(context);
  try {
    const login = await start(context, options);
    await sayPending(context, login);
    if (options.browser) await openPage(context, login);
    await waitForToken(context, login, profile, options, reserved);
  } finally {
    reserved?.release();
  }
}

/** Starts a login that another process completes. */
export async function startLogin(context: Context, options: LoginOptions, profile: string): Promise<void> {
  // Where the device code cannot be kept, nothing is asked for.
  (await reserve(context)).discard();
  const login = await start(context, options);
  await keepPending(context.configFolder(), context.machine, context.clock, { login, profile });
  await sayPending(context, login);
  await say(context, (screen) => screen.line('Then: svc login --complete'));
}

/** Waits for the login that `startLogin` began. */
export async function completeLogin(context: Context, options: LoginOptions): Promise<void> {
  const { login, profile } = readPending(context.configFolder(), context.machine);
  context.redactor.add(login.deviceCode);
  const reserved = options.printToken ? undefined : await reserve(context);
  try {
    await sayPending(context, login);
    await waitForToken(context, login, profile, options, reserved);
  } finally {
    reserved?.release();
  }
}

async function start(context: Context, options: LoginOptions): Promise<DeviceLogin> {
  const { settings, clock, signal, globals } = context;
  const progress = context.io.progress('Starting the login...');
  try {
    const login = await startDeviceLogin({
      send: await context.send(),
      apiUrl: settings.apiUrl().value,
      userAgent: context.userAgent,
      clientName: clientNameOf(options.name, context.hostname),
      clock,
      signal,
      retry: globals.retry,
    });
    context.redactor.add(login.deviceCode);
    return login;
  } finally {
    progress.stop();
  }
}

async function reserve(context: Context): Promise<Reservation> {
  const store = await context.store();
  return store.reserve();
}

async function waitForToken(
  context: Context,
  login: DeviceLogin,
  profile: string,
  options: LoginOptions,
  reserved: Reservation | undefined,
): Promise<void> {
  const { clock, random, signal, hurry, userAgent } = context;
  const poll = createPoll({ send: await context.send(), apiUrl: login.apiUrl, userAgent });
  const waiting = showWaiting(context);
  try {
    const { issued, interruptedBy } = await pollForToken({
      login,
      poll,
      clock,
      random,
      signal,
      hurry,
      report: waiting.report,
    });
    context.redactor.add(issued.token);
    waiting.stop();
    const { apiUrl: baseUrl, clientName } = login;
    const record = recordOf(issued, { profile, baseUrl, clientName }, clock.now());
    await finishLogin(context, record, {
      warnings: issued.warnings,
      printToken: options.printToken === true,
      reserved,
    });
    if (interruptedBy !== undefined) throw approvedLate(issued.email, interruptedBy);
  } finally {
    waiting.stop();
    if (options.complete) forgetPending(context.configFolder());
  }
}

async function openPage(context: Context, login: DeviceLogin): Promise<void> {
  const page = login.verificationUriComplete ?? login.verificationUri;
  if (page === undefined || !(await context.openBrowser(page))) return;
  await say(context, (screen) => screen.line('  Opening your browser...   (skip with --no-browser)'));
}

async function warnOfShadowing({ env, io }: Context): Promise<void> {
  for (const name of ['SVC_TOKEN', 'SVC_SESSION_TOKEN']) {
    if (env[name] !== undefined) await io.warn(`${name} is set and will be used instead of this login.`);
  }
}
