import { ITEM_WORDS } from '../cli/define/batch.ts';
import type { TypedLine } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { findTableOption, readOptions } from '../cli/values/read-values.ts';
import { CliError, listNames } from '../errors.ts';
import { toPieces, toPlainText } from '../terminal/screen.ts';
import { carryOut, createRun } from './carry-out.ts';
import type { BatchEnd } from './end.ts';
import { createBatchError, groupItems, showEnding } from './ending.ts';
import type { BatchLine, Item } from './item.ts';
import { type BatchList, readList } from './list.ts';
import { type BatchLog, openLog } from './log.ts';
import {
  checkLogIsOpen,
  confirmRun,
  createLogHeader,
  type Plan,
  planItems,
  planLook,
  type RunOptions,
  readBatchOptions,
} from './plan.ts';
import { createPrinter, createRowView, type Printer } from './print.ts';
import { printCounts } from './progress.ts';
import type { Run } from './run-item.ts';

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
  const list = await readList(line, context);
  if (list.kind === 'items' && list.items.length === 0) return endEmpty(line, context);

  const log =
    options.log === undefined
      ? undefined
      : await openLog(context, options.log, createLogHeader(line, context));
  try {
    const plan = await createPlan(line, context, list, log);
    const now = context.time.clock.now();
    if (log !== undefined) checkLogIsOpen(log, plan, options.log ?? '', now);
    return await runPlan(line, context, options, { plan, log });
  } finally {
    log?.close();
  }
}

async function createPlan(
  line: BatchLine,
  context: Context,
  list: BatchList,
  log: BatchLog | undefined,
): Promise<Plan> {
  if (list.kind === 'log') return planLook(line, list.text, list.file, context);
  return planItems(line, list.items, log);
}

async function runPlan(
  line: BatchLine,
  context: Context,
  options: RunOptions,
  { plan, log }: { readonly plan: Plan; readonly log: BatchLog | undefined },
): Promise<number> {
  const view = await createView(line, context, plan.todo);
  if ('isPrinted' in view) {
    if (view.failure !== undefined) throw view.failure;
    return view.exitCode ?? 0;
  }

  const printer = await createPrinter(line, context, view, plan.todo.length);
  await confirmRun(line, context, plan.todo);
  const run = createRun(line, context, options, log);
  const end = await carryOut(run, options, plan, printer).finally(run.stops.close);
  await finish(run, printer, end);
  return 0;
}

/** Ends a batch without items. A check of nothing would look like a good one. */
async function endEmpty(line: BatchLine, context: Context): Promise<number> {
  const { batch, command, texts } = line;
  const words = `There are no ${ITEM_WORDS[batch.of]}s in the list, so nothing was`;
  const { checks = [] } = batch;
  const isCheck = checks === 'always' || checks.some((key) => texts.has(key));
  if (isCheck) throw new CliError('no_data', `${words} checked.`);

  const isRead = command.effect === 'reads';
  const view = texts.has('csv') ? await createView(line, context, []) : createRowView(batch);
  if (!('isPrinted' in view)) await (await createPrinter(line, context, view, 0)).begin();
  const participle = isRead ? 'asked' : 'done';
  await context.io.warn(`${words} ${participle}.`, 'empty_list');
  if (!context.globals.json) return 0;
  await printCounts(context, {
    line,
    total: 0,
    skipped: 0,
    ended: [],
    ms: 0,
    again: undefined,
    hasLog: false,
    stopReason: undefined,
  });
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

async function finish(run: Run, printer: Printer, end: BatchEnd): Promise<void> {
  const { io, globals } = run.context;
  const { stopReason } = end;
  // A reader that closes the pipe of reads has seen enough.
  if (stopReason !== undefined && !(stopReason instanceof CliError)) throw stopReason;

  const error = createBatchError(end);
  if (!io.out.closed) {
    await printer.end();
    if (!printer.isData) await io.show((screen) => showEnding(screen, end));
  }
  if (!globals.json) await warnOnce(run.context, end);
  if (end.ended.length === 0 && end.total > 0) await warnOfFinishedLog(run);
  if (error !== undefined) throw error;
  if (globals.json) await printCounts(run.context, end);
}

async function warnOfFinishedLog({ context, log }: Run): Promise<void> {
  const endedAtMs = log?.state.endedAtMs;
  const at = endedAtMs === undefined ? '' : ` on ${new Date(endedAtMs).toISOString()}`;
  const words = `This run ended${at}, so nothing was sent. For a new run name another file with --log.`;
  await context.io.warn(words, 'already_done');
}

/** Prints a warning about several items once, with their ids; lines of JSON have theirs. */
async function warnOnce({ io }: Needs<'io'>, { ended }: BatchEnd): Promise<void> {
  const all = ended.flatMap(({ item, warnings }) => warnings.map((warning) => ({ item, warning })));
  const groups = groupItems(all, ({ warning }) => `${warning.code} ${toPlainText(warning.text)}`);
  for (const { first, ids } of groups) {
    await io.warn([`${listNames(ids)}: `, ...toPieces(first.warning.text)], first.warning.code);
  }
}
