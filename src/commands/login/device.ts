import { createClient } from '../../api/client.ts';
import { getUser } from '../../api/operations.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { LoginTarget } from '../../cli/settings/setting.ts';
import { flag, off, option, type Values } from '../../cli/values/parameters.ts';
import { isOn } from '../../environment.ts';
import { CliError, usageError } from '../../errors.ts';
import { asArray, asObject, asText } from '../../json/values.ts';
import { repeatLine } from '../../shell-line.ts';
import { createPoll } from '../../sign-in/exchange.ts';
import {
  findPending,
  forgetPending,
  keepPending,
  type PendingLogin,
  requireNoPendingLogin,
  type WantedLogin,
} from '../../sign-in/pending.ts';
import { pollForToken } from '../../sign-in/poll.ts';
import { getClientName, type StartedLogin, startDeviceLogin } from '../../sign-in/start.ts';
import { openCredentials, type Reservation } from '../../sign-in/store.ts';
import type { IssuedToken } from '../../sign-in/token.ts';
import type { CredentialRecord } from '../../sign-in/types.ts';
import { describeNamed } from '../shared/names.ts';
import { finishLogin, say, sayPending } from './show.ts';
import { type LoginKeys, showWaiting } from './show-waiting.ts';

/** The options of `svc login`. */
export const LOGIN_OPTIONS = {
  name: option('text', 'name of this machine on the approval page (default: its host name)'),
  browser: off('do not open a browser; the link is always shown'),
  withToken: flag('read an API token from stdin instead'),
  printToken: flag('print the token on stdout and store nothing'),
  wait: off('start a login and exit; finish it with svc login --complete'),
  complete: flag('wait for the login that --no-wait started'),
};

/** As they were given. */
export type LoginOptions = Values<typeof LOGIN_OPTIONS>;

/** From the first request to the stored token. */
export async function loginByDevice(
  context: Needs<'api' | 'io' | 'globals' | 'store' | 'time' | 'env' | 'line' | 'program'>,
  options: LoginOptions,
  target: LoginTarget,
): Promise<void> {
  refuseInCi(context, options);
  refuseAgent(context);
  await whileReserved(context, options, async (reserved) => {
    const login = await requestCodes(context, options, target);
    const keys = await sayPending(context, login, options.browser);
    await finish(
      context,
      await awaitToken(context, { login, profile: target.profile }, keys, reserved),
    );
  });
}

/** Starts a login that another process completes. */
export async function startLogin(
  context: Needs<'api' | 'io' | 'globals' | 'store' | 'time' | 'env' | 'program'>,
  options: LoginOptions,
  target: LoginTarget,
): Promise<void> {
  const place = context.store.signInPlace();
  requireNoPendingLogin(place, { apiUrl: target.address.value, profile: target.profile });
  await whileReserved(context, options, async () => undefined);
  const login = await requestCodes(context, options, target);
  await keepPending(place, { login, profile: target.profile });
  await sayPending(context, login, false);
  await say(context, (screen) => screen.line('Then: svc login --complete'));
}

/**
 * Waits for the login that `startLogin` began. A wait that stops before its end can be repeated.
 */
export async function completeLogin(
  context: Needs<'api' | 'io' | 'globals' | 'store' | 'time' | 'env'>,
  options: LoginOptions,
): Promise<void> {
  const place = context.store.signInPlace();
  const pending = findPending(place, wantedLogin(context));
  context.io.redactor.add(pending.login.deviceCode);
  // One that stays is no longer accepted by the platform, and ends with its code.
  const forget = () => forgetPending(place, pending).catch(() => undefined);
  await whileReserved(context, options, async (reserved) => {
    const keys = await sayPending(context, pending.login, false);
    const approved = await awaitToken(context, pending, keys, reserved).catch(
      async (error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        if (error.code === 'failed') await forget();
        if (error.code !== 'interrupted') throw error;
        const { lines, exitCode } = error.details;
        const message = 'Stopped waiting. The login can still be approved.';
        throw new CliError('interrupted', message, {
          lines,
          exitCode,
          hint: 'svc login --complete',
        });
      },
    );
    await forget();
    await finish(context, approved);
  });
}

async function whileReserved(
  context: Needs<'store'>,
  { printToken }: LoginOptions,
  work: (reserved: Reservation | undefined) => Promise<void>,
): Promise<void> {
  const reserved = printToken ? undefined : openCredentials(context.store.signInPlace()).reserve();
  try {
    await work(reserved);
  } finally {
    reserved?.release();
  }
}

/**
 * What flags say of the login to complete. SVC_API_URL counts beside --profile; alone it may be
 * there for other commands.
 */
function wantedLogin({ globals, env }: Needs<'globals' | 'env'>): WantedLogin {
  const { apiUrl, profile } = globals;
  return {
    apiUrl: apiUrl ?? (profile === undefined ? undefined : env['SVC_API_URL'] || undefined),
    profile,
  };
}

function refuseInCi({ globals, env }: Needs<'globals' | 'env'>, options: LoginOptions): void {
  if (!isOn(env['CI']) || globals.json || !options.browser) return;
  const hint = { say: 'If somebody reads this log:', run: ['svc login --no-browser'] };
  throw usageError('There is nobody to approve a login in CI. Set SVC_TOKEN.', hint);
}

/** An agent on a terminal shows a person nothing before the command has ended. */
function refuseAgent({ io, globals, line }: Needs<'io' | 'globals' | 'line'>): void {
  if (io.agent === undefined || !io.stdinIsTty || !io.err.isTty || globals.json) return;
  throw usageError(
    'A login waits for a person to approve it, and an agent could not show the code meanwhile.',
    {
      say: 'Show the code now, and wait later with svc login --complete.',
      run: [repeatLine(line, '--no-wait')],
    },
  );
}

async function requestCodes(
  context: Needs<'api' | 'io' | 'globals' | 'store' | 'time' | 'env' | 'program'>,
  options: LoginOptions,
  { address }: LoginTarget,
): Promise<StartedLogin> {
  const { api, io, globals, time, program } = context;
  const { retry, timeoutSeconds } = globals;
  const progress = io.progress('Starting the login...');
  const showRetry = (text: () => string) => {
    progress.update(text);
    if (io.accessible && io.err.isTty) void io.note(text());
  };
  const client = createClient({
    ...{
      baseUrl: address.value,
      credential: undefined,
      send: api.send,
      userAgent: api.userAgent,
      clock: time.clock,
      random: time.random,
      signal: time.signal,
      runtime: program.runtime,
      extraAuthorities: context.env['NODE_EXTRA_CA_CERTS'],
      retry,
    },
    deadlineMs: timeoutSeconds * 1000,
    show: () => ({ retry: showRetry, stop: progress.stop }),
  });
  const clientName = getClientName(options.name, context.store.machine.hostname);
  const login = await startDeviceLogin(
    client,
    { apiUrl: address.value, clientName },
    time.clock.now,
  );
  io.redactor.add(login.deviceCode);
  return login;
}

/** Puts the token on disk before anything else. */
async function awaitToken(
  context: Needs<'api' | 'io' | 'globals' | 'time'>,
  { login, profile }: PendingLogin,
  keys: LoginKeys,
  reserved: Reservation | undefined,
) {
  const { io, time } = context;
  const { apiUrl, clientName } = login;
  const poll = createPoll(context.api.send, apiUrl, context.api.userAgent);
  const waiting = await showWaiting(context, keys);
  const keep = ({ warnings, ...issued }: IssuedToken) => {
    io.redactor.add(issued.token);
    const createdAt = new Date(time.clock.now()).toISOString();
    const record: CredentialRecord = { profile, baseUrl: apiUrl, clientName, ...issued, createdAt };
    return { record, warnings, merge: reserved?.keep(record) };
  };
  const { report } = waiting;
  return pollForToken({
    login,
    poll,
    clock: time.clock,
    random: time.random,
    signal: time.signal,
    hurry: time.hurry,
    keep,
    report,
  }).finally(waiting.stop);
}

async function finish(
  context: Needs<'api' | 'io' | 'globals' | 'time'>,
  { kept: { record, ...kept }, interruptedBy }: Awaited<ReturnType<typeof awaitToken>>,
): Promise<void> {
  await finishLogin(context, record, {
    ...kept,
    organization: () => lookUpOrganization(context, record),
  });
  if (interruptedBy === undefined) return;
  const who = record.email === undefined ? 'signed in' : `signed in as ${record.email}`;
  const message = `Approved just before you cancelled: ${who} (svc logout to undo).`;
  throw new CliError('interrupted', message, { exitCode: interruptedBy.exitCode });
}

/**
 * The name of the organization that a token belongs to, for a person only; the account's active one
 * may be another.
 */
async function lookUpOrganization(
  { api, io, globals, time }: Needs<'api' | 'io' | 'globals' | 'time'>,
  { token, baseUrl, profile, organizationId }: CredentialRecord,
): Promise<string | undefined> {
  if (organizationId === undefined || !io.err.isTty || globals.json || time.signal.aborted) {
    return undefined;
  }
  const address = { value: baseUrl, origin: 'profile', where: `profile ${profile}` } as const;
  try {
    const client = await api.clientFor({ kind: 'bearer', token, source: address.where }, address);
    const { value } = await io.during('Looking up your organization...', () => getUser(client));
    const known = [value.organization, ...asArray(value.organizations)].map(asObject);
    const own = known.find(({ id }) => asText(id) === organizationId);
    return describeNamed({ name: asText(own?.['name']), id: organizationId });
  } catch {
    return undefined;
  }
}
