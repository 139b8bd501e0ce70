import type { Answer } from '../../api/call.ts';
import { aboutAnother, otherThing, otherWarning } from '../../api/identity.ts';
import { conclude, contradictionIn, unknownWord } from '../../api/judged-errors.ts';
import { getDeployment } from '../../api/operations.ts';
import { isTransientError } from '../../api/retry.ts';
import { type DeploymentJudgement, judgeDeployment } from '../../api/verdict.ts';
import { SERVICE_OPTION } from '../../cli/define/ask.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { findServiceOfDeployment } from '../../cli/define/name-cache.ts';
import { readAnswer } from '../../cli/define/result.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import { parseIdentifier } from '../../cli/values/identifier.ts';
import { flag, required } from '../../cli/values/parameters.ts';
import { DEPLOYMENT, DEPLOYMENT_LOOKUP } from '../../contract/fields/operations.ts';
import type { DeploymentLookup } from '../../contract/types.ts';
import { CliError } from '../../errors.ts';
import { asObject, asText, readersOf, unreadFields } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { date, state } from '../../terminal/screen.ts';
import { findLive, type Live } from '../shared/live.ts';
import { nameOf, serviceSeen } from '../shared/names.ts';
import { pollUntil, waitingOf, waitOptions } from '../shared/wait.ts';

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
    ...waitOptions('wait until its status is final'),
    failIfNotLive: flag('fail (exit 9) if it is not live'),
  },
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

  async run(context, { deploymentId: id, service: given, failIfNotLive, ...waiting }) {
    const { globals, settings } = context;
    const service = settings.serviceId(given ?? findServiceOfDeployment(context, id));
    const { waits, client, seconds } = await waitingOf(context, waiting);
    const liveIn = (answer: DeploymentLookup) => findLive(answer, id, context.assume);
    const look = async () => {
      const answer = await getDeployment(client, service, id).catch(explainMissing);
      const { value } = answer;
      const other = otherThing(asObject(value.deployment), 'deployment', id);
      return {
        answer,
        judgement: judgeDeployment(answer, liveIn(value), context.assume),
        other,
      };
    };
    const asked = { id, service, waits, failIfNotLive };
    const looked = await (waits ? waitForDeployment(context, id, look, seconds) : look());
    const { answer, other } = looked;
    const inspected = readAnswer(
      answer,
      (value): Inspected => ({ answer: value, id, live: liveIn(value) }),
    );
    const failure = failureOfDeployment(asked, looked, globals);
    const seen = serviceSeen(answer.value.deployment, service);
    const warnings = other === undefined || failure !== undefined ? [] : [otherWarning(id, other)];
    return { ...inspected, failure, warnings, seen };
  },

  human(screen, { answer, id, live }) {
    const deployment = asObject(answer.deployment);
    const status = asText(deployment.status);
    const service = nameOf({
      name: asText(deployment.serviceName),
      id: asText(deployment.serviceId),
    });
    screen.heading(
      `Deployment ${asText(deployment.id) ?? id}${service === undefined ? '' : ` of ${service}`}`,
    );
    screen.fields([
      ['Live', live?.isLive ? { text: 'yes', tone: 'good' } : ((live && 'no') ?? 'not known')],
      ['Status', status === undefined ? undefined : state(status)],
      ['Created', dated(deployment.createdAt)],
      ['Started', dated(deployment.startedAt)],
      ['Finished', dated(deployment.finishedAt)],
    ]);
    const read = live === undefined ? {} : { [live.field]: () => true };
    screen.unknownFields(
      unreadFields(deployment, { ...readersOf(DEPLOYMENT), ...(live?.isInside && read) }),
    );
    screen.unknownFields(
      unreadFields(answer, {
        ...readersOf(DEPLOYMENT_LOOKUP),
        ...(live?.isInside === false && read),
      }),
    );
  },

  batch: {
    of: 'deploymentId',
    checks: ['failIfNotLive'],
    row: {
      head: ['Live', 'Status', 'Created', 'Finished'],
      of({ answer, live }) {
        const { status, createdAt, finishedAt } = asObject(answer.deployment);
        return [
          (live && (live.isLive ? 'yes' : 'no')) ?? 'not known',
          asText(status),
          dated(createdAt),
          dated(finishedAt),
        ];
      },
    },
  },
});

/** Every service has deployments of its own. An answer that is not the API's keeps its hint. */
function explainMissing(error: unknown): never {
  if (
    !(error instanceof CliError) ||
    error.code !== 'not_found' ||
    error.details.service === undefined
  )
    throw error;
  throw error
    .withLines('It may belong to another service. To look there, add --service <id>.')
    .with({ hint: undefined });
}

function dated(value: unknown) {
  return asText(value) === undefined ? undefined : date(value);
}

interface Asked {
  readonly id: string;
  readonly service: string;
  readonly waits: boolean;
  readonly failIfNotLive: boolean;
}

interface Looked {
  readonly answer: Answer<DeploymentLookup>;
  readonly judgement: DeploymentJudgement;
  /** The id in the answer, if that is another one. */
  readonly other: string | undefined;
}

async function waitForDeployment(
  context: Needs<'io' | 'time'>,
  id: string,
  look: () => Promise<Looked>,
  seconds: number,
) {
  let seen = undefined as Looked | undefined;
  const lookAgain = async () => {
    try {
      seen = await look();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      return { trouble: error };
    }
    const { other, judgement } = seen;
    const isFinal = other === undefined && FINAL.includes(judgement.stage);
    // What is neither live nor known to be under way may have ended.
    const unknown = unknownWord(judgement).length > 0 ? judgement.status : undefined;
    return { end: isFinal ? seen : undefined, unknown };
  };
  const progress = (ms: number) => `${id}  ${seen?.judgement.status ?? ''}  ${formatDuration(ms)}`;
  const { trouble } = await pollUntil(context, {
    isNew: false,
    seconds,
    look: lookAgain,
    progress,
  });
  if (seen === undefined) throw trouble;
  return seen;
}

const FINAL: readonly DeploymentJudgement['stage'][] = [
  'live',
  'failed',
  'doubtful',
  'done',
  'over',
];

function statusIn({ status }: DeploymentJudgement): string {
  return status === undefined ? '' : ` (status ${status})`;
}

/**
 * The error of `--wait` and `--fail-if-not-live`; undefined if the deployment is as it was asked
 * for.
 */
function failureOfDeployment(
  awaited: Asked,
  looked: Looked,
  globals: Globals,
): CliError | undefined {
  const { id, waits, failIfNotLive } = awaited;
  const { judgement, other } = looked;
  const { stage } = judgement;
  if (!waits && !failIfNotLive) return undefined;
  if (other !== undefined)
    return failIfNotLive ? aboutAnother(id, other) : stillRunning(awaited, looked, globals);
  if (stage === 'doubtful') {
    const message = `The answer about deployment ${id} contradicts itself: ${contradictionIn(judgement)}.`;
    return new CliError('no_data', message);
  }
  if (stage === 'running') return stillRunning(awaited, looked, globals);
  if (stage === 'failed' && !failIfNotLive)
    return conclude(judgement, { failed: `Deployment ${id} failed` });
  const said = statusIn(judgement);
  if (failIfNotLive && (stage === 'failed' || stage === 'over' || stage === 'not_live')) {
    return new CliError(
      'alert',
      `Deployment ${id} ${stage === 'failed' ? 'failed' : 'is not live'}${said}.`,
    );
  }
  if (stage === 'not_live' || (stage === 'silent' && !failIfNotLive))
    return stillRunning(awaited, looked, globals);
  if (stage === 'live' || !failIfNotLive) return undefined;
  return new CliError(
    'no_data',
    `Nothing in the answer says whether deployment ${id} is live${said}.`,
    {
      hint: 'Name the field that says so with SVC_ASSUME=deployment.live=<field>. See svc help assumptions.',
    },
  );
}

function stillRunning(
  { id, service, failIfNotLive }: Asked,
  { judgement }: Looked,
  globals: Globals,
): CliError {
  const options = { service, wait: true, 'fail-if-not-live': failIfNotLive };
  return new CliError(
    'still_running',
    `Deployment ${id} is still under way${statusIn(judgement)}.`,
    {
      lines: unknownWord(judgement),
      hint: commandLine(['deployments', 'inspect', id], options, globals),
    },
  );
}
