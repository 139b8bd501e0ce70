import { ITEM_WORDS, isWaiting, type TypedLine } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { findTableOption, readOptions } from '../cli/values/parameters.ts';
import { CliError, tryOr } from '../errors.ts';
import { repeatLine } from '../shell-line.ts';
import { plural } from '../terminal/format.ts';
import { OutputClosed } from '../terminal/io.ts';
import { toPieces, toPlainText } from '../terminal/screen.ts';
import {
  type BatchEnd,
  countItems,
  createBatchError,
  groupItems,
  type ItemEnd,
  listIds,
  showEnding,
  toItemEnd,
} from './end.ts';
import { type BatchLine, type Item, isCheck, type Outcome } from './item.ts';
import { readList } from './list.ts';
import { openLog } from './log.ts';
import {
  checkLogIsOpen,
  confirmRun,
  createLogHeader,
  type Plan,
  planItems,
  planLook,
  readBatchOptions,
} from './plan.ts';
import { createPrinter, createRowView, type Printer, printCounts, showProgress } from './print.ts';
import { createSignInCheck, explainAcceptedToken, runItem } from './run-item.ts';
import { createRun, type Run } from './run-parts.ts';

/**
 * Carries a command out for each item of a batch. Prints each outcome as it comes; returns an exit
 * code once all are printed.
 * @throws CliError for the whole; see `createBatchError`.
 */
export async function runBatch(typed: TypedLine, given: Context): Promise<number> {
  const { batch } = typed.command;
  if (batch === undefined) throw new RangeError(`${typed.command.path} works on one`);

  const line: BatchLine = { ...typed, batch };
  const since = given.time.clock.now();
  const context: Context = { ...given, batch: { since, jobId: undefined, queued() {} } };
  const options = readBatchOptions(line);
  const { items, log: seenLog } = await readList(line, context);
  if (items.length === 0 && !seenLog) return endEmpty(line, context);

  const log =
    options.log === undefined
      ? undefined
      : await openLog(context, options.log, createLogHeader(line, context));
  try {
    const plan = seenLog ? planLook(line, seenLog, context) : planItems(line, items, log);
    if (log !== undefined) checkLogIsOpen(log, plan, context.time.clock.now());
    const view = await createView(line, context, plan.todo);
    if ('isPrinted' in view) {
      if (view.failure !== undefined) throw view.failure;
      return view.exitCode ?? 0;
    }

    const printer = await createPrinter(line, context, view, plan.todo.length);
    await confirmRun(line, context, plan.todo);
    const run = createRun(line, context, options, log);
    const end = await carryOut(run, plan, printer).finally(run.stops.close);
    await finish(run, printer, end);
    return 0;
  } finally {
    log?.close();
  }
}

/** Ends a batch without items. A check of nothing would look like a good one. */
async function endEmpty(line: BatchLine, context: Context): Promise<number> {
  const { batch, command, texts } = line;
  const words = `There are no ${ITEM_WORDS[batch.of]}s in the list, so nothing was`;
  if (isCheck(line)) throw new CliError('no_data', `${words} checked.`);

  const view = texts.has('csv') ? await createView(line, context, []) : createRowView(batch);
  if (!('isPrinted' in view)) await (await createPrinter(line, context, view, 0)).begin();
  const participle = command.effect === 'reads' ? 'asked' : 'done';
  await context.io.warn(`${words} ${participle}.`, 'empty_list');
  if (context.globals.json) {
    await printCounts(context, { line, total: 0, skipped: 0, ended: [], ms: 0 });
  }
  return 0;
}

async function createView(
  { command, batch, texts }: BatchLine,
  context: Context,
  items: readonly Item[],
) {
  if (batch.gather === undefined) return createRowView(batch);
  const values = { csv: findTableOption(texts), ...readOptions(command.options, texts) };
  return batch.gather(context, values, items);
}

async function finish(
  { context, log, stops }: Run,
  printer: Printer,
  end: BatchEnd,
): Promise<void> {
  const { io, globals } = context;
  const { reason } = stops.stopSignal;
  // A reader that closes the pipe of reads has seen enough.
  if (reason !== undefined && !(reason instanceof CliError)) throw reason;

  const error = createBatchError(end);
  if (!io.out.closed) {
    await printer.end();
    if (!printer.isData) await io.show((screen) => showEnding(screen, end));
  }
  if (!globals.json) await warnOnce(context, end);
  if (end.ended.length === 0 && end.total > 0) {
    const endedAtMs = log?.state.endedAtMs;
    const at = endedAtMs === undefined ? '' : ` on ${new Date(endedAtMs).toISOString()}`;
    const words = `This run ended${at}, so nothing was sent. For a new run name another file with --log.`;
    await io.warn(words, 'already_done');
  }
  if (error !== undefined) throw error;
  if (globals.json) await printCounts(context, end);
}

/** Prints a warning about several items once, with their ids; lines of JSON have theirs. */
async function warnOnce({ io }: Needs<'io'>, { ended }: BatchEnd): Promise<void> {
  const all = ended.flatMap(({ item, warnings }) => warnings.map((warning) => ({ item, warning })));
  const groups = groupItems(all, ({ warning }) => `${warning.code} ${toPlainText(warning.text)}`);
  for (const group of groups) {
    const [{ warning }] = group;
    await io.warn([`${listIds(group)}: `, ...toPieces(warning.text)], warning.code);
  }
}

/**
 * The items that may be begun and not yet ended, if each waits for a job: a wait takes no place
 * from requests.
 */
const MAX_UNFINISHED = 1_000;

/** Carries out what is planned, and prints each outcome as it comes. */
async function carryOut(run: Run, plan: Plan, printer: Printer): Promise<BatchEnd> {
  const { line, options, log, stops, clock } = run;
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
    const fail = (error: unknown) => {
      const isUnread = error instanceof OutputClosed && line.command.effect !== 'reads';
      const words = 'The output was closed, so svc stopped.';
      stops.halt(isUnread ? new CliError('unexpected', words) : error);
    };
    await Promise.all(Array.from({ length: workers }, () => work().catch(fail)));
  } finally {
    stopProgress();
  }

  const end = getEnd();
  const { failed, left } = countItems(end);
  if (todo.length > 0 && failed + left === 0) {
    // Should that fail, the run fails, but first reports what it did.
    tryOr(() => log?.addEnd(clock.now()), undefined);
  }
  return end;
}

/** Makes the reader of how far a run is. */
function createEndReader(
  { line, stops, context, clock }: Run,
  { todo, reported, skipped }: Plan,
  ended: readonly ItemEnd[],
): () => BatchEnd {
  const startedAtMs = clock.monotonic();
  const total = todo.length + reported.length + skipped;
  // A list on standard input is gone.
  const isRepeatable = ![...line.texts.values()].some((texts) => texts.includes('-'));
  return () => {
    const { reason } = stops.stopSignal;
    return {
      line,
      total,
      skipped,
      ended,
      ms: clock.monotonic() - startedAtMs,
      get again() {
        return isRepeatable ? repeatLine(context.line).replace(' --retry-unknown', '') : undefined;
      },
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
