import type { Context } from '../../command/context.ts';
import { render } from '../../io/render.ts';
import { createScreen, type Screen, strong } from '../../io/screen.ts';
import { type DeviceLogin, expiryOfLogin } from '../../login/device-start.ts';
import type { PollEvent } from '../../login/poller.ts';

/** Says something to the person who signs in: on stderr, because stdout is for events. Nothing with `--json`. */
export async function say({ io, globals }: Context, fill: (screen: Screen) => void): Promise<void> {
  if (globals.json) return;
  const screen = createScreen();
  fill(screen);
  await io.err.write(await render(screen.blocks, io.view(io.err)));
}

/** Shows where to approve, and the code to compare, before anything is opened. */
export async function sayPending(context: Context, login: DeviceLogin): Promise<void> {
  const { userCode, verificationUri, verificationUriComplete, clientName, apiUrl, intervalSeconds } = login;
  await context.emit({
    event: 'login_pending',
    userCode,
    verificationUri,
    verificationUriComplete,
    expiresAt: expiryOfLogin(login),
    interval: intervalSeconds,
    clientName,
    apiUrl,
  });
  await say(context, (screen) => {
    screen.line(`Sign in to svc  (${apiUrl})`);
    screen.line();
    for (const warning of login.warnings) screen.warning(warning);
    screen.fields([
      ['1. Open', verificationUri ?? verificationUriComplete],
      ['2. Confirm code', userCode === undefined ? undefined : strong(userCode)],
      ['   for this device', clientName],
    ]);
    screen.line();
    if (verificationUri !== undefined && verificationUriComplete !== undefined) {
      screen.line(`  Direct link: ${verificationUriComplete}`);
    }
    screen.line('  Approve only if you started this login yourself;');
    screen.line('  never approve a code someone sent you.');
    screen.line();
  });
}

/** Shows that svc waits: one line that counts down on a terminal, one line for each problem elsewhere. */
export function showWaiting(context: Context): { report: (event: PollEvent) => void; stop: () => void } {
  const { io, globals } = context;
  const progress = io.progress('Waiting for approval... Ctrl-C to cancel');
  let said: string | undefined;
  return {
    stop: () => progress.stop(),
    report(event) {
      if (event.kind === 'notice') void io.note(event.text);
      else if (event.kind === 'answer') {
        if (globals.debug) void io.err.write(`poll: ${event.verdict}, next in ${event.nextInSeconds} s\n`);
      } else {
        progress.update(waitingText(event.remainingSeconds, event.problem));
        if (!io.spinner && event.problem !== undefined && event.problem !== said)
          void io.note(`Still waiting: ${event.problem}`);
        said = event.problem;
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
