import { type Client, getDeployment } from '../../api/call.ts';
import { findOtherId } from '../../api/own-level.ts';
import { isTransientError } from '../../api/retry.ts';
import {
  type DeploymentJudgement,
  describeUnknownStatus,
  judgeDeployment,
} from '../../api/verdict.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { CliError } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { findLive } from '../shared/live.ts';
import { pollUntil } from '../shared/wait.ts';

/** A deployment of a service. */
export interface DeploymentPlace {
  readonly service: string;
  readonly id: string;
}

/** The answer about a deployment, and what it says. */
export type DeploymentLook = Awaited<ReturnType<typeof lookAtDeployment>>;

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

/** Every service has deployments of its own. An answer that is not the API's keeps its hint. */
function explainMissing(error: unknown): never {
  const isMissing = error instanceof CliError && error.code === 'not_found';
  if (!isMissing || error.details.service === undefined) throw error;
  throw error
    .withLines('It may belong to another service. To look there, add --service <id>.')
    .with({ hint: undefined });
}

const FINAL_STAGES: readonly DeploymentJudgement['stage'][] = [
  'live',
  'failed',
  'doubtful',
  'done',
  'over',
];

/** Looks at a deployment until its status is final or the time is up; returns the last look. */
export async function waitForDeployment(
  context: Needs<'io' | 'time' | 'assume'>,
  client: Client,
  place: DeploymentPlace,
  seconds: number,
): Promise<DeploymentLook> {
  let lastLook: DeploymentLook | undefined;
  const look = async () => {
    try {
      lastLook = await lookAtDeployment(client, place, context.assume);
    } catch (error) {
      if (isTransientError(error)) return { trouble: error };
      throw error;
    }

    const { otherId, judgement } = lastLook;
    const isFinal = otherId === undefined && FINAL_STAGES.includes(judgement.stage);
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
