import type { Needs } from '../../cli/define/context.ts';
import type { LoginTarget } from '../../cli/settings/settings.ts';
import { flag, off, option, type Values } from '../../cli/values/parameters.ts';
import { isOn } from '../../environment.ts';
import { CliError, usageError } from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import { createPoll } from '../../sign-in/exchange.ts';
import {
  findPending,
  forgetPending,
  keepPending,
  type PendingLogin,
  requireNoPendingLogin,
} from '../../sign-in/pending.ts';
import { type PollEvent, pollForToken } from '../../sign-in/poll.ts';
import { getClientName, type StartedLogin, startDeviceLogin } from '../../sign-in/start.ts';
import { openCredentials, type Reservation } from '../../sign-in/store.ts';
import { describeSignedIn, finishLogin, showLines, showPendingLogin } from './show.ts';

/** The options of `svc login`. */
export const LOGIN_OPTIONS = {
  name: option('text', 'name of this machine on the approval page (default: its host name)'),
  browser: off('do not open a browser; the link is always shown'),
  withToken: flag('read an API token from stdin instead'),
  printToken: flag('print the token on stdout and store nothing'),
  wait: off('start a login and exit; finish it with svc login --complete'),
  complete: flag('wait for the login that --no-wait started'),
};

/** The values of these options. */
export type LoginOptions = Values<typeof LOGIN_OPTIONS>;

/** The parts of svc that a login needs. */
type LoginContext = Needs<'api' | 'io' | 'globals' | 'store' | 'time' | 'env' | 'line'>;

/** Signs in by a code that somebody approves: from the first request to the stored token. */
export async function loginByDevice(
  context: LoginContext,
  options: LoginOptions,
  { address, profile }: LoginTarget,
): Promise<void> {
  requireSomebody(context, options);
  await whileReserved(context, options, async (reservation) => {
    const login = await requestCodes(context, options, address);
    await showPendingLogin(context, login, options.browser);
    await finish(context, await awaitToken(context, { login, profile }, reservation));
  });
}

/** Starts a login that another process completes. */
export async function startLogin(
  context: LoginContext,
  options: LoginOptions,
  { address, profile }: LoginTarget,
): Promise<void> {
  const folder = context.store.signInPlace();
  requireNoPendingLogin(folder, { apiUrl: address.value, profile });
  openCredentials(folder).reserve().release();
  const login = await requestCodes(context, options, address);
  await keepPending(folder, { login, profile });
  await showPendingLogin(context, login, false);
  await showLines(context, (screen) => screen.line('Then: svc login --complete'));
}

/**
 * Waits for the login that `startLogin` began. A wait that stops before its end can be repeated.
 */
export async function completeLogin(context: LoginContext, options: LoginOptions): Promise<void> {
  const { profile, apiUrl } = context.globals;
  const folder = context.store.signInPlace();
  // Without --profile, SVC_API_URL may be set for other commands, and does not choose the login.
  const variable = (profile && context.env['SVC_API_URL']) || undefined;
  const pending = findPending(folder, { apiUrl: apiUrl ?? variable, profile });
  context.io.redactor.add(pending.login.deviceCode);
  // A file that cannot be removed does no harm: the platform accepts its code no longer.
  const forget = () => forgetPending(folder, pending).catch(() => undefined);
  await whileReserved(context, options, async (reservation) => {
    await showPendingLogin(context, pending.login, false);
    const approved = await awaitToken(context, pending, reservation).catch(
      async (error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        if (error.code === 'failed') await forget();
        if (error.code !== 'interrupted') throw error;
        const { lines, exitCode } = error.details;
        throw new CliError('interrupted', 'Stopped waiting. The login can still be approved.', {
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
  { store }: LoginContext,
  { printToken }: LoginOptions,
  work: (reservation: Reservation | undefined) => Promise<void>,
): Promise<void> {
  const reservation = printToken ? undefined : openCredentials(store.signInPlace()).reserve();
  try {
    await work(reservation);
  } finally {
    reservation?.release();
  }
}

/**
 * Refuses to wait where nobody sees the code: in CI, and for an agent on a terminal, which shows a
 * person nothing before the command has ended.
 */
function requireSomebody(
  { io, globals, env, line }: LoginContext,
  { browser }: LoginOptions,
): void {
  if (globals.json) return;
  if (isOn(env['CI']) && browser) {
    throw usageError('There is nobody to approve a login in CI. Set SVC_TOKEN.', {
      say: 'If somebody reads this log:',
      run: ['svc login --no-browser'],
    });
  }
  if (io.agent === undefined || !io.stdinIsTty || !io.err.isTty) return;
  throw usageError(
    'A login waits for a person to approve it, and an agent could not show the code meanwhile.',
    {
      say: 'Show the code now, and wait later with svc login --complete.',
      run: [repeatLine(line, '--no-wait')],
    },
  );
}

async function requestCodes(
  { api, io, store, time }: LoginContext,
  { name }: LoginOptions,
  address: LoginTarget['address'],
): Promise<StartedLogin> {
  const client = await api.clientFor(undefined, address);
  const login = await startDeviceLogin(
    client,
    { apiUrl: address.value, clientName: getClientName(name, store.machine.hostname) },
    time.clock.now,
  );
  io.redactor.add(login.deviceCode);
  return login;
}

/** Polls until the login is approved, and puts the token on disk before anything else. */
async function awaitToken(
  context: LoginContext,
  { login, profile }: PendingLogin,
  reservation: Reservation | undefined,
) {
  const { api, io, time } = context;
  const { apiUrl, clientName } = login;
  const { stop, report } = showWaiting(context);
  return pollForToken({
    login,
    poll: createPoll(api.send, apiUrl, api.userAgent),
    ...time,
    report,
    keep({ warnings, ...issued }) {
      io.redactor.add(issued.token);
      const record = {
        profile,
        baseUrl: apiUrl,
        clientName,
        ...issued,
        createdAt: new Date(time.clock.now()).toISOString(),
      };
      return { record, warnings, merge: reservation?.keep(record) };
    },
  }).finally(stop);
}

/** Shows a countdown on a terminal, and elsewhere one line for each change. */
function showWaiting({ io, globals }: LoginContext) {
  const progress = io.progress(describeWaiting(undefined, undefined));
  if (!io.err.isTty) void io.note('Waiting for approval...');
  let shownProblem: string | undefined;
  const noteChange = (problem: string | undefined): void => {
    if (io.spinner || problem === shownProblem) return;
    shownProblem = problem;
    void io.note(problem ? `Still waiting: ${problem}` : 'Waiting for approval again.');
  };
  return {
    stop: progress.stop,
    report(event: PollEvent): void {
      if (event.kind === 'notice') void io.note(event.text);
      else if (event.kind === 'waiting') {
        progress.update(describeWaiting(event.remainingSeconds, event.problem));
        noteChange(event.problem);
      } else if (globals.debug) {
        const line = `poll: ${event.verdict}, next in ${event.nextInSeconds} s\n`;
        void io.err.write(line).catch(() => undefined);
      }
    },
  };
}

/** Keeps it short: a second line on a terminal that becomes narrow would stay on the screen. */
function describeWaiting(seconds: number | undefined, problem: string | undefined) {
  const parts = ['Waiting...'];
  if (seconds !== undefined) {
    parts.push(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left,`);
  }
  parts.push('Ctrl-C cancels');
  if (problem !== undefined) parts.push(`(${problem})`);
  return parts.join(' ');
}

async function finish(
  context: LoginContext,
  { kept, interruptedBy }: Awaited<ReturnType<typeof awaitToken>>,
): Promise<void> {
  await finishLogin(context, kept.record, kept);
  if (interruptedBy === undefined) return;
  const account = describeSignedIn(kept.record).replace(/^S/, 's');
  throw new CliError(
    'interrupted',
    `Approved just before you cancelled: ${account} (svc logout to undo).`,
    { exitCode: interruptedBy.exitCode },
  );
}
