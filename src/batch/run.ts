import { ITEM_WORDS, type TypedLine } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { findTableOption, readOptions } from '../cli/values/parameters.ts';
import { CliError } from '../errors.ts';
import { toPieces, toPlainText } from '../terminal/screen.ts';
import { carryOut } from './carry-out.ts';
import type { BatchEnd } from './end.ts';
import { createBatchError, groupItems, listIds, showEnding } from './ending.ts';
import { type BatchLine, type Item, isCheck } from './item.ts';
import { readList } from './list.ts';
import { openLog } from './log.ts';
import {
  checkLogIsOpen,
  confirmRun,
  createLogHeader,
  planItems,
  planLook,
  readBatchOptions,
} from './plan.ts';
import { createPrinter, createRowView, type Printer } from './print.ts';
import { printCounts } from './progress.ts';
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
  const list = await readList(line, context);
  if (list.kind === 'items' && list.items.length === 0) return endEmpty(line, context);

  const log =
    options.log === undefined
      ? undefined
      : await openLog(context, options.log, createLogHeader(line, context));
  try {
    const plan =
      list.kind === 'log'
        ? planLook(line, list.text, list.file, context)
        : planItems(line, list.items, log);
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
    await printCounts(context, { line, total: 0, skipped: 0, ended: [], ms: 0, hasLog: false });
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
