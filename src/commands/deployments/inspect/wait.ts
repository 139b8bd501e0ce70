import { asSentence, CliError } from '../../../errors.ts';
import type { Context } from '../../../kit/context.ts';
import { type Globals, sameTarget } from '../../../kit/globals.ts';
import type { Answer } from '../../../service/call.ts';
import { aboutAnother } from '../../../service/identity.ts';
import { conclude, inWords, unknownWord } from '../../../service/judged-errors.ts';
import { isTransientError } from '../../../service/retry.ts';
import type { DeploymentJudgement } from '../../../service/verdict.ts';
import type { DeploymentLookup } from '../../../spec/types.ts';
import { formatDuration } from '../../../terminal/dates.ts';
import { pausesOf } from '../../shared/pauses.ts';

interface Awaited {
  readonly id: string;
  readonly service: string;
  readonly waits: boolean;
  readonly failIfNotLive: boolean;
}

interface Looked {
  readonly answer: Answer<DeploymentLookup>;
  readonly judgement: DeploymentJudgement;
  /** The id of the deployment that it is about, if that is another one. */
  readonly other: string | undefined;
}

/**
 * Looks again and again until the status is final or the time is up, and returns what was seen last.
 * @throws CliError if it cannot be looked at; `interrupted`
 */
export async function waitForDeployment(
  context: Context,
  { id }: Awaited,
  look: () => Promise<Looked>,
  timeoutSeconds: number,
): Promise<Looked> {
  const { clock, io } = context;
  const startedAt = clock.monotonic();
  const pause = pausesOf(context, false);
  let seen: Looked | undefined;
  let trouble: CliError | undefined;
  const progress = io.progress(() => {
    const text = `${id}  ${seen?.judgement.status ?? ''}  ${formatDuration(clock.monotonic() - startedAt)}`;
    return trouble === undefined ? text : `${text}  ${asSentence(trouble.message)} Retrying.`;
  });
  try {
    for (;;) {
      const remainingMs = startedAt + timeoutSeconds * 1_000 - clock.monotonic();
      if (remainingMs <= 0 && seen !== undefined) return seen;
      if (remainingMs <= 0 && trouble !== undefined) throw trouble;
      await pause(trouble, remainingMs);
      try {
        seen = await look();
        trouble = undefined;
      } catch (error) {
        if (!isTransientError(error)) throw error;
        trouble = error;
      }
      if (seen !== undefined && isFinal(seen)) return seen;
    }
  } finally {
    progress.stop();
  }
}

/** The stages in which a deployment changes no more. */
const FINAL: readonly DeploymentJudgement['stage'][] = ['live', 'failed', 'done', 'over'];

function isFinal({ judgement, other }: Looked): boolean {
  return other === undefined && FINAL.includes(judgement.stage);
}

/** Returns the error of `--wait` and `--fail-if-not-live`; undefined if the deployment is as it was asked for. */
export function failureOfDeployment(awaited: Awaited, looked: Looked, globals: Globals): CliError | undefined {
  const { id, waits, failIfNotLive } = awaited;
  const { judgement, other } = looked;
  const { stage, status, doubt } = judgement;
  if (!waits && !failIfNotLive) return undefined;
  if (other !== undefined) return failIfNotLive ? aboutAnother(id, other) : stillRunning(awaited, looked, globals);
  if (stage === 'running') return stillRunning(awaited, looked, globals);
  if (stage === 'failed' && !failIfNotLive) return conclude(judgement, { failed: `Deployment ${id} failed` });
  const said = status === undefined ? '' : ` (status ${status})`;
  if (failIfNotLive && (stage === 'failed' || stage === 'over' || stage === 'not_live')) {
    return new CliError('alert', `Deployment ${id} ${stage === 'failed' ? 'failed' : 'is not live'}${said}.`);
  }
  if (stage === 'not_live' || (stage === 'silent' && !failIfNotLive)) return stillRunning(awaited, looked, globals);
  if (doubt !== undefined) {
    return new CliError('no_data', `The answer about deployment ${id} shows trouble: ${inWords(doubt)}.`);
  }
  if (stage === 'live' || !failIfNotLive) return undefined;
  return new CliError('no_data', `Nothing in the answer says whether deployment ${id} is live${said}.`, {
    hint: 'Name the field that says so with SVC_ASSUME=deployment.live=<field>. See svc help assumptions.',
  });
}

function stillRunning({ id, service, failIfNotLive }: Awaited, { judgement }: Looked, globals: Globals): CliError {
  const { status } = judgement;
  const line = ['svc', 'deployments', 'inspect', id, '--service', service, '--wait'];
  const said = status === undefined ? '' : ` (status ${status})`;
  return new CliError('still_running', `Deployment ${id} is still under way${said}.`, {
    lines: unknownWord(judgement),
    hint: sameTarget(failIfNotLive ? [...line, '--fail-if-not-live'] : line, globals),
  });
}
