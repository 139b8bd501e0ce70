import type { Assume } from '../../contract/assumptions.ts';
import type { DeploymentLookup } from '../../contract/types.ts';
import { asObject, asText, asYesOrNo } from '../../json/values.ts';
import { splitName } from '../../split-name.ts';

/** See {@link findLive}. */
export type Live = NonNullable<ReturnType<typeof findLive>>;

/** Words that mean live, the clearest first. */
const MEANINGS = ['live', 'active', 'current'];

/** Words that may stand beside one of those in a name. */
const FILLERS: ReadonlySet<string> = new Set(['is', 'status', 'deployment', 'id']);

/**
 * Reads the live indicator, whose name the API document does not show: the assumed field, else one
 * whose name means live, beside the deployment or in it. Returns undefined if no such field says
 * yes or no, or if two that are as clear contradict each other.
 */
export function findLive(answer: DeploymentLookup, id: string, assume: Assume) {
  const deployment = asObject(answer.deployment);
  const ids = [id, asText(deployment['id'])];
  const assumed = assume('deployment.live');
  const found = [answer, deployment].flatMap((object) =>
    Object.entries(object).flatMap(([field, value]) => {
      const rank =
        assumed === '' ? MEANINGS.indexOf(meaningOf(field) ?? '') : [assumed].indexOf(field);
      const isLive = rank < 0 ? undefined : readLive(field, value, ids);
      return isLive === undefined ? [] : [{ isLive, field, isInside: object === deployment, rank }];
    }),
  );
  const [first, ...others] = found.sort((one, other) => one.rank - other.rank);
  return others.some(({ rank, isLive }) => rank === first?.rank && isLive !== first.isLive)
    ? undefined
    : first;
}

/** The word of `isLive`, `live_status` or `currentDeploymentId`; undefined for `activeUsers`. */
function meaningOf(field: string): string | undefined {
  const [word, ...others] = splitName(field).filter((name) => !FILLERS.has(name));
  return others.length === 0 ? word : undefined;
}

/** Yes or no, or the id of the live deployment, alone or in an object. */
function readLive(
  field: string,
  value: unknown,
  ids: readonly (string | undefined)[],
): boolean | undefined {
  const said = asYesOrNo(value);
  if (said !== undefined) return said;
  const named =
    asText(asObject(value)['id']) ?? (typeof value === 'string' ? asText(value) : undefined);
  if (named === undefined) return undefined;
  if (ids.includes(named)) return true;
  const isId = typeof value !== 'string' || /id$/i.test(field);
  return isId ? false : undefined;
}
