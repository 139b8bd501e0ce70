import { ITEM_WORDS } from '../cli/define/batch.ts';
import { isWaiting, type TypedLine } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { remember } from '../cli/define/known.ts';
import { askedTable, readOptions } from '../cli/values/read-values.ts';
import { CliError, listed } from '../errors.ts';
import { once } from '../once.ts';
import { OutputClosed } from '../terminal/io.ts';
import { plural } from '../terminal/numbers.ts';
import { piecesOf, plainOf } from '../terminal/screen.ts';
import { createSignInCheck, explainAcceptedToken } from './check-sign-in.ts';
import {
  type BatchEnd,
  createBatchError,
  groupItems,
  type ItemEnd,
  showEnding,
  toItemEnd,
} from './ending.ts';
import type { BatchLine, Item } from './item.ts';
import { type BatchList, readList } from './list.ts';
import { type BatchLog, openLog } from './log.ts';
import { createPace, createSlots } from './pace.ts';
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
import { printCounts, showProgress } from './progress.ts';
import { type Outcome, type Run, runItem, toOrgSetting } from './run-item.ts';
import { createStops } from './stops.ts';

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

  const log = await openLogOfRun(line, context, options);
  try {
    const plan = await createPlan(line, context, list, log);
    return await runPlan(line, context, options, { plan, log });
  } finally {
    log?.close();
  }
}

async function openLogOfRun(
  line: BatchLine,
  context: Context,
  options: RunOptions,
): Promise<BatchLog | undefined> {
  if (options.log === undefined) return undefined;
  const log = await openLog(context, options.log, createLogHeader(line, context));
  try {
    checkLogIsOpen(log, options.log, context.time.clock.now());
    return log;
  } catch (error) {
    log.close();
    throw error;
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
  await rememberTyped(run, end, plan.todo);
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
  await context.io.warn(`${words} ${isRead ? 'asked' : 'done'}.`, 'empty_list');
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
  const values = { csv: askedTable(texts), ...readOptions(command.options, texts) };
  return batch.gather(context, values, items);
}

const CONCURRENCY = 4;
/**
 * The items that may be begun and not yet ended, if each waits for a job: a wait takes no place
 * from requests.
 */
const MAX_UNFINISHED = 1_000;

function createRun(
  line: BatchLine,
  context: Context,
  { concurrency = CONCURRENCY, stopAfter }: RunOptions,
  log: BatchLog | undefined,
): Run {
  const { api, time } = context;
  const stops = createStops(context, stopAfter);
  const clients = new Map<string | undefined, ReturnType<Run['clientsFor']>>();
  return {
    line,
    context,
    log,
    stops,
    pace: createPace(time.random),
    slots: createSlots(concurrency),
    clientsFor(org) {
      const setting = org === undefined ? undefined : toOrgSetting(org);
      const known = clients.get(org);
      if (known !== undefined) return known;
      // Only requests under way may go on after a signal.
      const created = api.gatedClients({
        signal: stops.endSignal,
        org: setting,
        atOnce: concurrency,
      });
      clients.set(org, created);
      return created;
    },
  };
}

/**
 * Returns how many items are begun at a time. With `--max-failures` no more than requests, so that
 * a mistake is seen before it reaches every item.
 */
function getMaxUnfinished(
  { command, texts }: BatchLine,
  { concurrency = CONCURRENCY, maxFailures }: RunOptions,
): number {
  const isUnlimited = maxFailures === undefined && isWaiting(command, texts);
  return isUnlimited ? MAX_UNFINISHED : concurrency;
}

async function carryOut(
  run: Run,
  options: RunOptions,
  plan: Plan,
  printer: Printer,
): Promise<BatchEnd> {
  const { line, log, stops } = run;
  const { todo, reported } = plan;
  if (todo.length > 0) log?.begin(stops.halt);

  const ended: ItemEnd[] = [];
  const getEnd = createEndReader(run, plan, ended);
  const report = async (outcome: Outcome) => {
    ended.push(toItemEnd(outcome));
    // Counted at once, but printed only as fast as the output is read.
    await printer.print(outcome);
  };
  const judge = createStopJudge(run, options);
  const queue = todo.values();
  const work = async () => {
    for (let next = queue.next(); !next.done && !stops.stopSignal.aborted; next = queue.next()) {
      const outcome = await runItem(run, next.value);
      if (outcome === undefined) return;
      await report(await judge(outcome));
    }
  };

  const stopProgress = showProgress(run, getEnd);
  try {
    await printer.begin();
    for (const outcome of reported) await report(outcome);
    const workers = Math.min(getMaxUnfinished(line, options), todo.length);
    const fail = (error: unknown) => stops.halt(toStopReason(line, error));
    await Promise.all(Array.from({ length: workers }, () => work().catch(fail)));
  } finally {
    stopProgress();
  }

  const end = getEnd();
  if (todo.length > 0 && isEnded(end)) addLogEnd(run);
  return end;
}

/** Makes the reader of how far a run is. */
function createEndReader(run: Run, plan: Plan, ended: readonly ItemEnd[]): () => BatchEnd {
  const { line, log, stops, context } = run;
  const { clock } = context.time;
  const startedAtMs = clock.monotonic();
  const total = plan.todo.length + plan.reported.length + plan.skipped;
  const typedAgain = once(() => context.line.again().replace(' --retry-unknown', ''));
  // A list on standard input is gone.
  const isRepeatable = ![...line.texts.values()].some((texts) => texts.includes('-'));
  const again = (...words: readonly string[]) => [typedAgain(), ...words].join(' ');
  return () => ({
    line,
    total,
    skipped: plan.skipped,
    ended,
    ms: clock.monotonic() - startedAtMs,
    again: isRepeatable ? again : undefined,
    hasLog: log !== undefined,
    stopReason: stops.stopSignal.reason,
  });
}

/** Whether nothing of the list is left to send: all is done, or queued. */
function isEnded({ ended, total, skipped }: BatchEnd): boolean {
  const isOver = ({ how }: ItemEnd) => how === 'done' || how === 'alerts' || how === 'queued';
  return ended.length + skipped === total && ended.every(isOver);
}

function addLogEnd({ log, context }: Run): void {
  try {
    log?.addEnd(context.time.clock.now());
  } catch {
    // The run fails, but first reports what it did.
  }
}

/**
 * Makes the judge of each outcome, which stops the run after too many failures, and as soon as the
 * platform refuses the token itself.
 */
function createStopJudge(run: Run, { maxFailures = Number.POSITIVE_INFINITY }: RunOptions) {
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

function toStopReason({ command }: BatchLine, error: unknown): unknown {
  const isUnread = error instanceof OutputClosed && command.effect !== 'reads';
  return isUnread ? new CliError('unexpected', 'The output was closed, so svc stopped.') : error;
}

/** Remembers the typed ids that were done, for Tab. */
async function rememberTyped(
  { line, context }: Run,
  { ended }: BatchEnd,
  items: readonly Item[],
): Promise<void> {
  const done = new Set(ended.flatMap(({ how, item }) => (how === 'done' ? [item.id] : [])));
  const ids = line.items?.filter((id) => done.has(id)) ?? [];
  const values = items.find(({ id }) => ids.includes(id))?.values;
  if (values === undefined) return;
  await remember(context, line.command, { ...values, [line.batch.of]: ids });
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

/** What several are warned of is said once, with their ids; lines of JSON have theirs. */
async function warnOnce({ io }: Needs<'io'>, { ended }: BatchEnd): Promise<void> {
  const all = ended.flatMap(({ item, warnings }) => warnings.map((warning) => ({ item, warning })));
  const groups = groupItems(all, ({ warning }) => `${warning.code} ${plainOf(warning.text)}`);
  for (const { first, ids } of groups) {
    await io.warn([`${listed(ids)}: `, ...piecesOf(first.warning.text)], first.warning.code);
  }
}
