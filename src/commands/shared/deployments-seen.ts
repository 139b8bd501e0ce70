import type { CliError } from '../../errors.ts';
import { instantText } from '../../json/instant.ts';
import { asObject, asText } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { namesSeen } from '../../kit/known.ts';
import { asCliError } from '../../kit/report.ts';
import type { Client } from '../../service/call.ts';
import { getDeployment } from '../../service/operations.ts';
import type { Deployment } from '../../spec/types.ts';
import { findLive } from './live.ts';

/** Deployments that were seen without their service may belong to another; each costs a request. */
const MAX_DEPLOYMENTS = 3;

/** A deployment as the platform tells it now. */
export interface SeenDeployment {
  readonly id: string;
  readonly status: string | null;
  readonly createdAt: string | null;
  /** Null if the answer does not say. */
  readonly live: boolean | null;
}

/**
 * Looks up the deployments of a service that this machine has seen, the latest first.
 * @throws CliError if none was found, and not because there is none
 */
export async function deploymentsSeen(
  context: Context,
  client: Client,
  service: string,
): Promise<readonly SeenDeployment[]> {
  const seen = namesSeen(context, 'deployments').filter(({ about = service }) => about === service);
  const known = seen.slice(0, MAX_DEPLOYMENTS);
  const looks = await Promise.all(known.map(({ name }) => attempt(() => getDeployment(client, service, name))));
  const found = looks.flatMap(({ value }, index): SeenDeployment[] => {
    if (value === undefined) return [];
    const deployment: Deployment = asObject(value.value.deployment);
    const { id, status } = textFieldsOf(deployment, ['id', 'status']);
    const name = id ?? known[index]?.name ?? '';
    const live = findLive(value.value, name, context.api.assume)?.isLive ?? null;
    return [{ id: name, status, createdAt: instantText(deployment.createdAt) ?? null, live }];
  });
  const failed = looks.find(({ error }) => error !== undefined && error.code !== 'not_found');
  if (found.length === 0 && failed !== undefined) throw failed.error;
  return found;
}

type Attempt<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: CliError };

/** Resolves with what the work returns, or with the error that it throws. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  return work().then(
    (value) => ({ value }),
    (error: unknown) => ({ error: asCliError(error) }),
  );
}

/** Returns fields of an object as texts, null if they are none. */
export function textFieldsOf<T extends object, Name extends keyof T & string>(object: T, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, asText(object[name]) ?? null])) as Record<Name, string | null>;
}
