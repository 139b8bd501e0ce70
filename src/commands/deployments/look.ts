import { type Client, getDeployment } from '../../api/call.ts';
import { createOtherIdError, findOtherId } from '../../api/read-answer.ts';
import {
  type DeploymentJudgement,
  describeContradiction,
  describeUnknownStatus,
  judgeDeployment,
  toVerdictError,
} from '../../api/verdict.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { CliError } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { formatDuration } from '../../terminal/format.ts';
import { findLive } from '../shared/live.ts';
import { pollUntil } from '../shared/wait.ts';

/** A deployment of a service. */
interface DeploymentPlace {
  readonly service: string;
  readonly id: string;
}

/** The answer about a deployment, and what it says. */
type DeploymentLook = Awaited<ReturnType<typeof lookAtDeployment>>;

/** Looks at a deployment once. */
export async function lookAtDeployment(
  client: Client,
  { service, id }: DeploymentPlace,
  assume: Assume,
) {
  const answer = await getDeployment(client, service, id).catch(explainMissing);
  const { value } = answer;
  return {
    answer,
    judgement: judgeDeployment(answer, findLive(value, id, assume), assume),
    /** The id in the answer, if that is another one. */
    otherId: findOtherId(asObject(value.deployment), 'deployment', id),
  };
}

/** Says where else it may be. A 404 that is not of the API keeps its hint. */
function explainMissing(error: unknown): never {
  const isMissing = error instanceof CliError && error.code === 'not_found';
  if (!isMissing || error.details.service === undefined) throw error;
  throw error
    .withLines('It may belong to another service. To look there, add --service <id>.')
    .with({ hint: undefined });
}

/** Looks at a deployment until its status is final or the time is up; returns the last look. */
export async function waitForDeployment(
  context: Needs<'io' | 'time' | 'assume'>,
  client: Client,
  place: DeploymentPlace,
  seconds: number,
): Promise<DeploymentLook> {
  let lastLook: DeploymentLook | undefined;
  const look = async () => {
    lastLook = await lookAtDeployment(client, place, context.assume);
    const { otherId, judgement } = lastLook;
    const isFinal =
      otherId === undefined &&
      ['live', 'failed', 'doubtful', 'done', 'over'].includes(judgement.stage);
    // A status that svc does not know may be a final one: the wait ends if it stays the same.
    const unknown = describeUnknownStatus(judgement).length > 0 ? judgement.status : undefined;
    return { end: isFinal ? lastLook : undefined, unknown };
  };

  const progress = (elapsedMs: number) =>
    `${place.id}  ${lastLook?.judgement.status ?? ''}  ${formatDuration(elapsedMs)}`;
  const { trouble } = await pollUntil(context, { isNew: false, seconds, look, progress });
  if (lastLook === undefined) throw trouble;
  return lastLook;
}

/**
 * Returns the error of `--wait`, or else of `--fail-if-not-live`; undefined if the deployment is as
 * its user wants it.
 */
export function findDeploymentFailure(
  { service, id }: DeploymentPlace,
  failIfNotLive: boolean,
  { judgement, otherId }: DeploymentLook,
  globals: Globals,
): CliError | undefined {
  const { stage } = judgement;
  if (otherId !== undefined && failIfNotLive) return createOtherIdError(id, otherId);
  const mayEnd = !failIfNotLive && ['not_live', 'silent'].includes(stage);
  if (otherId !== undefined || stage === 'running' || mayEnd) {
    const options = { service, wait: true, 'fail-if-not-live': failIfNotLive };
    const message = `Deployment ${id} is still under way${describeStatus(judgement)}.`;
    return new CliError('still_running', message, {
      lines: describeUnknownStatus(judgement),
      hint: commandLine(['deployments', 'inspect', id], options, globals),
    });
  }

  if (stage === 'doubtful') {
    const message = `The answer about deployment ${id} contradicts itself: ${describeContradiction(judgement)}.`;
    return new CliError('no_data', message);
  }
  if (failIfNotLive) return findNotLiveError(id, judgement);
  if (stage !== 'failed') return undefined;
  return toVerdictError(judgement, { failed: `Deployment ${id} failed` });
}

function findNotLiveError(id: string, judgement: DeploymentJudgement) {
  const { stage } = judgement;
  if (stage === 'live') return undefined;

  const status = describeStatus(judgement);
  if (stage === 'silent' || stage === 'done') {
    const message = `Nothing in the answer says clearly whether deployment ${id} is live${status}.`;
    return new CliError('no_data', message, {
      hint: 'Name the field that says so with SVC_ASSUME=deployment.live=<field>. See svc help assumptions.',
    });
  }
  const trouble = stage === 'failed' ? 'failed' : 'is not live';
  return new CliError('alert', `Deployment ${id} ${trouble}${status}.`);
}

function describeStatus({ status }: DeploymentJudgement) {
  return status === undefined ? '' : ` (status ${status})`;
}
