import { getDeployment } from '../../api/services.ts';
import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { type Result, readAnswer } from '../../command/result.ts';
import { date, type Screen, state } from '../../io/screen.ts';
import { asObject, asText, objectOrNothing, unreadFields } from '../../spec/read.ts';
import type { DeploymentLookup } from '../../spec/types.ts';
import { SERVICE_OPTION } from '../shared/service-option.ts';
import { findLive, type Live } from './live.ts';

export interface InspectOptions {
  readonly deploymentId: string;
  /** The service's id. */
  readonly service?: string;
}

interface Inspected {
  readonly answer: DeploymentLookup;
  readonly id: string;
  /** Whether it is live; absent where the answer does not say so. */
  readonly live: Live | undefined;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('inspect')
    .description('Show a deployment and whether it is live')
    .argument('<deploymentId>', 'id of the deployment')
    .option(...SERVICE_OPTION);
  attach(command, {
    run,
    human,
    examples: [
      ['svc deployments inspect dep_9m4kx7q2tz', 'one deployment of the linked service'],
      ['svc deployments inspect dep_6r1zb3kfxd --service svc_app_3n8v5tzd', 'a deployment of another service'],
    ],
  });
}

export async function run(context: Context, options: InspectOptions): Promise<Result<Inspected>> {
  const service = context.settings.serviceId(options.service);
  const id = parseIdentifier(options.deploymentId, 'The deployment id');
  const answer = await getDeployment(await context.api.client(), service, id, context.io.stream);
  return readAnswer(answer, (value) => ({ answer: value, id, live: findLive(value, id, context.api.assume) }));
}

export function human(screen: Screen, { answer, id, live }: Inspected): void {
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
}

const DATES = ['createdAt', 'startedAt', 'finishedAt'];
const DATE_READERS = Object.fromEntries(DATES.map((name) => [name, asText]));

function labelOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1, -2);
}

function dated(value: unknown) {
  return asText(value) === undefined ? undefined : date(value);
}
