import { type CliError, type ErrorCode, type Hint, toNextStep } from '../errors.ts';
import type { BatchEnd, ItemEnd } from './end.ts';

const MAX_LOOKS = 3;
/** The failures that may end by themselves. */
const TRANSIENT: ReadonlySet<ErrorCode | undefined> = new Set(['unavailable', 'rate_limited']);
/** The stops after which the same line may go on unseen: nobody wanted them. */
const GOES_ON: ReadonlySet<ErrorCode> = new Set(['still_running', 'rate_limited']);

/**
 * Returns the command that gets further: signing in, the same line if it may work now, a look at
 * what is under way, or what a person has to decide about doubts. None if all was refused.
 */
export function planNextStep(end: BatchEnd, isLeft: boolean): Hint | undefined {
  const { stopped, again } = end;
  if (stopped?.code === 'unauthenticated') return planSignIn(end, stopped);

  const canGoOn = end.hasLog && again !== undefined;
  if (!canGoOn) return planLook(end) ?? stopped?.details.hint;

  const hasFailedJobs = end.ended.some(({ code, isInDoubt }) => code === 'failed' && !isInDoubt);
  const isRetried = end.ended.some((itemEnd) => isTransient(itemEnd) || itemEnd.how === 'running');
  if (isLeft || isRetried || hasFailedJobs) {
    // Whether to repeat what the platform could not do is for somebody to decide.
    const isSafe = !hasFailedJobs && (stopped === undefined || GOES_ON.has(stopped.code));
    return { say: 'To go on:', run: [again()], kind: isSafe ? 'retry' : 'other' };
  }

  const hasDoubts = end.ended.some(({ isInDoubt }) => isInDoubt);
  if (!hasDoubts) return undefined;
  const say = 'When you have checked those in doubt:';
  return { say, run: [again('--retry-unknown')], by: 'person' };
}

/** Signs in first. The same line follows unless it could do something twice. */
function planSignIn(end: BatchEnd, stopped: CliError): Hint {
  const { again, ended, line } = end;
  const { say, run } = toNextStep(stopped.details.hint);
  const isNothingDone = ended.every(({ how, isInDoubt }) => how === 'failed' && !isInDoubt);
  const isRepeatable = end.hasLog || line.command.effect === 'reads' || isNothingDone;
  const lines = again !== undefined && isRepeatable ? [...run, again()] : run;
  return { say: say ?? 'Sign in, then go on:', run: lines, kind: 'sign_in' };
}

/** Waits for what is under way, by the commands of the first items. */
function planLook({ ended }: BatchEnd): Hint | undefined {
  const looks = ended.flatMap(({ look }) => look ?? []);
  if (looks.length === 0) return undefined;
  return { say: 'Wait for what is under way:', run: looks.slice(0, MAX_LOOKS), kind: 'look' };
}

function isTransient({ how, code, isInDoubt }: ItemEnd): boolean {
  return how === 'failed' && !isInDoubt && TRANSIENT.has(code);
}
