import type { Context } from '../../command/context.ts';
import { dayOf } from '../../login/expiry.ts';
import type { PollEvent } from '../../login/poller.ts';
import { keptInJournal, printProblem, saveNotices, saveProblem, tokenOfLastResort } from '../../login/save-report.ts';
import { type DeviceLogin, expiryOfLogin } from '../../login/start.ts';
import { OutputClosed } from '../../terminal/io.ts';
import { createScreen, type Screen, strong } from '../../terminal/screen.ts';
import { type CredentialRecord, profileNameOf } from '../../vault/credentials/records.ts';
import type { Reservation } from '../../vault/credentials/save.ts';
import { explain } from '../../vault/problem.ts';

/** Shows something on stderr, since stdout is for events; nothing with `--json`. A closed terminal does not end the login. */
export async function say({ io, settings: { globals } }: Context, fill: (screen: Screen) => void): Promise<void> {
  if (globals.json) return;
  const screen = createScreen();
  fill(screen);
  const { render } = await import('../../terminal/render.ts');
  await io.err.write(await render(screen.blocks, io.view(io.err))).catch(() => undefined);
}

/** Prints an event with `--json`. A reader that closed its end of the pipe does not end the login. */
async function emitEvent(context: Context, event: object): Promise<void> {
  try {
    await context.io.emit(event);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/** Shows the address and the code, then opens the page if that is wanted and possible. */
export async function sayPending(context: Context, login: DeviceLogin, mayOpenBrowser: boolean): Promise<void> {
  const { userCode, verificationUri, verificationUriComplete, clientName, apiUrl, intervalSeconds } = login;
  await emitEvent(context, {
    event: 'login_pending',
    userCode: userCode ?? null,
    verificationUri: verificationUri ?? null,
    verificationUriComplete: verificationUriComplete ?? null,
    expiresAt: expiryOfLogin(login) ?? null,
    interval: intervalSeconds,
    clientName,
    apiUrl,
  });
  await say(context, (screen) => showCode(screen, login));
  const page = verificationUriComplete ?? verificationUri;
  const isOpening = mayOpenBrowser && page !== undefined && (await context.io.openBrowser(page));
  await say(context, (screen) => {
    screen.line();
    if (isOpening) screen.line('Opening your browser (--no-browser skips that).');
    screen.warning('Approve only what you started yourself, never a code that someone sent you.');
    screen.line();
  });
}

function showCode(screen: Screen, login: DeviceLogin): void {
  const { userCode, verificationUri, verificationUriComplete, clientName, apiUrl, warnings } = login;
  // People compare the code.
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

/** Shows a countdown on a terminal, and elsewhere one line for each change. */
export function showWaiting(context: Context): { report: (event: PollEvent) => void; stop: () => void } {
  const { io, settings } = context;
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
        if (!settings.globals.debug) return;
        void io.err.write(`poll: ${event.verdict}, next in ${event.nextInSeconds} s\n`).catch(() => {});
      } else {
        progress.update(waitingText(event.remainingSeconds, event.problem));
        sayChange(event.problem);
      }
    },
  };
}

function waitingText(remainingSeconds: number | undefined, problem: string | undefined): string {
  const left = remainingSeconds === undefined ? '' : ` ${minutesAndSeconds(remainingSeconds)} left,`;
  return `Waiting for approval...${left} Ctrl-C to cancel${problem === undefined ? '' : ` (${problem})`}`;
}

function minutesAndSeconds(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

interface Ending {
  readonly warnings: readonly string[];
  /** Prints the token on stdout and stores nothing. */
  readonly printToken: boolean;
  readonly reserved: Reservation | undefined;
}

/** Saves a sign-in first of all, then reports the result. */
export async function finishLogin(context: Context, record: CredentialRecord, ending: Ending): Promise<void> {
  if (ending.printToken) return printToken(context, record, ending.warnings);
  const store = await context.vault.store();
  const result = await store.save(record, ending.reserved);
  const problem = saveProblem(result, record);
  if (result.kind === 'not_saved') await showOnce(context, record);
  if (problem !== undefined) throw problem;
  if (result.kind === 'journaled' && context.system.signal.aborted) throw keptInJournal(result);
  const path = 'path' in result ? result.path : undefined;
  await say(context, (screen) => {
    screen.success(signedIn(record, path));
    for (const notice of [...ending.warnings, ...saveNotices(result)]) screen.warning(notice);
  });
  const { email, organizationId, tokenId, expiresAt, baseUrl } = record;
  await emitEvent(context, {
    event: 'login_succeeded',
    user: { email: email ?? null },
    organizationId: organizationId ?? null,
    tokenId: tokenId ?? null,
    expiresAt: expiresAt ?? null,
    apiUrl: baseUrl,
    path: path ?? null,
  });
}

async function printToken(context: Context, record: CredentialRecord, warnings: readonly string[]): Promise<void> {
  try {
    await context.io.out.write(`${record.token}\n`);
  } catch (error) {
    await showOnce(context, record);
    throw printProblem(explain(error), record);
  }
  await say(context, (screen) => {
    screen.success(`${signedIn(record, undefined)} It is not stored.`);
    for (const warning of warnings) screen.warning(warning);
  });
}

/** Shows a token that could not be saved, on a terminal only: a pipe or a log would keep it. */
async function showOnce({ io }: Context, record: CredentialRecord): Promise<void> {
  if (!io.err.isTty) return;
  await io.err.write(`${tokenOfLastResort(record).join('\n')}\n`).catch(() => undefined);
}

function signedIn(record: CredentialRecord, path: string | undefined): string {
  const { email, organizationId, profile, baseUrl, tokenId, expiresAt, expiresAtEstimated } = record;
  const who = email === undefined ? 'Signed in' : `Signed in as ${email}`;
  const places = [
    organizationId && `organization ${organizationId}`,
    profile !== profileNameOf(baseUrl) && `profile ${profile}`,
  ].filter(Boolean);
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`;
  const facts = [
    path && `saved to ${path}`,
    expiresAt && `expires${expiresAtEstimated ? ' about' : ''} ${dayOf(expiresAt)}`,
  ].filter(Boolean);
  const token = tokenId === undefined ? 'Token' : `Token ${tokenId}`;
  return `${who}${where}.${facts.length === 0 ? '' : ` ${token} ${facts.join(', ')}.`}`;
}
