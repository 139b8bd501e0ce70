import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context, Vault } from '../../command/context.ts';
import { findLink } from '../../command/link-file.ts';
import { signInCommand } from '../../command/unauthenticated.ts';
import { CliError } from '../../errors.ts';
import { isLoopback } from '../../http/address.ts';
import { readProxies } from '../../http/proxy.ts';
import type { HttpResponse } from '../../http/send.ts';
import { TransportError } from '../../http/transport-error.ts';
import { asObject, asText } from '../../json/values.ts';
import { dayOf, expiryOf } from '../../login/expiry.ts';
import { mediaTypeOf } from '../../service/failures.ts';
import { getUser } from '../../service/operations.ts';
import { plural } from '../../terminal/numbers.ts';

/** How a check ended: as it should, worth knowing, or to be mended. */
export type CheckState = 'good' | 'note' | 'bad';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly state: CheckState;
  /** What was found, in words. */
  readonly found: string;
  /** What to do about it; a command where there is one. */
  readonly fix: string | null;
}

/** Looks at one thing; what it throws becomes a failed check. */
export type Look = (context: Context) => Promise<Check> | Check;

/** Seconds that this clock may differ from the service's before expiry dates are misread. */
const TOLERATED_SKEW_SECONDS = 300;
const CONNECT_TIMEOUT_MS = 10_000;

/** Which address requests go to, and what gave it. */
export function checkAddress({ settings }: Context): Check {
  const address = settings.findApiUrl();
  if (address === undefined) {
    return { name: 'address', state: 'bad', found: 'No service address is set.', fix: 'svc login --api-url <address>' };
  }
  const { hostname, protocol } = new URL(address.value);
  const plain = protocol === 'http:' && !isLoopback(hostname);
  return {
    name: 'address',
    state: plain ? 'note' : 'good',
    found: `${address.value} (${address.where})`,
    fix: plain ? 'use https: a token over plain http can be read on the way' : null,
  };
}

/** Whether the service answers at all: DNS, TCP, TLS, HTTP, and how far the clocks are apart. */
export async function checkReachable({ settings, api: { send }, system: { signal, clock } }: Context): Promise<Check> {
  const address = settings.findApiUrl();
  if (address === undefined)
    return { name: 'network', state: 'note', found: 'not checked without an address', fix: null };
  const startedAt = clock.monotonic();
  try {
    const answer = await (await send())({
      method: 'GET',
      url: new URL(`${address.value}/v1/user`),
      headers: { accept: 'application/json' },
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      timeoutMs: CONNECT_TIMEOUT_MS,
      signal,
    });
    for await (const _ of answer.body) break;
    return judge(answer, Math.round(clock.monotonic() - startedAt), clock.now());
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { name: 'network', state: 'bad', found: error.message, fix: FIXES[error.kind] };
  }
}

/** What an answer says of the way to the service, whatever it says of the sign-in. */
function judge({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>, tookMs: number, nowMs: number): Check {
  const name = 'network';
  if (!/\bjson\b/i.test(headers['content-type'] ?? '')) {
    const type = mediaTypeOf(headers);
    const fix = status >= 500 ? 'wait: the service may be down' : 'the address of the API; something else answers here';
    return { name, state: 'bad', found: `answers with ${type} (${status}), not as the API does`, fix };
  }
  const skewSeconds = skewOf(headers['date'], nowMs);
  if (Math.abs(skewSeconds) <= TOLERATED_SKEW_SECONDS) {
    return { name, state: 'good', found: `answers in ${tookMs} ms`, fix: null };
  }
  const direction = skewSeconds > 0 ? 'ahead' : 'behind';
  const found = `answers in ${tookMs} ms; this clock is ${Math.abs(skewSeconds)} s ${direction}`;
  return { name, state: 'note', found, fix: 'set the clock of this machine' };
}

const FIXES: Readonly<Record<TransportError['kind'], string>> = {
  not_sent: 'check the address, the network and its name server',
  tls: 'if the certificate is of your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  reset: 'check that the address is that of the service',
  timeout: 'try again; check firewalls and proxies',
  proxy: 'check HTTPS_PROXY and its user name and password',
};

function skewOf(date: string | undefined, nowMs: number): number {
  const there = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(there) ? 0 : Math.round((nowMs - there) / 1000);
}

/** Whether the service accepts the sign-in, and as whom. */
export async function checkSignIn({ settings, api: { client } }: Context): Promise<Check> {
  const name = 'sign-in';
  const address = settings.findApiUrl();
  const credential = settings.credential();
  if (credential === undefined) {
    // Without an address, how to set one is told already, and signing in does both.
    const fix = address === undefined ? null : signInCommand(settings);
    return { name, state: 'bad', found: 'Not signed in.', fix };
  }
  if (address === undefined) return { name, state: 'note', found: `not checked (${credential.source})`, fix: null };
  const { value } = await getUser(await client());
  const account = asText(asObject(value.user)['email']) ?? 'accepted';
  const org = asObject(value.organization);
  const place = asText(org['slug']) ?? asText(org['name']) ?? asText(org['id']);
  const chosen = settings.org();
  const where = chosen === undefined ? '' : `, chosen by ${chosen.where}`;
  const organization = place === undefined ? '' : `, in ${place}${where}`;
  return { name, state: 'good', found: `${account}${organization} (${credential.source})`, fix: null };
}

/** How long the stored token lives. */
export function checkToken({ settings, system: { clock } }: Context): Check {
  const name = 'token';
  const credential = settings.credential();
  if (credential === undefined) return { name, state: 'note', found: 'none', fix: null };
  const expiry = credential.record && expiryOf(credential.record, clock.now());
  if (expiry === undefined) return { name, state: 'note', found: 'svc whoami shows when it expires', fix: null };
  const { at, daysLeft, isPast, isSoon } = expiry;
  if (isPast) return { name, state: 'bad', found: `expired on ${dayOf(at)}`, fix: signInCommand(settings) };
  const fix = isSoon ? signInCommand(settings) : null;
  return { name, state: isSoon ? 'note' : 'good', found: `${plural(daysLeft, 'day')} left, until ${dayOf(at)}`, fix };
}

const OTHER_FOLDER = 'SVC_CONFIG_DIR=<another folder>, or use SVC_TOKEN';

/** Whether sign-ins can be saved. */
export function checkFolder(context: Context): Check {
  const name = 'files';
  const folder = context.vault.folder();
  const { unmerged, warnings } = readSignIns(context);
  if (!isWritable(folder)) return { name, state: 'note', found: `${folder} cannot be written`, fix: OTHER_FOLDER };
  if (warnings.length > 0) return { name, state: 'note', found: warnings.join(' '), fix: null };
  if (unmerged > 0)
    return { name, state: 'note', found: `${unmerged} sign-in waits to be merged`, fix: 'svc profiles use <name>' };
  return { name, state: 'good', found: folder, fix: null };
}

function readSignIns(context: Context): ReturnType<Vault['signIns']> {
  try {
    return context.vault.signIns();
  } catch (error) {
    throw error instanceof CliError && error.details.hint === undefined ? error.with({ hint: OTHER_FOLDER }) : error;
  }
}

/** Which link file counts here. */
export function checkLink(context: Context): Check {
  const { link, ignored } = findLink(context.system.cwd, context.system);
  if (ignored.length > 0)
    return { name: 'folder link', state: 'note', found: ignored.join(' '), fix: 'svc link <service>' };
  const found =
    link === undefined ? 'none; svc link <service> makes one' : `${link.path}: ${link.service ?? 'no service'}`;
  return { name: 'folder link', state: 'good', found, fix: null };
}

/** Whether requests go through a proxy. Its address may hold a password, so only its host is shown. */
export function checkProxy({ system: { env }, settings }: Context): Check {
  const address = settings.findApiUrl();
  const proxy = address && readProxies(env)(new URL(address.value));
  return { name: 'proxy', state: 'good', found: proxy === undefined ? 'none' : proxy.host, fix: null };
}

/** Whether the shell can complete svc's commands. */
export async function checkCompletion(context: Context): Promise<Check> {
  const { completionOf } = await import('../completion.ts');
  const completion = completionOf(context);
  if (completion === undefined)
    return { name: 'completion', state: 'note', found: 'the shell is not known', fix: null };
  const installed = existsSync(completion.path);
  return {
    name: 'completion',
    state: installed ? 'good' : 'note',
    found: installed ? completion.path : `not installed for ${completion.shell}`,
    fix: installed ? null : `svc completion install ${completion.shell}`,
  };
}

function isWritable(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(current) || dirname(current) === current) return canWrite(current);
  }
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
