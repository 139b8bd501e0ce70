import { createOtherIdError } from '../../api/own-level.ts';
import {
  type DeploymentJudgement,
  describeContradiction,
  describeUnknownStatus,
  toVerdictError,
} from '../../api/verdict.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import { CliError } from '../../errors.ts';
import { commandLine } from '../../shell-line.ts';
import type { DeploymentLook, DeploymentPlace } from './look.ts';

/** A deployment, and what its user wants of it. */
interface DeploymentRequest extends DeploymentPlace {
  readonly waits: boolean;
  readonly failIfNotLive: boolean;
}

/**
 * Returns the error of `--wait` and `--fail-if-not-live`; undefined if the deployment is as its
 * user wants it.
 */
export function findDeploymentFailure(
  request: DeploymentRequest,
  { judgement, otherId }: DeploymentLook,
  globals: Globals,
): CliError | undefined {
  const { id, waits, failIfNotLive } = request;
  const { stage } = judgement;
  if (!waits && !failIfNotLive) return undefined;
  if (otherId !== undefined && failIfNotLive) return createOtherIdError(id, otherId);
  const mayEnd = !failIfNotLive && ['not_live', 'silent'].includes(stage);
  if (otherId !== undefined || stage === 'running' || mayEnd) {
    return createStillRunningError(request, judgement, globals);
  }

  if (stage === 'doubtful') {
    const message = `The answer about deployment ${id} contradicts itself: ${describeContradiction(judgement)}.`;
    return new CliError('no_data', message);
  }
  if (failIfNotLive) return checkLive(id, judgement);
  if (stage !== 'failed') return undefined;
  return toVerdictError(judgement, { failed: `Deployment ${id} failed` });
}

function checkLive(id: string, judgement: DeploymentJudgement) {
  const { stage } = judgement;
  if (stage === 'live') return undefined;

  const status = describeStatus(judgement);
  if (stage === 'silent' || stage === 'done') {
    const message = `Nothing in the answer says whether deployment ${id} is live${status}.`;
    return new CliError('no_data', message, {
      hint: 'Name the field that says so with SVC_ASSUME=deployment.live=<field>. See svc help assumptions.',
    });
  }
  const trouble = stage === 'failed' ? 'failed' : 'is not live';
  return new CliError('alert', `Deployment ${id} ${trouble}${status}.`);
}

function createStillRunningError(
  { id, service, failIfNotLive }: DeploymentRequest,
  judgement: DeploymentJudgement,
  globals: Globals,
) {
  const options = { service, wait: true, 'fail-if-not-live': failIfNotLive };
  const message = `Deployment ${id} is still under way${describeStatus(judgement)}.`;
  return new CliError('still_running', message, {
    lines: describeUnknownStatus(judgement),
    hint: commandLine(['deployments', 'inspect', id], options, globals),
  });
}

function describeStatus({ status }: DeploymentJudgement) {
  return status === undefined ? '' : ` (status ${status})`;
}
