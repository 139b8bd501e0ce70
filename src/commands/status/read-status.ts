import { type Answer, type Client, getDeployment, getMetricsHistory } from '../../api/call.ts';
import { readPlatformTime } from '../../api/retry.ts';
import type { Needs } from '../../cli/define/context.ts';
import { getCachedNames } from '../../cli/define/name-cache.ts';
import { asCliError } from '../../cli/define/report.ts';
import { describeVariableRenewal } from '../../cli/settings/unauthenticated.ts';
import { toIso } from '../../cli/values/time.ts';
import type { Autopay, UserLookup } from '../../contract/operations.ts';
import type { CliError } from '../../errors.ts';
import {
  asArray,
  asBoolean,
  asObject,
  asText,
  isObject,
  toInstantText,
} from '../../json/values.ts';
import { readHistory } from '../../metrics/history.ts';
import { findLatest } from '../../metrics/series.ts';
import { findExpiry, judgeExpiry } from '../../sign-in/expiry.ts';
import { createRow } from '../metrics/show.ts';
import { readRange } from '../metrics/usage.ts';
import { findLive } from '../shared/live.ts';
import { findOrganization } from '../shared/membership.ts';

/** Reads the account, its organization and its token; null where the platform did not say. */
export function readAccount(
  { settings, time }: Needs<'settings' | 'time'>,
  answer: Answer<UserLookup> | undefined,
) {
  const { user, organization: active, token, organizations: all } = answer?.value ?? {};
  const organizations = asArray(all).filter(isObject);
  const usual = asObject(active);
  const listed = findOrganization(organizations, asText(usual.id) ?? asText(usual.slug) ?? '');
  const organization = { ...listed, ...usual };
  const { email, name } = asObject(user);
  const credential = settings.credential();
  const expiresAt = findExpiry(token, credential?.record);
  const expiry = judgeExpiry(expiresAt, readPlatformTime(answer?.headers, time.clock.now()));
  return {
    organizations,
    expiry,
    tokenAdvice: describeVariableRenewal(settings),
    account: answer === undefined ? null : { email: toText(email), name: toText(name) },
    organization:
      answer === undefined
        ? null
        : {
            id: toText(organization.id),
            slug: toText(organization.slug),
            name: toText(organization.name),
            role: toText(organization.role),
          },
    token: {
      source: credential?.source ?? 'none',
      expiresAt: expiresAt ?? null,
      daysLeft: expiry?.daysLeft ?? null,
    },
  };
}

/** Reads how renewals are paid. */
export function readRenewals({ enabled, phoneMasked }: Autopay) {
  return { automatic: asBoolean(enabled) ?? null, phone: asText(phoneMasked) ?? null };
}

const MAX_SERIES = 8;
const SPARK_SLOTS = 60;

/** Reads the latest value of each series of the last hour, with its curve. */
export async function readLastHour(
  { assume, time }: Needs<'assume' | 'time'>,
  client: Client,
  service: string,
) {
  const hour = readRange({}, time.clock.now());
  const { value } = await getMetricsHistory(client, assume, service, hour);
  const { series: allSeries } = readHistory(value, assume('metrics.points'));
  return allSeries.slice(0, MAX_SERIES).flatMap((series) => {
    const latest = findLatest(series, hour);
    if (latest === undefined) return [];
    const row = createRow(series, hour, SPARK_SLOTS);
    return [{ ...row, last: latest.value, avg: undefined, p95: undefined, at: toIso(latest.time) }];
  });
}

/** Looks up the deployment of a service that this machine has seen last, if it is still there. */
export async function readLatestDeployment(
  context: Needs<'assume' | 'settings' | 'store'>,
  client: Client,
  service: string,
) {
  const latest = getCachedNames(context, 'deployments').find(({ about }) => about === service);
  if (latest === undefined) return undefined;

  const { value, error } = await attempt(() => getDeployment(client, service, latest.name));
  if (error?.code === 'not_found') return undefined;
  if (value === undefined) throw error;
  const { id, status, createdAt } = asObject(value.value.deployment);
  return {
    id: asText(id) ?? latest.name,
    status: toText(status),
    createdAt: toInstantText(createdAt) ?? null,
    live: findLive(value.value, latest.name, context.assume)?.isLive ?? null,
  };
}

/** Does a part of the work; an error is a result. */
export async function attempt<T>(work: () => Promise<T>): Promise<{ value?: T; error?: CliError }> {
  return work().then(
    (value) => ({ value }),
    (error: unknown) => ({ error: asCliError(error) }),
  );
}

/** Reads a text; null for any other value. */
function toText(value: unknown) {
  return asText(value) ?? null;
}
