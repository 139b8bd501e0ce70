import type { Assume } from '../../contract/assumptions.ts';
import type { DeploymentLookup } from '../../contract/operations.ts';
import { asObject, asText, asYesOrNo } from '../../json/values.ts';
import { splitName } from '../../split-name.ts';

/** The field that says whether a deployment is live. */
export interface Live {
  readonly isLive: boolean;
  readonly field: string;
  /** Whether the field is in the deployment, and not beside it. */
  readonly isInside: boolean;
}

/** Words that mean live, the clearest first. */
const MEANINGS = ['live', 'active', 'current'];

/** Words that may stand beside one of those in a name. */
const FILLERS: ReadonlySet<string> = new Set(['is', 'status', 'deployment', 'id']);

/**
 * Finds the live indicator, whose name the API document does not show: the assumed field, else one
 * whose name means live, beside the deployment or in it. Returns undefined if no such field says
 * yes or no, or if two that are as clear contradict each other.
 */
export function findLive(answer: DeploymentLookup, id: string, assume: Assume): Live | undefined {
  const deployment = asObject(answer.deployment);
  const ids = [id, asText(deployment['id'])];
  const assumed = assume('deployment.live');
  const names = assumed === '' ? MEANINGS : [assumed];

  const indicators = [answer, deployment].flatMap((object) =>
    Object.entries(object).flatMap(([field, value]) => {
      const rank = names.indexOf(assumed === '' ? getMeaning(field) : field);
      const isLive = rank < 0 ? undefined : readLive(field, value, ids);
      return isLive === undefined ? [] : [{ isLive, field, isInside: object === deployment, rank }];
    }),
  );
  const [first, ...others] = indicators.sort((one, other) => one.rank - other.rank);
  const isContradicted = others.some(
    ({ rank, isLive }) => rank === first?.rank && isLive !== first.isLive,
  );
  return isContradicted ? undefined : first;
}

/** Returns the word of `isLive`, `live_status` or `currentDeploymentId`; none of `activeUsers`. */
function getMeaning(field: string) {
  return splitName(field)
    .filter((word) => !FILLERS.has(word))
    .join(' ');
}

/** Reads yes or no, or the id of the live deployment, alone or in an object. */
function readLive(field: string, value: unknown, ids: readonly (string | undefined)[]) {
  const answer = asYesOrNo(value);
  if (answer !== undefined) return answer;

  const text = typeof value === 'string' ? asText(value) : undefined;
  const liveId = asText(asObject(value)['id']) ?? text;
  if (liveId === undefined) return undefined;
  if (ids.includes(liveId)) return true;
  const isId = text === undefined || /id$/i.test(field);
  return isId ? false : undefined;
}
