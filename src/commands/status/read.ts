import type { CliError } from '../../errors.ts';
import { instantText } from '../../json/instant.ts';
import { asArray, asBoolean, asObject, asText, isObject } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { namesSeen } from '../../kit/known.ts';
import { asCliError } from '../../kit/report.ts';
import { toIso } from '../../kit/values/time.ts';
import { readHistory } from '../../metrics/history.ts';
import { latestOf, slotsOf, spanOf, statisticsOf } from '../../metrics/series.ts';
import type { Answer, Client } from '../../service/call.ts';
import { getDeployment, getMetricsHistory } from '../../service/operations.ts';
import { expiryOf } from '../../sign-in/expiry.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';
import type { Autopay, UserLookup } from '../../spec/types.ts';
import { rangeOf } from '../metrics/request.ts';
import { findLive } from '../shared/live.ts';
import { findOrganization } from '../shared/membership.ts';

/** The document of svc status. A part that could not be read is null or empty, and is listed in `missing`. */
export type Status = DocumentOf<'status'>;

/** Reads the answer of operation 11, or nothing if there is none. */
export function readAccount({ settings, clock }: Context, answer: Answer<UserLookup> | undefined) {
  const { user, organization: active, token, organizations: all } = answer?.value ?? {};
  const credential = settings.credential();
  const organizations = asArray(all).filter(isObject);
  const person = asObject(user);
  const own = asObject(active);
  const inUse = asObject(token);
  const [id, slug] = [asText(own.id), asText(own.slug)];
  const listed = findOrganization(organizations, id ?? slug ?? '');
  const expiresAt = instantText(inUse.expiresAt) ?? credential?.record?.expiresAt;
  const expiry = expiryOf({ expiresAt }, clock.now());
  const daysLeft = expiry?.daysLeft ?? null;
  return {
    organizations,
    expiry,
    account: answer === undefined ? null : textFieldsOf(person, ['email', 'name']),
    organization: answer === undefined ? null : textFieldsOf({ ...listed, ...own }, ['id', 'slug', 'name', 'role']),
    token: { source: credential?.source ?? 'none', expiresAt: expiresAt ?? null, daysLeft },
  };
}

/** Reads the answer of operation 12. */
export function readRenewals({ enabled, phoneMasked }: Autopay) {
  return { automatic: asBoolean(enabled) ?? null, phone: asText(phoneMasked) ?? null };
}

const MAX_SERIES = 8;
const SPARK_SLOTS = 60;

/** Reads the last hour of a service; leaves out a series without a value. */
export async function readLastHour({ assume, clock }: Context, client: Client, service: string) {
  const hour = rangeOf({}, clock.now());
  const { value } = await getMetricsHistory(client, assume, service, hour);
  const asked = { startMs: Date.parse(hour.start), endMs: Date.parse(hour.end), stepMs: hour.stepSeconds * 1000 };
  const { series } = readHistory(value, assume('metrics.points'));
  return series.slice(0, MAX_SERIES).flatMap((one) => {
    const latest = latestOf(one, asked);
    const points = slotsOf(one, SPARK_SLOTS, spanOf(one.times, asked));
    const { name, unit } = one;
    const figures = statisticsOf(one.values);
    const range = figures && ([figures.min, figures.max] as const);
    if (latest === undefined) return [];
    return [{ row: { name, unit, points, range, last: latest.value }, at: toIso(latest.time) }];
  });
}

/** Deployments that were seen without their service may belong to another; each costs a request. */
const MAX_DEPLOYMENTS = 3;

/**
 * Looks up the deployments of a service that this machine has seen; the latest that the platform knows counts.
 * @throws CliError if none was found, and not because there is none
 */
export async function readLatestDeployment(context: Context, client: Client, service: string) {
  const seen = namesSeen(context, 'deployments').filter(({ about = service }) => about === service);
  const known = seen.slice(0, MAX_DEPLOYMENTS);
  const looks = await Promise.all(known.map(({ name }) => attempt(() => getDeployment(client, service, name))));
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
  return { id: name, status, createdAt: instantText(deployment.createdAt) ?? null, live };
}

/** Resolves with what the work returns, or with the error that it throws. */
export async function attempt<T>(work: () => Promise<T>): Promise<{ value?: T; error?: CliError }> {
  return work().then(
    (value) => ({ value }),
    (error: unknown) => ({ error: asCliError(error) }),
  );
}

/** Returns fields of an object as texts, null if they are none. */
function textFieldsOf<T extends object, Name extends keyof T & string>(object: T, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, asText(object[name]) ?? null])) as Record<Name, string | null>;
}
