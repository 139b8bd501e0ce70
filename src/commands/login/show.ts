import type { Needs } from '../../cli/define/context.ts';
import type { Event } from '../../contract/fields/documents.ts';
import { asSentence, CliError } from '../../errors.ts';
import { setVariable } from '../../shell-line.ts';
import { type CredentialRecord, getProfileName } from '../../sign-in/credentials.ts';
import { formatDay } from '../../sign-in/expiry.ts';
import type { StartedLogin } from '../../sign-in/start.ts';
import type { SaveResult } from '../../sign-in/store.ts';
import { describeSystemError } from '../../store/problem.ts';
import { drawScreen } from '../../terminal/draw.ts';
import { OutputClosed } from '../../terminal/io.ts';
import { badge, filePath, link, type Screen, type Text } from '../../terminal/screen.ts';

/** The parts of svc that a login is shown with. */
type Shown = Needs<'io' | 'globals'>;

/**
 * Shows lines to a person, on stderr: stdout is for events, and with `--json` there are none. A
 * closed terminal does not end the login.
 */
export async function showLines(
  { io, globals }: Shown,
  fill: (screen: Screen) => void,
): Promise<void> {
  if (globals.json) return;
  await io.err.write(await drawScreen(fill, io.view(io.err))).catch(() => undefined);
}

async function warnOfDoubts({ io }: Shown, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await io.warn(warning, 'login_doubtful');
}

/** Prints an event. A reader that closed its end of the pipe does not end the login. */
async function emitEvent({ io }: Shown, event: Event): Promise<void> {
  await io.emit(event).catch((error: unknown) => {
    if (!(error instanceof OutputClosed)) throw error;
  });
}

/** Shows the code and the page of a login, and opens the page if that is wanted and possible. */
export async function showPendingLogin(
  context: Shown,
  login: StartedLogin,
  wantsBrowser: boolean,
): Promise<void> {
  const { userCode = null, verificationUri = null, clientName, apiUrl } = login;
  const { verificationUriComplete = null } = login;
  const expiresAt = new Date(login.startedAtMs + login.lifeSeconds * 1000).toISOString();
  await warnOfDoubts(context, login.warnings);
  await emitEvent(context, {
    event: 'login_pending',
    userCode,
    verificationUri,
    verificationUriComplete,
    expiresAt: login.isLifeKnown ? expiresAt : null,
    interval: login.intervalSeconds,
    clientName,
    apiUrl,
  });
  const page = login.verificationUriComplete ?? login.verificationUri;
  await showLines(context, (screen) => showCode(screen, login, page));

  const isOpening = wantsBrowser && page !== undefined && (await context.io.openBrowser(page));
  await showLines(context, (screen) => {
    screen.line();
    if (isOpening) screen.line('Opening your browser. If nothing opens, use the link above.');
    screen.warning(
      'Only approve a login you started yourself. Never approve a code someone sent you.',
    );
  });
}

function showCode(
  screen: Screen,
  { userCode, verificationUri, clientName, apiUrl }: StartedLogin,
  page: string | undefined,
): void {
  // People compare the code.
  screen.exact();
  screen.heading(`Sign in to ${apiUrl}`);
  screen.line();
  if (userCode !== undefined) screen.line(['  Your code  ', badge(userCode)]);

  const steps: Text[] = [];
  if (page !== undefined) {
    const hasOtherPage = verificationUri !== undefined && verificationUri !== page;
    const elsewhere = hasOtherPage ? [' or, on another device, ', link(verificationUri)] : [];
    steps.push(['Open ', link(page), ...elsewhere]);
  }
  const check = userCode === undefined ? 'Check that' : 'Check that it shows this code, and that';
  screen.steps([...steps, `${check} the device is ${clientName}`]);
}

interface LoginEnd {
  readonly warnings: readonly string[];
  /** The organization with its name, where an answer has it. */
  readonly organization?: string | undefined;
  /** Adds the sign-in to the others; undefined to print the token on stdout instead. */
  readonly merge: (() => Promise<SaveResult>) | undefined;
}

/** Stores or prints a new sign-in. */
export async function finishLogin(
  context: Shown & Needs<'time'>,
  record: CredentialRecord,
  { warnings, organization, merge }: LoginEnd,
): Promise<void> {
  if (merge === undefined) return printToken(context, record, warnings);
  const result = await merge();
  if (result.kind === 'not_saved') {
    await showTokenOnce(context, record);
    throw tokenLostError(`The token could not be saved: ${result.reason}`, record, result.replaced);
  }
  if (result.kind === 'journaled' && context.time.signal.aborted) {
    throw new CliError('interrupted', `Interrupted. ${describeJournal(result, false)}`, {
      lines: result.replaced.map(describeValidToken),
      hint: 'svc whoami',
    });
  }

  await warnOfDoubts(context, [...warnings, ...listSaveNotices(result)]);
  await showLines(context, (screen) => {
    screen.success(describeSignedIn(record));
    screen.fields([...listFacts(record, organization), ['Stored in', filePath(result.path)]]);
    screen.next(['svc link', 'svc completion install']);
  });
  const { email = null, organizationId = null, tokenId = null, expiresAt = null } = record;
  await emitEvent(context, {
    event: 'login_succeeded',
    user: { email },
    organizationId,
    tokenId,
    expiresAt,
    apiUrl: record.baseUrl,
    path: result.path,
  });
}

async function printToken(
  context: Shown,
  record: CredentialRecord,
  warnings: readonly string[],
): Promise<void> {
  try {
    await context.io.out.write(`${record.token}\n`, 'raw');
  } catch (error) {
    await showTokenOnce(context, record);
    throw tokenLostError(`The token could not be printed: ${describeSystemError(error)}`, record);
  }
  await showLines(context, (screen) => {
    screen.success(`${describeSignedIn(record)}. The token is not stored.`);
    screen.fields([['Token', record.tokenId], ...listFacts(record)]);
  });
  await warnOfDoubts(context, warnings);
}

/** Shows a token that was not saved, on a terminal only: a pipe or a log would keep it. */
async function showTokenOnce({ io }: Shown, record: CredentialRecord): Promise<void> {
  if (!io.err.isTty) return;
  const lines = [
    'NOT SAVED. Keep this, it is shown once:',
    setVariable('SVC_TOKEN', record.token),
    `(${describeToken(record)})`,
  ];
  await io.err.write(`${lines.join('\n')}\n`).catch(() => undefined);
}

const REVOKE = 'revoke it in Settings > API tokens';

/** Names every token that gave way. */
export function listSaveNotices(
  result: Exclude<SaveResult, { kind: 'not_saved' }>,
): readonly string[] {
  const notices = result.replaced.map(describeValidToken);
  if (result.kind === 'journaled') return [describeJournal(result), ...notices];
  if (result.asidePath === undefined) return notices;
  return [`The credentials file was damaged; it is now ${result.asidePath}.`, ...notices];
}

/** Says where a sign-in is kept that could not be added to the others, and why. */
function describeJournal(
  { path, reason, isUsable }: Extract<SaveResult, { kind: 'journaled' }>,
  hasMoreToSay = true,
) {
  const cause = reason.replace(/\.$/, '');
  if (isUsable) {
    const addition = hasMoreToSay ? `; it moves on as soon as it can (${cause})` : '';
    return `The sign-in is kept in ${path} and used from there${addition}.`;
  }
  return `The sign-in is kept in ${path}, but svc cannot use it yet: ${cause}. Once that is repaired, it counts.`;
}

/**
 * The error of a token that is neither on a disk nor printed; `what` says why. `replaced` are no
 * longer stored either.
 */
export function tokenLostError(
  what: string,
  record: CredentialRecord,
  replaced: readonly CredentialRecord[] = [],
) {
  const lost = `${describeToken(record)} exists at ${getProfileName(record.baseUrl)} and is lost here unless you noted it: ${REVOKE}.`;
  return new CliError('failed', asSentence(what), {
    lines: [lost, ...replaced.map(describeValidToken)],
  });
}

function describeValidToken(record: CredentialRecord) {
  const until = record.expiresAt === undefined ? '' : ` until ${formatDay(record.expiresAt)}`;
  return `${describeToken(record)} stays valid at ${getProfileName(record.baseUrl)}${until}; ${REVOKE} to end it.`;
}

function describeToken({ clientName, tokenId }: CredentialRecord) {
  const name = clientName === undefined ? '' : ` ("${clientName}")`;
  return tokenId === undefined ? `The token${name}` : `Token ${tokenId}${name}`;
}

export function describeSignedIn({ email }: CredentialRecord): string {
  return email === undefined ? 'Signed in' : `Signed in as ${email}`;
}

function listFacts(record: CredentialRecord, organization = record.organizationId) {
  const { profile, baseUrl, expiresAt } = record;
  const day = expiresAt && formatDay(expiresAt);
  return [
    ['Organization', organization],
    ['Profile', profile === getProfileName(baseUrl) ? undefined : profile],
    ['Valid until', record.expiresAtEstimated ? `about ${day}` : day],
  ] as const;
}
