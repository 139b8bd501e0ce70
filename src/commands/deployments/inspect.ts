import { createOtherIdWarning } from '../../api/read-answer.ts';
import { defineCommand, readAnswer } from '../../cli/define/define.ts';
import { findServiceOfDeployment } from '../../cli/define/name-cache.ts';
import { parseIdentifier } from '../../cli/values/names.ts';
import { flag, required, SERVICE_OPTION } from '../../cli/values/parameters.ts';
import { DEPLOYMENT, DEPLOYMENT_LOOKUP } from '../../contract/fields/operations.ts';
import { asObject, asText, createFieldReaders, unreadFields } from '../../json/values.ts';
import { date, state } from '../../terminal/screen.ts';
import { findLive, type Live } from '../shared/live.ts';
import { describeService, toKnownService } from '../shared/names.ts';
import { planWait, waitOptions } from '../shared/wait.ts';
import { findDeploymentFailure, lookAtDeployment, waitForDeployment } from './look.ts';

export default defineCommand({
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
    ...waitOptions('wait until its status is final'),
    failIfNotLive: flag('fail (exit 9) if it is not live'),
  },
  tool: {
    title: 'A deployment',
    description:
      'Whether a deployment is live, its status, its commit, and why it failed. status has the id of the last one seen. About 200 tokens.',
    arguments: {
      deploymentId: { name: 'deployment', description: 'id of the deployment' },
      service: 'id of its service; default: the one that a person chose',
      wait: 'wait until its status is final',
      waitTimeout: { type: 'seconds', description: 'wait at most so long; default: 600' },
    },
  },
  examples: [
    ['svc deployments inspect dep_9m4kx7q2tz', 'one deployment of the linked service'],
    [
      'svc deployments inspect dep_9m4kx7q2tz --wait --fail-if-not-live',
      'the end of a release, for a script',
    ],
  ],
  exitCodes: [
    [9, 'the deployment failed (--wait), or it is not live (--fail-if-not-live)'],
    [10, 'it is still under way: --wait gave up, or --fail-if-not-live came too early'],
    [12, 'nothing in the answer says whether it is live (--fail-if-not-live)'],
  ],

  async run(context, { deploymentId: id, service: givenService, failIfNotLive, ...wait }) {
    const { assume, globals, settings } = context;
    const service = settings.serviceId(givenService ?? findServiceOfDeployment(context, id));
    const place = { service, id };
    const { waits, client, seconds } = await planWait(context, wait);
    const look = waits
      ? await waitForDeployment(context, client, place, seconds)
      : await lookAtDeployment(client, place, assume);

    const { answer, otherId } = look;
    const failure =
      waits || failIfNotLive
        ? findDeploymentFailure(place, failIfNotLive, look, globals)
        : undefined;
    const { serviceName, serviceId } = asObject(answer.value.deployment);
    const titleId = asText(serviceId);
    const title =
      titleId === undefined
        ? asText(serviceName)
        : describeService(context, answer.value.deployment, titleId);
    const isOtherShown = otherId !== undefined && failure === undefined;
    return {
      ...readAnswer(answer, (value) => ({
        answer: value,
        id,
        live: findLive(value, id, assume),
        title,
      })),
      failure,
      warnings: isOtherShown ? [createOtherIdWarning(id, otherId)] : [],
      namesToCache: toKnownService(answer.value.deployment, service),
    };
  },

  human(screen, { answer, id, live, title }) {
    const deployment = asObject(answer.deployment);
    const { createdAt, startedAt, finishedAt } = deployment;
    const status = asText(deployment.status);
    const place = title === undefined ? '' : ` of ${title}`;
    screen.heading(`Deployment ${asText(deployment.id) ?? id}${place}`);
    screen.fields([
      ['Live', live?.isLive ? { text: 'yes', tone: 'good' } : describeLive(live)],
      ['Status', status && state(status)],
      ['Created', toDate(createdAt)],
      ['Started', toDate(startedAt)],
      ['Finished', toDate(finishedAt)],
    ]);

    const indicator = live === undefined ? {} : { [live.field]: () => true };
    screen.unknownFields(
      unreadFields(deployment, {
        ...createFieldReaders(DEPLOYMENT),
        ...(live?.isInside && indicator),
      }),
    );
    screen.unknownFields(
      unreadFields(answer, {
        ...createFieldReaders(DEPLOYMENT_LOOKUP),
        ...(live?.isInside === false && indicator),
      }),
    );
  },

  batch: {
    of: 'deploymentId',
    checks: ['failIfNotLive'],
    row: {
      head: ['Live', 'Status', 'Created', 'Finished'],
      cells({ answer, live }) {
        const { status, createdAt, finishedAt } = asObject(answer.deployment);
        return [describeLive(live), asText(status), toDate(createdAt), toDate(finishedAt)];
      },
    },
  },
});

function describeLive(live: Live | undefined) {
  if (live === undefined) return 'not known';
  return live.isLive ? 'yes' : 'no';
}

function toDate(value: unknown) {
  return asText(value) === undefined ? undefined : date(value);
}
