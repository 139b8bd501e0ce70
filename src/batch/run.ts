import { isWaiting, type TypedLine } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { askedTable, readOptions } from '../cli/values/read-values.ts';
import type { LineOf } from '../contract/fields/documents.ts';
import { CliError, listed } from '../errors.ts';
import { once } from '../once.ts';
import { OutputClosed } from '../terminal/io.ts';
import { plural } from '../terminal/numbers.ts';
import { stringifyDocument } from '../terminal/safe-text.ts';
import { piecesOf, plainOf } from '../terminal/screen.ts';
import {
  countsOf,
  type End,
  type Ended,
  endedOf,
  errorOf,
  groupsOf,
  progressWords,
  showEnding,
} from './ending.ts';
import { type Outcome, orgOf, type Run, runItem } from './item.ts';
import { type BatchLine, type Item, readItems } from './list.ts';
import { openLog, type RunLog } from './log.ts';
import { createPace, createSlots } from './pace.ts';
import { confirmRun, headerOf, optionsIn, type Plan, planOf, type RunOptions } from './plan.ts';
import { createPrinter, type Printer, rowTable } from './print.ts';
import { createStops } from './stops.ts';

/**
 * Carries a command out for each of several. Prints each outcome as it comes; returns an exit code
 * once all are printed.
 * @throws CliError for the whole; see `errorOf`.
 */
export async function runBatch(typed: TypedLine, given: Context): Promise<number> {
  const { batch } = typed.command;
  if (batch === undefined) throw new RangeError(`${typed.command.path} works on one`);
  const line: BatchLine = { ...typed, batch };
  const since = given.time.clock.now();
  const context = { ...given, batch: { since, jobId: undefined, queued() {} } };
  const options = optionsIn(line);
  const items = await readItems(line, context);
  const log =
    options.resume === undefined
      ? undefined
      : await openLog(context, options.resume, headerOf(line, context));
  try {
    const plan = planOf(line, items, log);
    const view = await gather(line, context, plan.todo);
    if ('isPrinted' in view) {
      if (view.failure !== undefined) throw view.failure;
      return view.exitCode ?? 0;
    }
    const printer = await createPrinter(line, context, view, plan.todo.length);
    await confirmRun(line, context, plan.todo);
    const run = createRun(line, context, options, log, since);
    const end = await carryOut(run, options, plan, printer);
    await finish(run, printer, end);
    return 0;
  } finally {
    log?.close();
  }
}

async function gather(
  { command, batch, texts }: BatchLine,
  context: Context,
  items: readonly Item[],
) {
  if (batch.gather === undefined) return rowTable(batch);
  return batch.gather(
    context,
    { csv: askedTable(texts), ...readOptions(command.options, texts) },
    items,
  );
}

const CONCURRENCY = 4;
/**
 * Items that may be begun and not yet ended, if each waits for a job: a wait takes no place from
 * requests.
 */
const MAX_UNFINISHED = 1_000;

function createRun(
  line: BatchLine,
  context: Context,
  options: RunOptions,
  log: RunLog | undefined,
  since: number,
): Run {
  const { api, time } = context;
  const stops = createStops(time.signal, time.hurry);
  const made = new Map<string | undefined, ReturnType<Run['clientsOf']>>();
  return {
    ...{ line, context, log, stops, since },
    pace: createPace(time.random),
    slots: createSlots(options.concurrency ?? CONCURRENCY),
    clientsOf(org) {
      const setting = org === undefined ? undefined : orgOf(org);
      // Only requests under way may go on after a signal.
      const clients =
        made.get(org) ??
        api.gatedClients({ signal: stops.end, org: setting, atOnce: atOnce(line, options) });
      made.set(org, clients);
      return clients;
    },
  };
}

/**
 * With `--max-failures` no more items than requests, so that a mistake is seen before it reaches
 * every item.
 */
function atOnce(
  { command, texts }: BatchLine,
  { concurrency = CONCURRENCY, maxFailures }: RunOptions,
): number {
  return maxFailures === undefined && isWaiting(command, texts) ? MAX_UNFINISHED : concurrency;
}

async function carryOut(run: Run, options: RunOptions, plan: Plan, printer: Printer): Promise<End> {
  const { line, log, stops, context } = run;
  const { time } = context;
  if (plan.todo.length > 0) log?.begin(stops.halt);
  const startedAt = time.clock.monotonic();
  const ended: Ended[] = [];
  const total = plan.todo.length + plan.inDoubt.length + plan.skipped;
  const same = once(() => context.line.again().replace(' --retry-unknown', ''));
  const again = log && ((...words: readonly string[]) => [same(), ...words].join(' '));
  const soFar = (): End => {
    const ms = time.clock.monotonic() - startedAt;
    return {
      ...{ line, total, skipped: plan.skipped, ended, ms, again },
      stopped: stops.stop.reason,
    };
  };
  let bad = 0;
  const report = async (outcome: Outcome) => {
    ended.push(endedOf(outcome));
    // Counted at once, but printed only as fast as the output is read.
    await printer.print(outcome);
  };
  const judge = ({ how, error }: Outcome) => {
    // No other item gets further with this token.
    if (error?.code === 'unauthenticated') stops.halt(error);
    if (how === 'failed' || how === 'running') bad += 1;
    if (bad < (options.maxFailures ?? Number.POSITIVE_INFINITY)) return;
    stops.halt(
      new CliError('partial', `Stopped after ${plural(bad, 'failure')} (--max-failures).`),
    );
  };
  const fail = (error: unknown) => {
    const isUnseen = error instanceof OutputClosed && line.command.effect !== 'reads';
    stops.halt(
      isUnseen ? new CliError('unexpected', 'The output was closed, so svc stopped.') : error,
    );
  };
  const queue = plan.todo.values();
  const work = async () => {
    for (let next = queue.next(); !next.done && !stops.stop.aborted; next = queue.next()) {
      const outcome = await runItem(run, next.value);
      if (outcome === undefined) return;
      judge(outcome);
      await report(outcome);
    }
  };
  const stopProgress = showProgress(run, soFar);
  try {
    await printer.begin();
    for (const item of plan.inDoubt) await report(leftInDoubt(item));
    const workers = Math.min(atOnce(line, options), plan.todo.length);
    await Promise.all(Array.from({ length: workers }, () => work().catch(fail)));
  } finally {
    stopProgress();
  }
  return soFar();
}

function leftInDoubt(item: Item): Outcome {
  const message = `${item.id} was begun before, and its result is unknown. It was not repeated.`;
  const hint = 'Check it, then repeat it with --retry-unknown.';
  const error = new CliError('unavailable', message, { outcome: 'unknown', hint });
  return { item, how: 'failed', error, isInDoubt: true, warnings: [], attempts: 0, ms: 0 };
}

/** Off a terminal: programs and people give up on work that says nothing for long. */
const SIGN_OF_LIFE_MS = 60_000;
const CHECK_MS = 200;

/** On a terminal always, elsewhere once a minute. Returns how to end it. */
function showProgress(
  { line, context: { io, time: { clock } }, pace, stops }: Run,
  soFar: () => End,
): () => void {
  const words = () => {
    const pauseSeconds = Math.ceil(pace.pauseMs(clock.monotonic()) / 1000);
    const why = pauseSeconds > 0 ? `, the platform asks to wait ${pauseSeconds} s` : '';
    return `${line.command.path}: ${progressWords(soFar())}${stops.stop.aborted ? ', stopping' : why}`;
  };
  if (io.err.isTty || io.host !== undefined) return io.progress(words).stop;
  let saidAt = 0;
  const timer = setInterval(() => {
    const end = soFar();
    if (end.ms - saidAt < SIGN_OF_LIFE_MS) return;
    saidAt = end.ms;
    void (io.json ? writeCounts({ io }, end) : io.note(words())).catch(() => undefined);
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}

async function writeCounts({ io }: Needs<'io'>, end: End): Promise<void> {
  const line = { summary: countsOf(end) } satisfies LineOf<'counted'>;
  await io.err.write(`${stringifyDocument(line)}\n`, 'json');
}

async function finish({ context: { io } }: Run, printer: Printer, end: End): Promise<void> {
  const { stopped } = end;
  // A reader that closes the pipe of reads has seen enough.
  if (stopped !== undefined && !(stopped instanceof CliError)) throw stopped;
  const error = errorOf(end);
  if (!io.out.closed) {
    await printer.end();
    if (!printer.isData) await io.show((screen) => showEnding(screen, end));
  }
  if (!io.json) await warnOnce({ io }, end);
  if (error !== undefined) throw error;
  if (io.json) await writeCounts({ io }, end);
}

/** What several are warned of is said once, with their ids; lines of JSON have theirs. */
async function warnOnce({ io }: Needs<'io'>, { ended }: End): Promise<void> {
  const all = ended.flatMap(({ item, warnings }) => warnings.map((warning) => ({ item, warning })));
  for (const [{ warning }, ids] of groupsOf(
    all,
    ({ warning: { code, text } }) => `${code} ${plainOf(text)}`,
  )) {
    await io.warn([`${listed(ids)}: `, ...piecesOf(warning.text)], warning.code);
  }
}
