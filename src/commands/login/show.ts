import type { Context } from '../../command/context.ts';
import { dayOf } from '../../login/expiry.ts';
import { keepToken } from '../../login/kept.ts';
import type { PollEvent } from '../../login/poller.ts';
import { keptInJournal, printProblem, saveNotices, saveProblem, tokenOfLastResort } from '../../login/save-report.ts';
import { type DeviceLogin, expiryOfLogin } from '../../login/start.ts';
import { badge, filePath, link, type Screen, type Text } from '../../terminal/screen.ts';
import { type CredentialRecord, profileNameOf } from '../../vault/credentials/records.ts';
import type { Reservation } from '../../vault/credentials/save.ts';
import { explain } from '../../vault/problem.ts';
import { keepingPlaces } from './places.ts';
import { showQr } from './qr.ts';
import { emitEvent, say, warnScripts } from './say.ts';

/** How a login is shown. */
export interface Look {
  /** Open the page if that is possible. */
  readonly browser: boolean;
  readonly qr: boolean;
}

/** Shows the address and the code, then opens the page if that is wanted and possible. Returns what keys do. */
export async function sayPending(context: Context, login: DeviceLogin, look: Look): Promise<LoginKeys> {
  const { userCode, verificationUri, verificationUriComplete, clientName, apiUrl, intervalSeconds } = login;
  await warnScripts(context, login.warnings);
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
  if (look.qr && page !== undefined && !context.settings.globals.json) await showQr(context.io, page);
  const isOpening = look.browser && page !== undefined && (await context.io.openBrowser(page));
  await say(context, (screen) => {
    screen.line();
    if (isOpening) screen.line('Opening your browser. If nothing opens, use the link above.');
    screen.warning('Only approve a login you started yourself. Never approve a code someone sent you.');
  });
  return { code: userCode, page: isOpening ? page : undefined };
}

/** What a person may do with a key while svc waits. */
export interface LoginKeys {
  /** Copied with `c`. */
  readonly code: string | undefined;
  /** Opened again with Enter. */
  readonly page: string | undefined;
}

function showCode(screen: Screen, login: DeviceLogin): void {
  const { userCode, apiUrl, warnings } = login;
  // People compare the code.
  screen.exact();
  screen.heading(`Sign in to ${apiUrl}`);
  for (const warning of warnings) screen.warning(warning);
  screen.line();
  if (userCode !== undefined) screen.line(['  Your code  ', badge(userCode)]);
  screen.steps(stepsOf(login));
}

function stepsOf({ verificationUri, verificationUriComplete, clientName, userCode }: DeviceLogin): readonly Text[] {
  const check = userCode === undefined ? 'Check that' : 'Check that it shows this code, and that';
  const last = `${check} the device is ${clientName}`;
  const page = verificationUriComplete ?? verificationUri;
  if (page === undefined) return [last];
  const other =
    verificationUri === undefined || verificationUri === page
      ? []
      : [' or, on another device, ', link(verificationUri)];
  return [['Open ', link(page), ...other], last];
}

/** Shows a countdown on a terminal, and elsewhere one line for each change. */
export async function showWaiting(
  context: Context,
  keys: LoginKeys,
): Promise<{ report: (event: PollEvent) => void; stop: () => void }> {
  const { io, settings } = context;
  let isCopied = false;
  const text = (left?: number, problem?: string) => waitingText(io.err.columns, isCopied, left, problem);
  const progress = io.progress(text());
  const copied = () => {
    isCopied = true;
    progress.update(text());
  };
  const stopKeys = io.spinner ? await listenForKeys(context, keys, copied) : undefined;
  if (!io.err.isTty) void io.note('Waiting for approval...');
  let said: string | undefined;
  const sayChange = (problem: string | undefined): void => {
    if (io.spinner || problem === said) return;
    said = problem;
    void io.note(problem === undefined ? 'Waiting for approval again.' : `Still waiting: ${problem}`);
  };
  return {
    stop() {
      stopKeys?.();
      progress.stop();
    },
    report(event) {
      if (event.kind === 'notice') void io.note(event.text);
      else if (event.kind === 'unread') void io.warn(unreadText(event.path), 'answer_not_read');
      else if (event.kind === 'answer') {
        if (!settings.globals.debug) return;
        void io.err.write(`poll: ${event.verdict}, next in ${event.nextInSeconds} s\n`).catch(() => {});
      } else {
        progress.update(text(event.remainingSeconds, event.problem));
        sayChange(event.problem);
      }
    },
  };
}

function unreadText(path: string | undefined): string {
  const kept = path === undefined ? 'It could not be kept.' : `It may have the token, so it is kept in ${path}.`;
  return `The service sent an answer that svc cannot read. ${kept} svc goes on asking.`;
}

/** Copies the code with `c`, by the terminal itself (OSC 52), and opens the page again with Enter. */
async function listenForKeys(
  { io }: Context,
  { code, page }: LoginKeys,
  copied: () => void,
): Promise<(() => void) | undefined> {
  const ways = [
    ...(code === undefined ? [] : ['c to copy the code']),
    ...(page === undefined ? [] : ['Enter to open the page again']),
  ];
  if (ways.length === 0) return undefined;
  const stop = await io.onKey((key) => {
    if (key === 'c' && code !== undefined) {
      void io.err.write(`\u001b]52;c;${Buffer.from(code).toString('base64')}\u0007`).then(copied, () => undefined);
    } else if (key === '\r' && page !== undefined) {
      void io.openBrowser(page);
    }
  });
  if (stop !== undefined) void io.note(`Press ${ways.join(', ')}.`);
  return stop;
}

/** Columns that a long countdown needs. */
const WIDE = 60;

function waitingText(columns: number, isCopied: boolean, remainingSeconds?: number, problem?: string): string {
  const isWide = columns >= WIDE;
  const waiting = isCopied ? 'Copied.' : isWide ? 'Waiting for approval...' : 'Waiting...';
  const left = remainingSeconds === undefined ? '' : ` ${minutesAndSeconds(remainingSeconds)} left,`;
  const stop = isWide ? 'Ctrl-C to cancel' : 'Ctrl-C cancels';
  return `${waiting}${left} ${stop}${problem === undefined ? '' : ` (${problem})`}`;
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
  /** Finds the name of the organization, once the sign-in is stored. */
  readonly organization: () => Promise<string | undefined>;
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
  await say(context, (screen) => screen.success(signedIn(record)));
  const organization = await ending.organization();
  const notices = [...ending.warnings, ...saveNotices(result)];
  await warnScripts(context, notices);
  await say(context, (screen) => {
    screen.fields(factsOf(record, organization, path));
    for (const notice of notices) screen.warning(notice);
    screen.next(['svc link', 'svc completion install']);
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
    await context.io.out.write(`${record.token}\n`, 'raw');
  } catch (error) {
    const path = keepToken(record.token, keepingPlaces(context));
    if (path === undefined) await showOnce(context, record);
    throw printProblem(explain(error), record, path);
  }
  await warnScripts(context, warnings);
  await say(context, (screen) => {
    screen.success(`${signedIn(record)}. The token is not stored.`);
    screen.fields([['Token', record.tokenId], ...factsOf(record)]);
    for (const warning of warnings) screen.warning(warning);
  });
}

/** Shows a token that could not be saved, on a terminal only: a pipe or a log would keep it. */
async function showOnce({ io }: Context, record: CredentialRecord): Promise<void> {
  if (!io.err.isTty) return;
  await io.err.write(`${tokenOfLastResort(record).join('\n')}\n`).catch(() => undefined);
}

function signedIn({ email }: CredentialRecord): string {
  return email === undefined ? 'Signed in' : `Signed in as ${email}`;
}

function factsOf(record: CredentialRecord, organization?: string, path?: string) {
  const { organizationId, profile, baseUrl, expiresAt, expiresAtEstimated } = record;
  const until = expiresAt && `${expiresAtEstimated ? 'about ' : ''}${dayOf(expiresAt)}`;
  return [
    ['Organization', organization ?? organizationId],
    ['Profile', profile === profileNameOf(baseUrl) ? undefined : profile],
    ['Valid until', until],
    ['Stored in', path === undefined ? undefined : filePath(path)],
  ] as const;
}
