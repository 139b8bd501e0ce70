import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getUser } from '../../api/call.ts';
import { readPlatformTime } from '../../api/retry.ts';
import type { Context, Needs } from '../../cli/define/context.ts';
import { asCliError } from '../../cli/define/report.ts';
import { describeVariableRenewal, signInCommand } from '../../cli/settings/unauthenticated.ts';
import type { DocumentOf } from '../../contract/fields/documents.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { CliError, toNextStep } from '../../errors.ts';
import { isLoopback, readProxies } from '../../http/address.ts';
import { findAuthoritiesProblem } from '../../http/authorities.ts';
import { TransportError } from '../../http/send.ts';
import { asObject, asText } from '../../json/values.ts';
import { formatDay, judgeExpiry } from '../../sign-in/expiry.ts';
import { findLink } from '../../store/link-file.ts';
import { describeSystemError } from '../../store/problem.ts';
import { writeDurably } from '../../store/write.ts';
import { formatDuration, plural } from '../../terminal/format.ts';
import { findCompletion } from '../completion.ts';

/** A check with its finding: good is as it should be, a note is worth knowing, bad needs fixing. */
type Check = DocumentOf<'doctor'>['checks'][number];

type Finding = Omit<Check, 'name'>;

/** Facts that a check learns for those after it. */
interface Findings {
  expiresAt?: string | undefined;
  /** The time by the clock of the platform, if it differs from that of this machine. */
  platformNowMs?: number;
}

const good = (found: string): Finding => ({ state: 'good', found, fix: null });
const note = (found: string, fix: string | null = null): Finding => ({ state: 'note', found, fix });
const bad = (found: string, fix: string | null): Finding => ({ state: 'bad', found, fix });

/** The checks in their order: a fault that breaks several is reported by the first. */
const PROBES = {
  files: checkFolder,
  address: checkAddress,
  proxy: checkProxy,
  network: checkNetwork,
  'sign-in': checkSignIn,
  token: checkToken,
  'folder link': checkLink,
  completion: checkCompletion,
};

/** Runs all checks. */
export async function runChecks(context: Context): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const findings: Findings = {};
  for (const [name, probe] of Object.entries(PROBES)) {
    context.time.signal.throwIfAborted();
    const broken = checks.filter(({ state }) => state === 'bad');
    const network = broken.find((check) => check.name === 'network');
    const probed = name === 'sign-in' ? network : undefined;
    const runProbe = async () => probe(context, findings);
    const finding = probed ?? (await runProbe().catch(toBadFinding));

    const cause = broken.find(({ found }) => found === finding.found);
    const result = cause === undefined ? finding : note(`not checked; see ${cause.name}`);
    checks.push({ ...result, name });
  }
  return checks;
}

function toBadFinding(thrown: unknown) {
  const { message, details } = asCliError(thrown);
  const { hint, cause } = details;
  const { say, run } = toNextStep(hint);
  const command = run.find((line) => line !== 'svc doctor');
  const fix = cause instanceof TransportError ? NETWORK_FIXES[cause.kind] : null;
  return bad(message, command ?? say ?? fix);
}

const NETWORK_FIXES = {
  not_sent: 'check the address, the network and its name server',
  reset: 'check that the address is that of the platform',
  timeout: 'try again; check firewalls and proxies',
  proxy: 'check HTTPS_PROXY and its user name and password',
  tls: null,
};

function checkFolder({ store }: Needs<'store'>) {
  const folder = store.configFolder();
  const { unmerged, warnings } = store.signIns();
  const problem = findWriteProblem(folder, store.machine.pid);
  if (problem !== undefined) {
    const elsewhere = 'Set SVC_CONFIG_DIR to another folder, or use SVC_TOKEN.';
    return note(`${folder} cannot be written: ${problem}`, elsewhere);
  }
  if (warnings.length > 0) return note(warnings.join(' '));
  if (unmerged === 0) return good(folder);
  return note(`${unmerged} sign-in waits to be merged`, 'svc profiles use <name>');
}

/** Writes a small file, because a full disk shows in no other way. */
function findWriteProblem(folder: string, pid: number) {
  if (!existsSync(folder) && dirname(folder) !== folder) {
    return findWriteProblem(dirname(folder), pid);
  }
  const probe = join(folder, `.svc-doctor-${pid}`);
  try {
    writeDurably(probe, 'svc doctor\n');
    rmSync(probe);
    return undefined;
  } catch (error) {
    return describeSystemError(error);
  }
}

function checkAddress({ settings }: Needs<'settings'>) {
  const address = settings.findApiUrl();
  if (address === undefined) {
    return bad('svc does not know your platform yet.', 'svc login --api-url <address>');
  }
  const { hostname, protocol } = new URL(address.value);
  const found = `${address.value} (${address.where})`;
  if (protocol !== 'http:' || isLoopback(hostname)) return good(found);
  return note(found, 'use https: a token over plain http can be read on the way');
}

/** Shows only the host of the proxy, because its address may contain a password. */
function checkProxy({ settings, env }: Needs<'settings' | 'env'>) {
  const address = settings.findApiUrl();
  const proxy = address && readProxies(env)(new URL(address.value));
  return good(proxy?.host ?? 'none');
}

const NETWORK_TIMEOUT_MS = 10_000;

/** Sends no token, so the API answers with a refusal. */
async function checkNetwork({
  api,
  settings,
  time,
  env,
}: Needs<'api' | 'settings' | 'time' | 'env'>) {
  const address = settings.findApiUrl();
  if (address === undefined) return note('not checked without an address');

  const startedAtMs = time.clock.monotonic();
  const client = await api.clientFor(undefined, address, NETWORK_TIMEOUT_MS);
  const operation = { ...OPERATIONS.getUser, credentials: 'none' as const };
  await client.call({ operation }).catch((error: unknown) => {
    if (!(error instanceof CliError) || error.code !== 'unauthenticated') throw error;
  });
  const found = `answers in ${Math.round(time.clock.monotonic() - startedAtMs)} ms`;

  // A broken file of authorities is worth knowing even if the platform needs none.
  const file = env['NODE_EXTRA_CA_CERTS'];
  const problem = file && findAuthoritiesProblem(file);
  return problem ? note(`${found}; ${problem}`) : good(found);
}

async function checkSignIn(
  { api, settings, time }: Needs<'api' | 'settings' | 'time'>,
  findings: Findings,
) {
  const address = settings.findApiUrl();
  const credential = settings.credential();
  // Without an address, checkAddress already suggests a login.
  if (credential === undefined) {
    return bad('Not signed in.', address === undefined ? null : signInCommand(settings));
  }
  if (address === undefined) return note(`not checked (${credential.source})`);

  const { value, headers } = await getUser(await api.client());
  findings.expiresAt = asText(asObject(value.token).expiresAt);

  const { slug, name, id } = asObject(value.organization);
  const org = asText(slug) ?? asText(name) ?? asText(id);
  const chosen = settings.org();
  const place = org === undefined ? [] : [`in ${org}`, chosen && `chosen by ${chosen.where}`];
  const facts = [asText(asObject(value.user).email) ?? 'accepted', ...place].filter(Boolean);
  const found = `${facts.join(', ')} (${credential.source})`;

  const nowMs = time.clock.now();
  findings.platformNowMs = readPlatformTime(headers, nowMs);
  const differenceMs = nowMs - findings.platformNowMs;
  if (differenceMs === 0) return good(found);

  const direction = differenceMs > 0 ? 'ahead of' : 'behind';
  const clocks = `this clock is ${formatDuration(Math.abs(differenceMs))} ${direction} the platform's`;
  return note(`${found}; ${clocks}`, 'set the clock of this machine');
}

function checkToken(
  { settings, time }: Needs<'settings' | 'time'>,
  { expiresAt, platformNowMs = time.clock.now() }: Findings,
) {
  const credential = settings.credential();
  if (credential === undefined) return note('none');

  const expiry = judgeExpiry(expiresAt ?? credential.record?.expiresAt, platformNowMs);
  if (expiry === undefined) return note('expiry not known');
  const { at, daysLeft, isPast, isSoon } = expiry;
  const fix = describeVariableRenewal(settings) ?? signInCommand(settings);
  if (isPast) return bad(`expired on ${formatDay(at)}`, fix);

  const found = `${plural(daysLeft, 'day')} left, until ${formatDay(at)}`;
  return isSoon ? note(found, fix) : good(found);
}

function checkLink({ store, env, program }: Needs<'store' | 'env' | 'program'>) {
  const { link, ignored } = findLink(program.cwd(), { machine: store.machine, env });
  if (ignored.length > 0) return note(ignored.join(' '), 'svc link <service>');
  if (link === undefined) return good('none (create one with svc link <service>)');
  return good(`${link.path}: ${link.service ?? 'no service'}`);
}

function checkCompletion(context: Needs<'env' | 'program'>) {
  const completion = findCompletion(context);
  if (completion === undefined) return note('svc could not tell which shell you use');
  const { path, shell } = completion;
  if (existsSync(path)) return good(path);
  return note(`not installed for ${shell}`, `svc completion install ${shell}`);
}
