import { CliError, listed } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import { isWaiting, type ParsedLine } from '../kit/define.ts';
import { type Each, type RunOptions, readRunOptions } from '../kit/each.ts';
import { remember } from '../kit/known.ts';
import type { KnownNames } from '../kit/result.ts';
import type { LineOf } from '../spec/fields/documents.ts';
import { OutputClosed } from '../terminal/io.ts';
import { stringifyDocument } from '../terminal/json-text.ts';
import { piecesOf } from '../terminal/screen.ts';
import { resumeCommand } from './again.ts';
import { contextsOf } from './contexts.ts';
import { type End, errorOfRun, runSummaryOf, showEnding } from './ending.ts';
import { createSlots } from './gate.ts';
import type { Outcome, Run } from './item.ts';
import { type Item, readRunItems, valuesReader } from './list.ts';
import { openLog, type RunLog } from './log.ts';
import { createPrinter, type Printer } from './output.ts';
import { createPace } from './pace.ts';
import {
  checkTogether,
  confirmRun,
  failureLimit,
  headerOf,
  isOfLog,
  jobsIn,
  limitsOf,
  planOf,
  type RunPlan,
} from './prepare.ts';
import { showProgress } from './progress.ts';
import { createTally } from './tally.ts';
import { createStops, type Stops, workThrough } from './workers.ts';

/** A command line for several. */
interface Line extends ParsedLine {
  readonly each: Each;
  readonly context: Context;
  readonly options: RunOptions;
}

/**
 * Carries a command out for each of several. Prints each outcome as it comes; returns once all are printed.
 * @throws CliError for the whole; see `errorOfRun`.
 */
export async function runForSeveral(parsed: ParsedLine, given: Context): Promise<void> {
  const severalSince = given.system.clock.now();
  const context = { ...given, system: Object.assign(Object.create(given.system), { severalSince }) };
  const { command, texts } = parsed;
  const { each } = command;
  if (each === undefined) throw new RangeError(`${command.path} works on one`);
  const options = readRunOptions(texts);
  const line: Line = { ...parsed, each, context, options };
  checkTogether(command, each, texts, options);
  const printerFor = await createPrinter(command, texts, context);
  const items = isOfLog(each, texts) ? undefined : await readRunItems(line, each, context);
  // Lock before reading and until the end, so that no other svc does the same items.
  const header = headerOf(command, each, texts, context, items);
  const log = await openLog(context, options, header, items === undefined);
  try {
    const plan = planOf(items ?? jobsIn(log?.known), log?.known, options);
    const printer = await printerFor(plan.todo);
    await confirmRun(command, each, context, texts, plan.todo);
    if (plan.todo.length > 0) log?.begin();
    await carryOut(line, plan, log, printer);
  } finally {
    log?.close();
  }
}

async function carryOut(line: Line, plan: RunPlan, log: RunLog | undefined, printer: Printer): Promise<void> {
  const { command, texts, items, context, options } = line;
  const { clock } = context.system;
  const tally = createTally();
  const stops = createStops(context, options.stopAfter);
  const limits = limitsOf(options, isWaiting(command, texts), plan.todo.length);
  const run = runOf(line, stops, log, limits);
  const startedAt = clock.monotonic();
  const { total, doneBefore } = plan;
  const logFile = options.log ?? options.resume;
  const resume = logFile && resumeCommand(line, context.settings.globals, logFile);
  const soFar = (): End => {
    const ms = clock.monotonic() - startedAt;
    return { command, counts: tally.counts(), total, doneBefore, ms, resume, stopped: stops.stopped() };
  };
  const progress = showProgress(context, run, soFar);
  const typed = new Set(items);
  const typedAndDone: Done[] = [];
  const report = async (outcome: Outcome) => {
    tally.add(outcome);
    if (outcome.error === undefined && typed.has(outcome.item.id)) {
      typedAndDone.push({ item: outcome.item, seen: outcome.result?.seen });
    }
    await printer.print(outcome);
  };
  try {
    await printer.begin?.();
    for (const item of plan.inDoubt) await report(leftInDoubt(item));
    await workThrough(run, {
      items: plan.todo,
      running: limits.running,
      maxFailures: failureLimit(options, plan.total),
      failures: tally.failures,
      report,
    });
  } finally {
    progress.stop();
    stops.close();
  }
  await rememberTyped(line, run, typedAndDone);
  await finish(line, soFar(), stops.failure(), printer);
}

function runOf(
  { command, tree, each, texts, context, options }: Line,
  { stop, end, halt, fail }: Stops,
  log: RunLog | undefined,
  { requests, running }: ReturnType<typeof limitsOf>,
): Run {
  return {
    command,
    tree,
    valuesFor: valuesReader(command, each, texts),
    contextFor: contextsOf(context, { stop, end, atOnce: running }),
    clock: context.system.clock,
    pace: createPace(context.system.random),
    slots: createSlots(requests),
    log,
    accept: options.accept,
    stop,
    halt,
    fail,
  };
}

/** Shows how a run ended, and throws its error if it has one. */
async function finish({ command, context }: Line, end: End, failure: unknown, printer: Printer): Promise<void> {
  const { io } = context;
  if (failure instanceof OutputClosed) {
    // A reader that closes the pipe has seen enough, unless something was changed.
    if (command.effect === 'reads') throw failure;
    throw errorOfRun({ ...end, stopped: outputClosed() }) ?? failure;
  }
  const verdict = errorOfRun(end);
  const fault = failure ?? (await printer.end?.().catch((error: unknown) => error));
  if (fault !== undefined) throw withCounts(fault, end, verdict);
  if (!printer.isData) await io.show((screen) => showEnding(screen, end));
  // Lines of JSON have theirs.
  if (!io.json) {
    for (const { warning, ids } of end.counts.warnings) {
      await io.warn([`${listed(ids)}: `, ...piecesOf(warning.text)], warning.code);
    }
  }
  if (verdict !== undefined) throw verdict;
  if (io.json) {
    const line = { summary: runSummaryOf(end) } satisfies LineOf<'counted'>;
    await io.err.write(`${stringifyDocument(line)}\n`, 'json');
  }
}

/** Keeps an item without its answer, which may be large. */
interface Done {
  readonly item: Item;
  readonly seen: KnownNames | undefined;
}

/** Offers the ids that were typed, and that the platform knows, to pickers and Tab. */
async function rememberTyped({ command, each, context }: Line, run: Run, done: readonly Done[]): Promise<void> {
  const latest = done.at(-1);
  if (latest === undefined) return;
  const values = { ...run.valuesFor(latest.item), [each]: done.map(({ item }) => item.id) };
  await remember(context, command, values, latest.seen);
}

function outputClosed(): CliError {
  return new CliError('unexpected', 'The output was closed, so svc stopped.');
}

function leftInDoubt(item: Item): Outcome {
  const message = `${item.id} was begun before, and its result is unknown. It was not repeated.`;
  const hint = 'Check it, then repeat it with --retry-unknown.';
  const error = new CliError('unavailable', message, { outcome: 'unknown', hint });
  return { item, result: undefined, error, isInDoubt: true, attempts: 0, ms: 0 };
}

/** Says with an error of the output or the log how far the run has come. */
function withCounts(failure: unknown, end: End, verdict: CliError | undefined): unknown {
  if (!(failure instanceof CliError)) return failure;
  const { lines = [], hint = verdict?.details.hint } = failure.details;
  const counts = verdict === undefined ? [] : [verdict.message];
  return failure.with({ lines: [...lines, ...counts], hint, summary: runSummaryOf(end) });
}
