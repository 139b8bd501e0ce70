import type { Answer, Client } from '../../api/call.ts';
import { getDeployment, getMetricsHistory } from '../../api/operations.ts';
import type { Needs } from '../../cli/define/context.ts';
import { getCachedNames } from '../../cli/define/name-cache.ts';
import { asCliError } from '../../cli/define/report.ts';
import { toIso } from '../../cli/values/time.ts';
import type { Autopay, UserLookup } from '../../contract/types.ts';
import type { CliError } from '../../errors.ts';
import { toInstantText } from '../../json/instant.ts';
import { asArray, asBoolean, asObject, asText, isObject } from '../../json/values.ts';
import { readHistory } from '../../metrics/history.ts';
import { areErrors } from '../../metrics/interest.ts';
import { averageSlots, findLatest, getStatistics } from '../../metrics/series.ts';
import { findExpiry, judgeExpiry } from '../../sign-in/expiry.ts';
import { readRange } from '../metrics/usage.ts';
import { findLive } from '../shared/live.ts';
import { findOrganization } from '../shared/membership.ts';

export function readAccount(
  { settings, time }: Needs<'settings' | 'time'>,
  answer: Answer<UserLookup> | undefined,
) {
  const { user, organization: active, token, organizations: all } = answer?.value ?? {};
  const credential = settings.credential();
  const organizations = asArray(all).filter(isObject);
  const own = asObject(active);
  const listed = findOrganization(organizations, asText(own.id) ?? asText(own.slug) ?? '');
  const expiresAt = findExpiry(token, credential?.record);
  const expiry = judgeExpiry(expiresAt, time.clock.now());
  const daysLeft = expiry?.daysLeft ?? null;
  return {
    organizations,
    expiry,
    account: answer === undefined ? null : textFieldsOf(asObject(user), ['email', 'name']),
    organization:
      answer === undefined
        ? null
        : textFieldsOf({ ...listed, ...own }, ['id', 'slug', 'name', 'role']),
    token: { source: credential?.source ?? 'none', expiresAt: expiresAt ?? null, daysLeft },
  };
}

export function readRenewals({ enabled, phoneMasked }: Autopay) {
  return { automatic: asBoolean(enabled) ?? null, phone: asText(phoneMasked) ?? null };
}

const MAX_SERIES = 8;
const SPARK_SLOTS = 60;

export async function readLastHour(
  { assume, time }: Needs<'assume' | 'time'>,
  client: Client,
  service: string,
) {
  const hour = readRange({}, time.clock.now());
  const { value } = await getMetricsHistory(client, assume, service, hour);
  const asked = {
    startMs: Date.parse(hour.start),
    endMs: Date.parse(hour.end),
    stepMs: hour.stepSeconds * 1000,
  };
  const { series } = readHistory(value, assume('metrics.points'));
  return series.slice(0, MAX_SERIES).flatMap((one) => {
    const latest = findLatest(one, asked);
    const figures = getStatistics(one.values);
    if (latest === undefined || figures === undefined) return [];
    const { name, unit } = one;
    const { min, max } = figures;
    const points = averageSlots(one, SPARK_SLOTS, asked);
    const row = { name, unit, points, min, max, last: latest.value, areErrors: areErrors(name) };
    return [{ row, at: toIso(latest.time) }];
  });
}

/** Deployments that were seen without their service may belong to another; each costs a request. */
const MAX_DEPLOYMENTS = 3;

/**
 * Looks up the deployments of a service that this machine has seen; the latest that the platform
 * knows counts.
 * @throws CliError if none was found, and not because there is none
 */
export async function readLatestDeployment(
  context: Needs<'assume' | 'settings' | 'store'>,
  client: Client,
  service: string,
) {
  const seen = getCachedNames(context, 'deployments').filter(
    ({ about = service }) => about === service,
  );
  const known = seen.slice(0, MAX_DEPLOYMENTS);
  const looks = await Promise.all(
    known.map(({ name }) => attempt(() => getDeployment(client, service, name))),
  );
  const at = looks.findIndex(({ value }) => value !== undefined);
  const answer = looks[at]?.value?.value;
  if (answer === undefined) {
    const failed = looks.find(({ error }) => error !== undefined && error.code !== 'not_found');
    if (failed !== undefined) throw failed.error;
    return undefined;
  }
  const deployment = asObject(answer.deployment);
  const { id, status } = textFieldsOf(deployment, ['id', 'status']);
  const name = id ?? known[at]?.name ?? '';
  const live = findLive(answer, name, context.assume)?.isLive ?? null;
  return { id: name, status, createdAt: toInstantText(deployment.createdAt) ?? null, live };
}

export async function attempt<T>(work: () => Promise<T>): Promise<{ value?: T; error?: CliError }> {
  return work().then(
    (value) => ({ value }),
    (error: unknown) => ({ error: asCliError(error) }),
  );
}

/** Null for what is no text. */
function textFieldsOf<T extends object, Name extends keyof T & string>(
  object: T,
  names: readonly Name[],
) {
  return Object.fromEntries(names.map((name) => [name, asText(object[name]) ?? null])) as Record<
    Name,
    string | null
  >;
}
