import { getDeployment } from '../../api/operations.ts';
import { defineCommand } from '../../command/define.ts';
import { required } from '../../command/parameters.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { readAnswer } from '../../command/result.ts';
import { date, state } from '../../io/screen.ts';
import { asObject, asText, objectOrNothing, unreadFields } from '../../spec/read.ts';
import type { DeploymentLookup } from '../../spec/types.ts';
import { SERVICE_OPTION } from '../shared/service-option.ts';
import { findLive, type Live } from './live.ts';

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
