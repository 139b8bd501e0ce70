import { getDeployment } from '../../api/services.ts';
import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { type Result, readAnswer } from '../../command/result.ts';
import { date, type Screen, state } from '../../io/screen.ts';
import type { Assume } from '../../spec/assumptions.ts';
import { asBoolean, asObject, asText, objectOrNothing, unreadFields } from '../../spec/read.ts';
import type { DeploymentLookup } from '../../spec/types.ts';
import { SERVICE_OPTION } from '../shared/service-option.ts';

export interface InspectOptions {
  readonly deploymentId: string;
  /** The service's id. */
  readonly service?: string;
}

interface Inspected {
  readonly answer: DeploymentLookup;
  readonly id: string;
  /** The field that says whether the deployment is live, and what it says. */
  readonly live: readonly [field: string, live: boolean] | undefined;
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
  const service = context.service(options.service);
  const id = parseIdentifier(options.deploymentId, 'The deployment id');
  const answer = await getDeployment(await context.client(), service, id, context.stream);
  return readAnswer(answer, (value) => ({ answer: value, id, live: liveIndicator(value, context.assume) }));
}

export function human(screen: Screen, { answer, id, live }: Inspected): void {
  const deployment = asObject(answer.deployment);
  const status = asText(deployment['status']);
  screen.heading(`Deployment ${asText(deployment['id']) ?? id}`);
  screen.fields([
    ['Live', live && (live[1] ? { text: 'yes', tone: 'good' } : 'no')],
    ['Status', status === undefined ? undefined : state(status)],
    ...DATES.map((name) => [labelOf(name), dated(deployment[name])] as const),
  ]);
  screen.rest(unreadFields(deployment, { id: asText, status: asText, ...DATE_READERS }));
  screen.rest(unreadFields(answer, { deployment: objectOrNothing, ...(live && { [live[0]]: asBoolean }) }));
}

const DATES = ['createdAt', 'startedAt', 'finishedAt'];
const DATE_READERS = Object.fromEntries(DATES.map((name) => [name, asText]));

function labelOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1, -2);
}

function dated(value: unknown) {
  return asText(value) === undefined ? undefined : date(value);
}

/** The indicator's name is not documented: the assumed one, else the one boolean beside the deployment. */
function liveIndicator(answer: DeploymentLookup, assume: Assume): Inspected['live'] {
  const named = assume('deployment.live');
  if (named !== '') {
    const live = asBoolean(answer[named]);
    return live === undefined ? undefined : [named, live];
  }
  const booleans = Object.entries(answer).filter(([, value]) => typeof value === 'boolean');
  const [only] = booleans;
  return only && booleans.length === 1 ? [only[0], only[1] === true] : undefined;
}
