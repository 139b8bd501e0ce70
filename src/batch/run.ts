import { optionsOf, type TypedLine } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { RUN_OPTIONS } from '../cli/define/each.ts';
import { remember } from '../cli/define/known.ts';
import { sameTarget } from '../cli/settings/globals.ts';
import { longName, readOptions } from '../cli/values/read-values.ts';
import type { LineOf } from '../contract/fields/documents.ts';
import { CliError, listed } from '../errors.ts';
import { OutputClosed } from '../terminal/io.ts';
import { plural } from '../terminal/numbers.ts';
import { stringifyDocument } from '../terminal/safe-text.ts';
import { piecesOf } from '../terminal/screen.ts';
import {
  countsOf,
  type End,
  type Ended,
  endedOf,
  errorOf,
  showEnding,
  warningsOf,
} from './ending.ts';
import type { Item, RunLine } from './items.ts';
import { createRun, type Outcome, type Run, runOne } from './one.ts';
import { createPrinter, type Printer } from './output.ts';
import { confirmRun, type Plan, planOf, prepare } from './plan.ts';
import { showProgress } from './progress.ts';

/**
 * Carries a command out for each of several. Prints each outcome as it comes; returns once all are
 * printed.
 * @throws CliError for the whole; see `errorOf`.
 */
export async function runForSeveral(parsed: TypedLine, given: Context): Promise<void> {
  const { each } = parsed.command;
  if (each === undefined) throw new RangeError(`${parsed.command.path} works on one`);
  const line: RunLine = { ...parsed, each };
  const context = { ...given, batch: { since: given.time.clock.now() } };
  const options = readOptions(RUN_OPTIONS, line.texts);
  const { items, log } = await prepare(line, context, options);
  try {
    const plan = planOf(line, items, log?.known);
    const printer = await createPrinter(line, context, plan.todo);
    await confirmRun(line, context, plan.todo);
    const run = createRun(line, context, options, log, plan);
    const end = await carryOut(run, plan, printer).finally(run.stops.close);
    await rememberTyped(end, context, plan.todo);
    await finish(run, printer, end);
  } finally {
    log?.close();
  }
}

async function carryOut(run: Run, plan: Plan, printer: Printer): Promise<End> {
  const { line, log, stops } = run;
  const { time } = run.context;
  if (plan.todo.length > 0) log?.begin(stops.fail);
  const startedAt = time.clock.monotonic();
  const resume = resumeCommand(run);
  const ended: Ended[] = [];
  const soFar = (): End => {
    const ms = time.clock.monotonic() - startedAt;
    return { ...plan, line, ended, ms, resume, stopped: stops.stopped() };
  };
  let bad = 0;
  const report = async (outcome: Outcome) => {
    const end = endedOf(outcome);
    ended.push(end);
    if (end.how === 'failed' || end.how === 'running') bad += 1;
    const message = `Stopped after ${plural(bad, 'failure')} (--max-failures).`;
    if (bad >= run.failures) stops.halt(new CliError('partial', message));
    // Counted at once, but printed only as fast as the output is read.
    await printer.print(outcome);
  };
  const progress = showProgress(run, soFar);
  try {
    await printer.begin();
    for (const item of plan.inDoubt) await report(leftInDoubt(item));
    await workThrough(run, plan.todo, report);
  } finally {
    progress.stop();
  }
  return soFar();
}

async function workThrough(
  run: Run,
  items: readonly Item[],
  report: (outcome: Outcome) => Promise<void>,
) {
  const { stops, atOnce } = run;
  const queue = items.values();
  const work = async () => {
    for (let next = queue.next(); !next.done && !stops.stop.aborted; next = queue.next()) {
      const outcome = await runOne(run, next.value);
      if (outcome === undefined) return;
      await report(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, () => work().catch(stops.fail)));
}

function leftInDoubt(item: Item): Outcome {
  const message = `${item.id} was begun before, and its result is unknown. It was not repeated.`;
  const hint = 'Check it, then repeat it with --retry-unknown.';
  const error = new CliError('unavailable', message, { outcome: 'unknown', hint });
  return { item, result: undefined, error, isInDoubt: true, warnings: [], attempts: 0, ms: 0 };
}

/** Options of one run only. */
const NOT_AGAIN = ['log', 'resume', 'retryUnknown'];

/** The command line that goes on; undefined without a log. */
function resumeCommand({ line, context, options: { log, resume = log } }: Run): string | undefined {
  if (resume === undefined) return undefined;
  const { command, texts, items = [] } = line;
  const { args, each, path } = command;
  const { globals } = context;
  const options = optionsOf(command);
  const words = Object.keys(args).flatMap((key) =>
    key === each ? items : (texts.get(key)?.slice(0, 1) ?? []),
  );
  const given = [...texts].flatMap(([key, values]) => {
    const option = options[key];
    if (option === undefined || NOT_AGAIN.includes(key) || Object.hasOwn(args, key)) return [];
    return values.flatMap((value) => [
      longName(key, option),
      ...(option.value === '' ? [] : [value]),
    ]);
  });
  const yes = globals.yes ? ['--yes'] : [];
  return sameTarget(
    ['svc', ...path.split(' '), ...words, ...given, ...yes, '--resume', resume],
    globals,
  );
}

async function rememberTyped(
  { line, ended }: End,
  context: Needs<'settings' | 'store' | 'time' | 'env'>,
  items: readonly Item[],
): Promise<void> {
  const done = new Set(ended.flatMap(({ how, id }) => (how === 'done' ? [id] : [])));
  const ids = line.items?.filter((id) => done.has(id)) ?? [];
  const values = items.find(({ id }) => ids.includes(id))?.values;
  if (values !== undefined) await remember(context, line.command, { ...values, [line.each]: ids });
}

async function finish(
  { line, context: { io }, stops }: Run,
  printer: Printer,
  end: End,
): Promise<void> {
  const failure = stops.failure();
  if (failure instanceof OutputClosed) {
    // A reader that closes the pipe has seen enough, unless something was changed.
    if (line.command.effect === 'reads') throw failure;
    const stopped = new CliError('unexpected', 'The output was closed, so svc stopped.');
    throw errorOf({ ...end, stopped }) ?? failure;
  }
  const error = errorOf(end);
  const fault = failure ?? (await printer.end().catch((thrown: unknown) => thrown));
  if (fault !== undefined) throw withCounts(fault, end, error);
  if (!printer.isData) await io.show((screen) => showEnding(screen, end));
  // Lines of JSON have theirs.
  for (const { warning, ids } of io.json ? [] : warningsOf(end.ended)) {
    await io.warn([`${listed(ids)}: `, ...piecesOf(warning.text)], warning.code);
  }
  if (error !== undefined) throw error;
  const summary = { summary: countsOf(end) } satisfies LineOf<'counted'>;
  if (io.json) await io.err.write(`${stringifyDocument(summary)}\n`, 'json');
}

function withCounts(fault: unknown, end: End, error: CliError | undefined): unknown {
  if (!(fault instanceof CliError)) return fault;
  const { lines = [], hint = error?.details.hint } = fault.details;
  const counts = error === undefined ? [] : [error.message];
  return fault.with({ lines: [...lines, ...counts], hint, summary: countsOf(end) });
}
