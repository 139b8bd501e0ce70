import { SERVICE_OPTION } from '../../command/ask.ts';
import { defineCommand } from '../../command/define.ts';
import { required } from '../../command/parameters.ts';
import { readAnswer } from '../../command/result.ts';
import { parseIdentifier } from '../../command/values/identifier.ts';
import { asObject, asText, asYesOrNo, type JsonObject, objectOrNothing, unreadFields } from '../../json/values.ts';
import { wordsOf } from '../../metrics/columns.ts';
import { getDeployment } from '../../service/operations.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { DeploymentLookup } from '../../spec/types.ts';
import { date, state } from '../../terminal/screen.ts';

interface Inspected {
  readonly answer: DeploymentLookup;
  readonly id: string;
  /** Whether it is live; absent where the answer does not say so. */
  readonly live: Live | undefined;
}

export default defineCommand({
  path: 'deployments inspect',
  summary: 'Show a deployment and whether it is live',
  effect: 'reads',
  args: {
    deploymentId: required('id of the deployment', {
      read: (text) => parseIdentifier(text, 'The deployment id'),
      offer: 'deployments',
    }),
  },
  options: SERVICE_OPTION,
  examples: [
    ['svc deployments inspect dep_9m4kx7q2tz', 'one deployment of the linked service'],
    ['svc deployments inspect dep_6r1zb3kfxd --service svc_app_3n8v5tzd', 'a deployment of another service'],
  ],

  async run({ io, api, settings }, { deploymentId: id, service }) {
    const serviceId = settings.serviceId(service);
    const answer = await getDeployment(await api.client(), serviceId, id, io.stream);
    return readAnswer(answer, (value): Inspected => ({ answer: value, id, live: findLive(value, id, api.assume) }));
  },

  human(screen, { answer, id, live }) {
    const deployment = asObject(answer.deployment);
    const status = asText(deployment['status']);
    screen.heading(`Deployment ${asText(deployment['id']) ?? id}`);
    screen.fields([
      ['Live', live === undefined ? 'not known' : live.isLive ? { text: 'yes', tone: 'good' } : 'no'],
      ['Status', status === undefined ? undefined : state(status)],
      ...DATES.map((name) => [labelOf(name), dated(deployment[name])] as const),
    ]);
    const read = live === undefined ? {} : { [live.field]: () => true };
    screen.rest(unreadFields(deployment, { id: asText, status: asText, ...DATE_READERS, ...(live?.isInside && read) }));
    screen.rest(unreadFields(answer, { deployment: objectOrNothing, ...(live?.isInside === false && read) }));
  },
});

const DATES = ['createdAt', 'startedAt', 'finishedAt'];
const DATE_READERS = Object.fromEntries(DATES.map((name) => [name, asText]));

function labelOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1, -2);
}

function dated(value: unknown) {
  return asText(value) === undefined ? undefined : date(value);
}

/** What an answer says of whether its deployment is live. */
interface Live {
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
function findLive(answer: DeploymentLookup, id: string, assume: Assume): Live | undefined {
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
