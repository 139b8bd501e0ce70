import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  describeContent,
  explainDoubledVersion,
  findAddressWithoutVersion,
} from '../../api/failures.ts';
import { getUser } from '../../api/operations.ts';
import { NO_CLIENT_CERTIFICATE, TRUST_AUTHORITY } from '../../api/transport-failures.ts';
import type { Context, KeptFiles, Needs } from '../../cli/define/context.ts';
import { asCliError } from '../../cli/define/report.ts';
import { signInCommand } from '../../cli/settings/unauthenticated.ts';
import type { DocumentOf } from '../../contract/fields/documents.ts';
import { CliError, stepOf } from '../../errors.ts';
import { isLoopback } from '../../http/address.ts';
import { describeAuthorities, findAuthoritiesProblem } from '../../http/authorities.ts';
import { readProxies } from '../../http/proxy.ts';
import type { HttpResponse } from '../../http/send.ts';
import {
  isUnknownAuthority,
  TransportError,
  wantsClientCertificate,
} from '../../http/transport-error.ts';
import { asObject, asText } from '../../json/values.ts';
import { formatDay, judgeExpiry } from '../../sign-in/expiry.ts';
import { findLink } from '../../store/link-file.ts';
import type { Machine } from '../../store/machine.ts';
import { describeSystemError } from '../../store/problem.ts';
import { writeDurably } from '../../store/write.ts';
import { plural } from '../../terminal/numbers.ts';
import { completionOf } from '../completion.ts';

/** What a check found: good is as it should be, a note is worth knowing, and bad needs fixing. */
export type Check = DocumentOf<'doctor'>['checks'][number];
type Finding = Omit<Check, 'name'>;

type Seen = { expiresAt?: string | undefined };

/** An error it throws becomes a bad finding. */
type Probe = (context: Context, seen: Seen) => Promise<Finding> | Finding;

const good = (found: string): Finding => ({ state: 'good', found, fix: null });
const note = (found: string, fix: string | null = null): Finding => ({ state: 'note', found, fix });
const bad = (found: string, fix: string | null): Finding => ({ state: 'bad', found, fix });

function checkAddress({ settings }: Needs<'settings'>): Finding {
  const address = settings.findApiUrl();
  if (address === undefined) {
    return bad('svc does not know your platform yet.', 'svc login --api-url <address>');
  }
  const { hostname, protocol } = new URL(address.value);
  const found = `${address.value} (${address.where})`;
  if (protocol !== 'http:' || isLoopback(hostname)) return good(found);
  return note(found, 'use https: a token over plain http can be read on the way');
}

const TIMEOUT_MS = 10_000;

/** Whether the API answers at all (DNS, TCP, TLS, HTTP), and how far the clocks differ. */
async function checkReachable({
  api,
  settings,
  time,
  env,
}: Needs<'api' | 'settings' | 'time' | 'env'>): Promise<Finding> {
  const address = settings.findApiUrl();
  if (address === undefined) return note('not checked without an address');
  const startedAt = time.clock.monotonic();
  const url = new URL(`${address.value}/v1/user`);
  try {
    const response = await api.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      connectTimeoutMs: TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
      signal: time.signal,
    });
    for await (const _ of response.body) break;
    const meant = response.status === 404 ? findAddressWithoutVersion(url) : undefined;
    if (meant !== undefined) {
      const fix = `use ${meant} as the address`;
      return bad(explainDoubledVersion(url, meant).message, fix);
    }
    const tookMs = Math.round(time.clock.monotonic() - startedAt);
    const finding = judge(response, tookMs, time.clock.now());
    return addAuthoritiesFault(finding, env['NODE_EXTRA_CA_CERTS']);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return bad(error.message, findFix(error, address.value, env['NODE_EXTRA_CA_CERTS']));
  }
}

function findFix(error: TransportError, address: string, authorities: string | undefined) {
  if (error.kind !== 'tls') return FIXES[error.kind];
  if (wantsClientCertificate(error)) return NO_CLIENT_CERTIFICATE;
  if (!isUnknownAuthority(error)) return null;
  return describeAuthorities(authorities, new URL(address).host) ?? TRUST_AUTHORITY;
}

/** A broken file of authorities is worth knowing even if the platform needs none. */
function addAuthoritiesFault(finding: Finding, file: string | undefined): Finding {
  const fault = file ? findAuthoritiesProblem(file) : undefined;
  if (fault === undefined || finding.state === 'bad') return finding;
  return note(`${finding.found}; ${fault}`, finding.fix);
}

const FIXES: Readonly<Record<Exclude<TransportError['kind'], 'tls'>, string>> = {
  not_sent: 'check the address, the network and its name server',
  reset: 'check that the address is that of the platform',
  timeout: 'try again; check firewalls and proxies',
  proxy: 'check HTTPS_PROXY and its user name and password',
};

/** With a larger clock difference, expiry dates are misread. */
const TOLERATED_SKEW_SECONDS = 300;

/** Judges the connection alone: a 401 is good here. */
function judge(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  tookMs: number,
  nowMs: number,
): Finding {
  if (!/\bjson\b/i.test(headers['content-type'] ?? '')) {
    const fix =
      status >= 500
        ? 'wait: the platform may be down'
        : 'the address of the API; something else answers here';
    return bad(`answers with ${describeContent(headers)} (${status}), not as the API does`, fix);
  }
  // NaN without a date.
  const skewSeconds = Math.round((nowMs - Date.parse(headers['date'] ?? '')) / 1000);
  const found = `answers in ${tookMs} ms`;
  if (!(Math.abs(skewSeconds) > TOLERATED_SKEW_SECONDS)) return good(found);
  const direction = skewSeconds > 0 ? 'ahead' : 'behind';
  return note(
    `${found}; this clock is ${Math.abs(skewSeconds)} s ${direction}`,
    'set the clock of this machine',
  );
}

async function checkSignInWorks(
  { api, settings }: Needs<'api' | 'settings'>,
  seen: Seen,
): Promise<Finding> {
  const address = settings.findApiUrl();
  const credential = settings.credential();
  // Without an address, checkAddress already suggests a login.
  if (credential === undefined) {
    return bad('Not signed in.', address === undefined ? null : signInCommand(settings));
  }
  if (address === undefined) return note(`not checked (${credential.source})`);
  const { value } = await getUser(await api.client());
  const { slug, name, id } = asObject(value.organization);
  seen.expiresAt = asText(asObject(value.token).expiresAt);
  const account = asText(asObject(value.user).email) ?? 'accepted';
  const org = asText(slug) ?? asText(name) ?? asText(id);
  const chosen = settings.org();
  const where = chosen === undefined ? '' : `, chosen by ${chosen.where}`;
  return good(`${account}${org === undefined ? '' : `, in ${org}${where}`} (${credential.source})`);
}

function checkToken({ settings, time }: Needs<'settings' | 'time'>, { expiresAt }: Seen): Finding {
  const credential = settings.credential();
  if (credential === undefined) return note('none');
  const expiry = judgeExpiry(expiresAt ?? credential.record?.expiresAt, time.clock.now());
  if (expiry === undefined) return note('expiry not known');
  const { at, daysLeft, isPast, isSoon } = expiry;
  if (isPast) return bad(`expired on ${formatDay(at)}`, signInCommand(settings));
  const found = `${plural(daysLeft, 'day')} left, until ${formatDay(at)}`;
  return isSoon
    ? note(found, credential.record === undefined ? null : signInCommand(settings))
    : good(found);
}

const OTHER_FOLDER = 'Set SVC_CONFIG_DIR to another folder, or use SVC_TOKEN.';

function checkFolder(context: Needs<'store'>): Finding {
  const folder = context.store.configFolder();
  const { unmerged, warnings } = readSignIns(context);
  const problem = writeProblem(folder, context.store.machine);
  if (problem !== undefined) return note(`${folder} cannot be written: ${problem}`, OTHER_FOLDER);
  if (warnings.length > 0) return note(warnings.join(' '));
  if (unmerged > 0) {
    return note(`${unmerged} sign-in waits to be merged`, 'svc profiles use <name>');
  }
  return good(folder);
}

function readSignIns({ store }: Needs<'store'>): ReturnType<KeptFiles['signIns']> {
  try {
    return store.signIns();
  } catch (error) {
    throw error instanceof CliError && error.details.hint === undefined
      ? error.with({ hint: OTHER_FOLDER })
      : error;
  }
}

function checkLink(context: Needs<'store' | 'env' | 'program'>): Finding {
  const { link, ignored } = findLink(context.program.cwd(), {
    machine: context.store.machine,
    env: context.env,
  });
  if (ignored.length > 0) return note(ignored.join(' '), 'svc link <service>');
  if (link === undefined) return good('none (create one with svc link <service>)');
  return good(`${link.path}: ${link.service ?? 'no service'}`);
}

/** Shows only the host of the proxy, because its address may contain a password. */
function checkProxy({ settings, env }: Needs<'settings' | 'env'>): Finding {
  const address = settings.findApiUrl();
  const proxy = address && readProxies(env)(new URL(address.value));
  return good(proxy?.host ?? 'none');
}

function checkCompletion(context: Needs<'store' | 'env' | 'program'>): Finding {
  const completion = completionOf(context);
  if (completion === undefined) return note('svc could not tell which shell you use');
  const { path, shell } = completion;
  return existsSync(path)
    ? good(path)
    : note(`not installed for ${shell}`, `svc completion install ${shell}`);
}

/**
 * Writes a small file, because a full disk shows in no other way. Returns why that fails; undefined
 * if it works.
 */
function writeProblem(folder: string, machine: Machine): string | undefined {
  if (!existsSync(folder) && dirname(folder) !== folder) {
    return writeProblem(dirname(folder), machine);
  }
  const probe = join(folder, `.svc-doctor-${machine.pid}`);
  try {
    writeDurably(probe, 'svc doctor\n');
    rmSync(probe);
    return undefined;
  } catch (error) {
    return describeSystemError(error);
  }
}

/** A fault that breaks several is reported by the first. */
const PROBES: ReadonlyArray<readonly [name: string, probe: Probe]> = [
  ['files', checkFolder],
  ['address', checkAddress],
  ['proxy', checkProxy],
  ['network', checkReachable],
  ['sign-in', checkSignInWorks],
  ['token', checkToken],
  ['folder link', checkLink],
  ['completion', checkCompletion],
];

/** Runs all checks. */
export async function runChecks(context: Context): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const seen: Seen = {};
  for (const [name, probe] of PROBES) {
    context.time.signal.throwIfAborted();
    const broken = checks.filter(({ state }) => state === 'bad');
    const needed =
      name === 'sign-in' ? broken.find((check) => check.name === 'network') : undefined;
    const finding = needed ?? (await safely(probe, context, seen));
    const cause = broken.find(({ found }) => found === finding.found);
    checks.push({
      name,
      ...(cause === undefined ? finding : note(`not checked; see ${cause.name}`)),
    });
  }
  return checks;
}

async function safely(probe: Probe, context: Context, seen: Seen): Promise<Finding> {
  try {
    return await probe(context, seen);
  } catch (thrown) {
    const { message, details } = asCliError(thrown);
    const { say, run } = stepOf(details.hint);
    const fix = run[0] ?? say ?? null;
    return bad(message, fix === 'svc doctor' ? null : fix);
  }
}
