import { CliError } from '../../errors.ts';
import { asObject, asText, readersOf, unreadFields } from '../../json/values.ts';
import { SERVICE_OPTION } from '../../kit/ask.ts';
import { defineCommand } from '../../kit/define.ts';
import { serviceOfDeployment } from '../../kit/known.ts';
import { flag, option, required } from '../../kit/parameters.ts';
import { readAnswer } from '../../kit/result.ts';
import { parseIdentifier } from '../../kit/values/identifier.ts';
import { parseDuration } from '../../kit/values/time.ts';
import { otherThing, otherWarning } from '../../service/identity.ts';
import { getDeployment } from '../../service/operations.ts';
import { judgeDeployment } from '../../service/verdict.ts';
import { DEPLOYMENT, DEPLOYMENT_LOOKUP } from '../../spec/fields/operations.ts';
import type { DeploymentLookup } from '../../spec/types.ts';
import { date, state } from '../../terminal/screen.ts';
import { findLive, type Live } from '../shared/live.ts';
import { nameOf, serviceSeen } from '../shared/names.ts';
import { failureOfDeployment, waitForDeployment } from './inspect/wait.ts';

const WAIT_SECONDS = 600;

interface Inspected {
  readonly answer: DeploymentLookup;
  readonly id: string;
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
  options: {
    ...SERVICE_OPTION,
    wait: flag('wait until its status is final'),
    waitTimeout: option('duration', 'wait at most this long (default: 10m)', parseDuration),
    failIfNotLive: flag('fail (exit 9) if it is not live'),
  },
  each: 'deploymentId',
  tool: {
    title: 'A deployment',
    says: 'Whether a deployment is live, its status, its commit, and why it failed. status has the id of the last one seen. About 200 tokens.',
    takes: {
      deploymentId: { name: 'deployment', says: 'id of the deployment' },
      service: 'id of its service; default: the one that a person chose',
      wait: 'wait until its status is final',
      waitTimeout: { type: 'seconds', says: 'wait at most so long; default: 600' },
    },
  },
  examples: [
    ['svc deployments inspect dep_9m4kx7q2tz', 'one deployment of the linked service'],
    ['svc deployments inspect dep_6r1zb3kfxd --service svc_app_3n8v5tzd', 'a deployment of another service'],
    ['svc deployments inspect dep_9m4kx7q2tz --wait --fail-if-not-live', 'the end of a release, for a script'],
  ],
  exitCodes: [
    [9, 'the deployment failed (--wait), or it is not live (--fail-if-not-live)'],
    [10, 'it is still under way: --wait gave up, or --fail-if-not-live came too early'],
    [12, 'nothing in the answer says whether it is live (--fail-if-not-live)'],
  ],

  async run(context, { deploymentId: id, service, wait, waitTimeout, failIfNotLive }) {
    const { settings } = context;
    const serviceId = settings.serviceId(service ?? serviceOfDeployment(context, id));
    const waits = wait || waitTimeout !== undefined;
    const client = await (waits ? context.pollingClient() : context.client());
    const liveIn = (answer: DeploymentLookup) => findLive(answer, id, context.assume);
    const look = async () => {
      const answer = await getDeployment(client, serviceId, id).catch(explainMissing);
      const { value } = answer;
      const other = otherThing(asObject(value.deployment), id);
      return { answer, judgement: judgeDeployment(value, liveIn(value)?.isLive, context.assume), other };
    };
    const deployment = { id, service: serviceId, waits, failIfNotLive };
    const looked = waits
      ? await waitForDeployment(context, deployment, look, waitTimeout ?? WAIT_SECONDS)
      : await look();
    const { answer, other } = looked;
    const inspected = readAnswer(answer, (value): Inspected => ({ answer: value, id, live: liveIn(value) }));
    const failure = failureOfDeployment(deployment, looked, settings.globals);
    const seen = { deployments: [{ name: id, about: serviceId }], ...serviceSeen(answer.value.deployment, serviceId) };
    const warnings = other === undefined || failure !== undefined ? [] : [otherWarning(id, other)];
    return { ...inspected, failure, warnings, seen };
  },

  human(screen, { answer, id, live }) {
    const deployment = asObject(answer.deployment);
    const status = asText(deployment.status);
    const service = nameOf({ name: asText(deployment.serviceName), id: asText(deployment.serviceId) });
    screen.heading(`Deployment ${asText(deployment.id) ?? id}${service === undefined ? '' : ` of ${service}`}`);
    screen.fields([
      ['Live', live?.isLive ? { text: 'yes', tone: 'good' } : ((live && 'no') ?? 'not known')],
      ['Status', status === undefined ? undefined : state(status)],
      ['Created', dated(deployment.createdAt)],
      ['Started', dated(deployment.startedAt)],
      ['Finished', dated(deployment.finishedAt)],
    ]);
    const read = live === undefined ? {} : { [live.field]: () => true };
    screen.rest(unreadFields(deployment, { ...readersOf(DEPLOYMENT), ...(live?.isInside && read) }));
    screen.rest(unreadFields(answer, { ...readersOf(DEPLOYMENT_LOOKUP), ...(live?.isInside === false && read) }));
  },
});

/** Every service has deployments of its own. An answer that is not the API's keeps its hint. */
function explainMissing(error: unknown): never {
  if (!(error instanceof CliError) || error.code !== 'not_found' || error.details.service === undefined) throw error;
  throw error
    .withLines('It may belong to another service. To look there, add --service <id>.')
    .with({ hint: undefined });
}

function dated(value: unknown) {
  return asText(value) === undefined ? undefined : date(value);
}
