import { isWaiting } from '../cli/define/command.ts';
import { CliError, tryOr } from '../errors.ts';
import { repeatLine } from '../shell-line.ts';
import { plural } from '../terminal/format.ts';
import { OutputClosed } from '../terminal/io.ts';
import { createSignInCheck, explainAcceptedToken } from './check-sign-in.ts';
import { type BatchEnd, countItems, type ItemEnd, type Outcome, toItemEnd } from './end.ts';
import type { Plan } from './plan.ts';
import type { Printer } from './print.ts';
import { showProgress } from './progress.ts';
import { runItem } from './run-item.ts';
import type { Run } from './run-parts.ts';

/**
 * The items that may be begun and not yet ended, if each waits for a job: a wait takes no place
 * from requests.
 */
const MAX_UNFINISHED = 1_000;

/** Carries out what is planned, and prints each outcome as it comes. */
export async function carryOut(run: Run, plan: Plan, printer: Printer): Promise<BatchEnd> {
  const { line, context, options, log, stops } = run;
  const { todo, reported } = plan;
  if (todo.length > 0) log?.begin(stops.halt);

  const ended: ItemEnd[] = [];
  const getEnd = createEndReader(run, plan, ended);
  const report = async (outcome: Outcome) => {
    ended.push(toItemEnd(outcome));
    // Counted at once, but printed only as fast as the output is read.
    await printer.print(outcome);
  };
  const judge = createStopJudge(run);
  const queue = todo.values();
  const work = async () => {
    for (let next = queue.next(); !next.done && !stops.stopSignal.aborted; next = queue.next()) {
      const outcome = await runItem(run, next.value);
      if (outcome === undefined) return;
      await report(await judge(outcome));
    }
  };

  // With --max-failures no more items are begun than requests may be under way, so that a mistake
  // is seen before it reaches every item.
  const isUnlimited = options.maxFailures === undefined && isWaiting(line.command, line.texts);
  const maxUnfinished = isUnlimited ? MAX_UNFINISHED : options.concurrency;
  const stopProgress = showProgress(run, getEnd);
  try {
    await printer.begin();
    for (const outcome of reported) await report(outcome);
    const workers = Math.min(maxUnfinished, todo.length);
    const fail = (error: unknown) => stops.halt(toStopReason(run, error));
    await Promise.all(Array.from({ length: workers }, () => work().catch(fail)));
  } finally {
    stopProgress();
  }

  const end = getEnd();
  const { failed, left } = countItems(end);
  if (todo.length > 0 && failed + left === 0) {
    // Should that fail, the run fails, but first reports what it did.
    tryOr(() => log?.addEnd(context.time.clock.now()), undefined);
  }
  return end;
}

/** Makes the reader of how far a run is. */
function createEndReader(
  { line, log, stops, context }: Run,
  { todo, reported, skipped }: Plan,
  ended: readonly ItemEnd[],
): () => BatchEnd {
  const { clock } = context.time;
  const startedAtMs = clock.monotonic();
  const total = todo.length + reported.length + skipped;
  // A list on standard input is gone.
  const isRepeatable = ![...line.texts.values()].some((texts) => texts.includes('-'));
  const again = (...words: readonly string[]) =>
    [repeatLine(context.line).replace(' --retry-unknown', ''), ...words].join(' ');
  return () => {
    const { reason } = stops.stopSignal;
    return {
      line,
      total,
      skipped,
      ended,
      ms: clock.monotonic() - startedAtMs,
      again: isRepeatable ? again : undefined,
      hasLog: log !== undefined,
      stopped: reason instanceof CliError ? reason : undefined,
    };
  };
}

/**
 * Makes the judge of each outcome, which stops the run after too many failures, and as soon as the
 * platform refuses the token itself.
 */
function createStopJudge(run: Run) {
  const { maxFailures = Number.POSITIVE_INFINITY } = run.options;
  const checkSignIn = createSignInCheck(run);
  let failures = 0;
  return async (outcome: Outcome): Promise<Outcome> => {
    const { how, error } = outcome;
    const signIn = await checkSignIn(outcome);
    if (signIn === 'refused') run.stops.halt(toRefusedSignIn(error));

    if (how === 'failed' || how === 'running') failures += 1;
    if (failures >= maxFailures) {
      const words = `Stopped after ${plural(failures, 'failure')} (--max-failures).`;
      run.stops.halt(new CliError('partial', words));
    }
    return signIn === 'accepted' ? { ...outcome, error: explainAcceptedToken(outcome) } : outcome;
  };
}

/** A job whose path answers 401 has an error of its own, with the hint of the sign-in. */
function toRefusedSignIn(error: CliError | undefined): CliError {
  if (error?.code === 'unauthenticated') return error;
  const { status, requestId, hint } = error?.details ?? {};
  const message = 'The platform does not accept the sign-in any more.';
  return new CliError('unauthenticated', message, { status, requestId, hint });
}

function toStopReason({ line: { command } }: Run, error: unknown): unknown {
  const isUnread = error instanceof OutputClosed && command.effect !== 'reads';
  return isUnread ? new CliError('unexpected', 'The output was closed, so svc stopped.') : error;
}
