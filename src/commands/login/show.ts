import type { Needs } from '../../cli/define/context.ts';
import type { Event } from '../../contract/fields/documents.ts';
import { asSentence, CliError } from '../../errors.ts';
import { setVariable } from '../../shell-line.ts';
import { formatDay } from '../../sign-in/expiry.ts';
import { getProfileName } from '../../sign-in/record.ts';
import type { StartedLogin } from '../../sign-in/start.ts';
import type { SaveResult } from '../../sign-in/store.ts';
import type { CredentialRecord } from '../../sign-in/types.ts';
import { describeSystemError } from '../../store/problem.ts';
import { drawScreen } from '../../terminal/draw.ts';
import { OutputClosed } from '../../terminal/io.ts';
import { badge, filePath, link, type Screen, type Text } from '../../terminal/screen.ts';
import type { LoginKeys } from './show-waiting.ts';

/**
 * On stderr, since stdout is for events; nothing with `--json`. A closed terminal does not end the
 * login.
 */
export async function say(
  { io, globals }: Needs<'io' | 'globals'>,
  fill: (screen: Screen) => void,
): Promise<void> {
  if (!globals.json) {
    await io.err.write(await drawScreen(fill, io.view(io.err))).catch(() => undefined);
  }
}

async function warnScripts({ io }: Needs<'io'>, warnings: readonly string[]): Promise<void> {
  for (const warning of io.json ? warnings : []) await io.warn(warning, 'login_doubtful');
}

/** A reader that closed its end of the pipe does not end the login. */
async function emitEvent(context: Needs<'io'>, event: Event): Promise<void> {
  try {
    await context.io.emit(event);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/** Opens the page if that is wanted and possible. Returns what keys do. */
export async function sayPending(
  context: Needs<'io' | 'globals'>,
  login: StartedLogin,
  wantsBrowser: boolean,
): Promise<LoginKeys> {
  const { userCode, verificationUri, verificationUriComplete, clientName, apiUrl } = login;
  const expiresAt = new Date(login.startedAtMs + login.lifeSeconds * 1000).toISOString();
  await warnScripts(context, login.warnings);
  await emitEvent(context, {
    event: 'login_pending',
    userCode: userCode ?? null,
    verificationUri: verificationUri ?? null,
    verificationUriComplete: verificationUriComplete ?? null,
    expiresAt: login.isLifeKnown ? expiresAt : null,
    interval: login.intervalSeconds,
    clientName,
    apiUrl,
  });
  await say(context, (screen) => showCode(screen, login));
  const page = verificationUriComplete ?? verificationUri;
  const isOpening = wantsBrowser && page !== undefined && (await context.io.openBrowser(page));
  await say(context, (screen) => {
    screen.line();
    if (isOpening) screen.line('Opening your browser. If nothing opens, use the link above.');
    screen.warning(
      'Only approve a login you started yourself. Never approve a code someone sent you.',
    );
  });
  return { code: userCode, page: isOpening ? page : undefined };
}

function showCode(screen: Screen, login: StartedLogin): void {
  const { userCode, apiUrl, warnings } = login;
  // People compare the code.
  screen.exact();
  screen.heading(`Sign in to ${apiUrl}`);
  for (const warning of warnings) screen.warning(warning);
  screen.line();
  if (userCode !== undefined) screen.line(['  Your code  ', badge(userCode)]);
  screen.steps(stepsOf(login));
}

function stepsOf({
  verificationUri,
  verificationUriComplete,
  clientName,
  userCode,
}: StartedLogin): readonly Text[] {
  const check = userCode === undefined ? 'Check that' : 'Check that it shows this code, and that';
  const last = `${check} the device is ${clientName}`;
  const page = verificationUriComplete ?? verificationUri;
  if (page === undefined) return [last];
  if (verificationUri === undefined || verificationUri === page) {
    return [['Open ', link(page)], last];
  }
  return [['Open ', link(page), ' or, on another device, ', link(verificationUri)], last];
}

type Ending = Readonly<{
  warnings: readonly string[];
  /** Undefined to print the token on stdout instead. */
  merge: (() => Promise<SaveResult>) | undefined;
  organization: () => Promise<string | undefined>;
}>;

/** Stores or prints a new sign-in. */
export async function finishLogin(
  context: Needs<'io' | 'globals' | 'time'>,
  record: CredentialRecord,
  ending: Ending,
): Promise<void> {
  if (ending.merge === undefined) return printToken(context, record, ending.warnings);
  const result = await ending.merge();
  if (result.kind === 'not_saved') {
    await showOnce(context, record);
    throw tokenLost(`The token could not be saved: ${result.reason}`, record, result.replaced);
  }
  const { path, replaced } = result;
  if (result.kind === 'journaled' && context.time.signal.aborted) {
    throw new CliError('interrupted', `Interrupted. ${describeJournal(result, false)}`, {
      lines: replaced.map(stillValid),
      hint: 'svc whoami',
    });
  }
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
    path,
  });
}

async function printToken(
  context: Needs<'io' | 'globals'>,
  record: CredentialRecord,
  warnings: readonly string[],
): Promise<void> {
  try {
    await context.io.out.write(`${record.token}\n`, 'raw');
  } catch (error) {
    await showOnce(context, record);
    throw tokenLost(`The token could not be printed: ${describeSystemError(error)}`, record);
  }
  await warnScripts(context, warnings);
  await say(context, (screen) => {
    screen.success(`${signedIn(record)}. The token is not stored.`);
    screen.fields([['Token', record.tokenId], ...factsOf(record)]);
    for (const warning of warnings) screen.warning(warning);
  });
}

/** On a terminal only: a pipe or a log would keep the token. */
async function showOnce({ io }: Needs<'io'>, record: CredentialRecord): Promise<void> {
  if (!io.err.isTty) return;
  const lines = [
    'NOT SAVED. Keep this, it is shown once:',
    setVariable('SVC_TOKEN', record.token),
    `(${nameOf(record)})`,
  ];
  await io.err.write(`${lines.join('\n')}\n`).catch(() => undefined);
}

const REVOKE = 'revoke it in Settings > API tokens';

/** Names every token that gave way. */
export function saveNotices(result: Exclude<SaveResult, { kind: 'not_saved' }>): readonly string[] {
  const notices = result.replaced.map(stillValid);
  if (result.kind === 'journaled') {
    notices.unshift(describeJournal(result));
  } else if (result.asidePath !== undefined) {
    notices.unshift(`The credentials file was damaged; it is now ${result.asidePath}.`);
  }
  return notices;
}

/** Says where a sign-in is kept that could not be added to the others, and why. */
function describeJournal(
  { path, reason, isUsable }: Extract<SaveResult, { kind: 'journaled' }>,
  hasMoreToSay = true,
): string {
  const cause = reason.replace(/\.$/, '');
  if (isUsable) {
    const more = hasMoreToSay ? `; it moves on as soon as it can (${cause})` : '';
    return `The sign-in is kept in ${path} and used from there${more}.`;
  }
  return `The sign-in is kept in ${path}, but svc cannot use it yet: ${cause}. Once that is repaired, it counts.`;
}

/**
 * The error of a token that is neither on a disk nor printed; `what` says why. `replaced` are no
 * longer stored either.
 */
export function tokenLost(
  what: string,
  record: CredentialRecord,
  replaced: readonly CredentialRecord[] = [],
) {
  const lost = `${nameOf(record)} exists at ${getProfileName(record.baseUrl)} and is lost here unless you noted it: ${REVOKE}.`;
  return new CliError('failed', asSentence(what), { lines: [lost, ...replaced.map(stillValid)] });
}

function stillValid(record: CredentialRecord): string {
  const until = record.expiresAt === undefined ? '' : ` until ${formatDay(record.expiresAt)}`;
  return `${nameOf(record)} stays valid at ${getProfileName(record.baseUrl)}${until}; ${REVOKE} to end it.`;
}

function nameOf({ clientName, tokenId }: CredentialRecord): string {
  const name = clientName === undefined ? '' : ` ("${clientName}")`;
  return tokenId === undefined ? `The token${name}` : `Token ${tokenId}${name}`;
}

function signedIn({ email }: CredentialRecord): string {
  return email === undefined ? 'Signed in' : `Signed in as ${email}`;
}

function factsOf(record: CredentialRecord, organization?: string, path?: string) {
  const { organizationId, profile, baseUrl, expiresAt, expiresAtEstimated } = record;
  const until = expiresAt && `${expiresAtEstimated ? 'about ' : ''}${formatDay(expiresAt)}`;
  return [
    ['Organization', organization ?? organizationId],
    ['Profile', profile === getProfileName(baseUrl) ? undefined : profile],
    ['Valid until', until],
    ['Stored in', path === undefined ? undefined : filePath(path)],
  ] as const;
}
