import { wordsOf } from '../../metrics/words.ts';
import type { Assume } from '../../spec/assumptions.ts';
import { asObject, asText, asYesOrNo, type JsonObject } from '../../spec/read.ts';
import type { DeploymentLookup } from '../../spec/types.ts';

/** What an answer says of whether its deployment is live. */
export interface Live {
  readonly isLive: boolean;
  /** The field that says so. */
  readonly field: string;
  /** Whether the field stands in `deployment`, or beside it. */
  readonly isInside: boolean;
}

/** Words that mean it, the plainest first. */
const MEANINGS = ['live', 'active', 'current'];

/** Words that change nothing about what a name with one of those means. */
const FILLERS: ReadonlySet<string> = new Set(['is', 'status', 'deployment', 'id']);

/**
 * Reads the live indicator, whose name the document does not show: the assumed field, else one whose name means it, beside
 * the deployment or in it. Other names are never taken. `undefined` where nothing says yes or no.
 */
export function findLive(answer: DeploymentLookup, id: string, assume: Assume): Live | undefined {
  const deployment = asObject(answer.deployment);
  const ids = [id, asText(deployment['id'])];
  const assumed = assume('deployment.live');
  const places: [object: JsonObject, isInside: boolean][] = [
    [answer, false],
    [deployment, true],
  ];
  const found = places.flatMap(([object, isInside]) =>
    Object.entries(object).flatMap(([field, value]) => {
      const rank = assumed === '' ? MEANINGS.indexOf(meaningOf(field) ?? '') : field === assumed ? 0 : -1;
      const isLive = rank < 0 ? undefined : readLive(field, value, ids);
      return isLive === undefined ? [] : [{ isLive, field, isInside, rank }];
    }),
  );
  return found.sort((one, other) => one.rank - other.rank)[0];
}

/** The word of a name such as `isLive`, `live_status` or `currentDeploymentId`; nothing for `activeUsers`. */
function meaningOf(field: string): string | undefined {
  const [word, ...others] = wordsOf(field).filter((name) => !FILLERS.has(name));
  return others.length === 0 ? word : undefined;
}

/** Yes or no, or the id of the deployment that is live, alone or in an object. */
function readLive(field: string, value: unknown, ids: readonly (string | undefined)[]): boolean | undefined {
  const said = asYesOrNo(value);
  if (said !== undefined) return said;
  const named = asText(asObject(value)['id']) ?? (typeof value === 'string' ? asText(value) : undefined);
  if (named === undefined) return undefined;
  if (ids.includes(named)) return true;
  const isId = typeof value !== 'string' || /id$/i.test(field);
  return isId ? false : undefined;
}
