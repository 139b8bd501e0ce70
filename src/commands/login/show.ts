import type { Context } from '../../command/context.ts';
import { OutputClosed } from '../../io/io.ts';
import { createScreen, type Screen, strong } from '../../io/screen.ts';
import { type DeviceLogin, expiryOfLogin } from '../../login/device-start.ts';
import type { PollEvent } from '../../login/poller.ts';

/**
 * Says something to the person who signs in: on stderr, because stdout is for events. Nothing with `--json`. A terminal
 * that was closed does not end the login.
 */
export async function say({ io, settings: { globals } }: Context, fill: (screen: Screen) => void): Promise<void> {
  if (globals.json) return;
  const screen = createScreen();
  fill(screen);
  const { render } = await import('../../io/render.ts');
  await io.err.write(await render(screen.blocks, io.view(io.err))).catch(() => undefined);
}

/** Prints an event of the login with `--json`. A reader that has seen enough and left does not end the login. */
export async function emitEvent(context: Context, event: object): Promise<void> {
  try {
    await context.io.emit(event);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/** Shows where to approve, and the code to compare; then opens the page where that is wanted and somebody sits here. */
export async function sayPending(context: Context, login: DeviceLogin, mayOpenBrowser: boolean): Promise<void> {
  await emitEvent(context, pendingEvent(login));
  await say(context, (screen) => showCode(screen, login));
  const page = login.verificationUriComplete ?? login.verificationUri;
  const isOpening = mayOpenBrowser && page !== undefined && (await context.io.openBrowser(page));
  await say(context, (screen) => {
    screen.line();
    if (isOpening) screen.line('Opening your browser (--no-browser skips that).');
    screen.warning('Approve only what you started yourself, never a code that someone sent you.');
    screen.line();
  });
}

/** The event that a program reads; what is not known is null. */
function pendingEvent(login: DeviceLogin): object {
  const { userCode, verificationUri, verificationUriComplete, clientName, apiUrl, intervalSeconds } = login;
  return {
    event: 'login_pending',
    userCode: userCode ?? null,
    verificationUri: verificationUri ?? null,
    verificationUriComplete: verificationUriComplete ?? null,
    expiresAt: expiryOfLogin(login) ?? null,
    interval: intervalSeconds,
    clientName,
    apiUrl,
  };
}

function showCode(screen: Screen, login: DeviceLogin): void {
  const { userCode, verificationUri, verificationUriComplete, clientName, apiUrl, warnings } = login;
  // The code is there to be compared.
  screen.exact();
  screen.heading(`Sign in to ${apiUrl}`);
  for (const warning of warnings) screen.warning(warning);
  const page = verificationUri ?? verificationUriComplete;
  screen.fields([
    ['1. Open', page],
    ['   or directly', verificationUriComplete === page ? undefined : verificationUriComplete],
    ['2. Confirm code', userCode === undefined ? undefined : strong(userCode)],
    ['   for this device', clientName],
  ]);
}

/** Shows that svc waits: one line that counts down where something may move, elsewhere one line for each change. */
export function showWaiting(context: Context): { report: (event: PollEvent) => void; stop: () => void } {
  const {
    io,
    settings: { globals },
  } = context;
  const progress = io.progress(waitingText(undefined, undefined));
  if (!io.err.isTty) void io.note('Waiting for approval...');
  let said: string | undefined;
  const sayChange = (problem: string | undefined): void => {
    if (io.spinner || problem === said) return;
    said = problem;
    void io.note(problem === undefined ? 'Waiting for approval again.' : `Still waiting: ${problem}`);
  };
  return {
    stop: () => progress.stop(),
    report(event) {
      if (event.kind === 'notice') void io.note(event.text);
      else if (event.kind === 'answer') {
        if (globals.debug)
          void io.err.write(`poll: ${event.verdict}, next in ${event.nextInSeconds} s\n`).catch(() => {});
      } else {
        progress.update(waitingText(event.remainingSeconds, event.problem));
        sayChange(event.problem);
      }
    },
  };
}

function waitingText(remainingSeconds: number | undefined, problem: string | undefined): string {
  const left = remainingSeconds === undefined ? '' : ` ${clockFace(remainingSeconds)} left,`;
  const why = problem === undefined ? '' : ` (${problem})`;
  return `Waiting for approval...${left} Ctrl-C to cancel${why}`;
}

function clockFace(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
