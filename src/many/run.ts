import { setMaxListeners } from 'node:events';
import { needsYes } from '../command/ask.ts';
import type { Context } from '../command/context.ts';
import type { Command } from '../command/define.ts';
import { KINDS, MORE_WORDS, RUN_OPTIONS, type RunOptions } from '../command/each.ts';
import { remember } from '../command/known.ts';
import { longName, readOptions, type Texts } from '../command/read-values.ts';
import { CliError, cancelled, listed, usageError } from '../errors.ts';
import { OutputClosed } from '../terminal/io.ts';
import { formatCount } from '../terminal/numbers.ts';
import { resumeCommand } from './again.ts';
import { contextsOf, type Outcome, type Run, runItem } from './item.ts';
import { hashOf, type Item, isInShard, readItems, valuesReader } from './list.ts';
import { type LogHeader, openLog, type Progress, readLog } from './log.ts';
import { createPrinter } from './output.ts';
import { createPace } from './pace.ts';
import { showProgress } from './progress.ts';
import { createTally, type End } from './tally.ts';

const CONCURRENCY = 4;
/** Time that requests under way have after Ctrl-C. */
const GRACE_MS = 5_000;

/**
 * Carries a command out for each of several. Prints each outcome as it comes; returns once all are printed.
 * @throws CliError for the whole: the common code of all failures, or `partial`; `interrupted` after Ctrl-C.
 */
export async function runForSeveral(command: Command, texts: Texts, context: Context): Promise<void> {
  const { each } = command;
  if (each === undefined) throw new RangeError(`${command.path} is for one alone`);
  const { io, settings, system } = context;
  const options = readOptions(RUN_OPTIONS, texts);
  checkTogether(command, texts, context, options);
  const printerFor = await createPrinter(command, texts, context);
  const { mine, before, todo, header } = await divide(command, texts, context, options);
  await confirm(command, context, texts, todo);
  const logPath = options.log ?? options.resume;
  const log =
    logPath === undefined || todo.length === 0
      ? undefined
      : await openLog(context, logPath, header, logPath === options.resume, before);

  const printer = printerFor(todo.length);
  const tally = createTally(command, each);
  const [stop, end] = [new AbortController(), new AbortController()];
  for (const { signal } of [stop, end]) setMaxListeners(0, signal);
  const run: Run = {
    command,
    valuesFor: valuesReader(command, each, texts),
    context,
    contextFor: contextsOf(context, stop.signal, end.signal),
    pace: createPace(system.random),
    log,
    stop: stop.signal,
    halt: (reason) => stop.abort(reason),
  };
  const listening = endOnSignals(context, stop, end);
  const startedAt = system.clock.monotonic();
  const elapsed = () => system.clock.monotonic() - startedAt;
  const progress = showProgress(context, { command, run, tally, total: todo.length, elapsed });
  const mostFailures = limitOf(options, mine.length);
  const typed = new Set([...(texts.get(each) ?? []), ...(texts.get(MORE_WORDS) ?? [])]);
  const typedAndDone: Outcome[] = [];
  let failure: unknown;

  const report = async (outcome: Outcome) => {
    tally.add(outcome);
    if (outcome.error === undefined && typed.has(outcome.item.id)) typedAndDone.push(outcome);
    await printer.print(outcome);
  };
  const work = async (queue: Iterator<Item>) => {
    for (let next = queue.next(); !next.done && !stop.signal.aborted; next = queue.next()) {
      try {
        const outcome = await runItem(run, next.value);
        if (outcome === undefined) return;
        const printed = report(outcome);
        if (tally.failed >= mostFailures) stop.abort(tooManyFailures(tally.failed));
        await printed;
      } catch (error) {
        failure ??= error;
        stop.abort(failure);
      }
    }
  };
  try {
    await printer.begin?.();
    for (const item of mine.filter(({ index }) => before.inDoubt.has(index))) {
      await report({ item, result: undefined, error: leftInDoubt(item), isInDoubt: true, attempts: 0, ms: 0 });
    }
    const queue = todo.values();
    await Promise.all(Array.from({ length: options.concurrency ?? CONCURRENCY }, () => work(queue)));
  } finally {
    progress.stop();
    listening.stop();
    log?.close();
  }
  await rememberTyped(context, run, typedAndDone);
  const whole: End = {
    total: mine.length,
    doneBefore: mine.filter(({ index }) => before.done.has(index)).length,
    ms: elapsed(),
    resume: logPath === undefined ? undefined : resumeCommand(command, texts, settings.globals, logPath),
    stopped: stop.signal.aborted && stop.signal.reason instanceof CliError ? stop.signal.reason : undefined,
  };
  if (failure instanceof OutputClosed && command.effect === 'reads') throw failure;
  if (failure !== undefined)
    throw failure instanceof OutputClosed
      ? (tally.verdict({ ...whole, stopped: outputClosed() }) ?? failure)
      : withCounts(failure, tally.verdict(whole));
  if (!texts.has('csv')) await io.show((screen) => tally.show(screen, whole));
  const verdict = tally.verdict(whole);
  if (verdict !== undefined) throw verdict;
}

/** The list, and what of it is still to be done on this machine. */
interface Division {
  /** The part of this machine. */
  readonly mine: readonly Item[];
  /** According to the log that is resumed. */
  readonly before: Progress;
  readonly todo: readonly Item[];
  readonly header: LogHeader;
}

async function divide(command: Command, texts: Texts, context: Context, options: RunOptions): Promise<Division> {
  const { each = 'service' } = command;
  const { settings } = context;
  const { shard, resume, retryUnknown } = options;
  const all = await readItems(command, each, texts, context);
  const others = Object.keys(command.args).filter((key) => key !== each);
  const header: LogHeader = {
    log: 1,
    command: [command.path, ...others.flatMap((key) => texts.get(key) ?? [])].join(' '),
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
    items: all.length,
    list: hashOf(command, each, texts, all),
  };
  const known: Progress =
    resume === undefined ? { done: new Set(), inDoubt: new Set() } : await readLog(context, resume, header);
  const before: Progress = retryUnknown ? { done: known.done, inDoubt: new Set() } : known;
  const mine = shard === undefined ? all : all.filter((item) => isInShard(item, shard));
  const todo = mine.filter(({ index }) => !before.done.has(index) && !before.inDoubt.has(index));
  return { mine, before, todo, header };
}

/** Offers the ids that were typed, and that the service knows, to pickers and Tab. */
async function rememberTyped(context: Context, run: Run, done: readonly Outcome[]): Promise<void> {
  const { command, valuesFor } = run;
  const { each = 'service' } = command;
  const latest = done.at(-1);
  if (latest === undefined) return;
  const values = { ...valuesFor(latest.item), [each]: done.map(({ item }) => item.id) };
  await remember(context, command, values, latest.result?.seen);
}

function checkTogether(command: Command, texts: Texts, context: Context, options: RunOptions): void {
  const [alone] = (command.alone ?? []).filter((key) => texts.has(key));
  const option = alone === undefined ? undefined : command.options[alone];
  const { several } = KINDS[command.each ?? 'service'];
  if (alone !== undefined && option !== undefined) {
    throw usageError(`${longName(alone, option)} is for one alone, not for several ${several}.`);
  }
  if (texts.has('csv') && context.settings.globals.json)
    throw usageError('--csv and --json do not go together.', 'Use one of the two.');
  if (options.retryUnknown && options.resume === undefined) {
    throw usageError('--retry-unknown belongs to --resume.', 'For example: --resume run.ndjson --retry-unknown');
  }
  if (texts.has('dryRun') && (options.log ?? options.resume) !== undefined) {
    throw usageError('--dry-run sends nothing, so there is nothing to log.', 'Leave out --log and --resume.');
  }
}

/** Asks once, before anything is sent. */
async function confirm(command: Command, context: Context, texts: Texts, todo: readonly Item[]): Promise<void> {
  if (command.effect === 'reads' || texts.has('dryRun') || todo.length < 2) return;
  const { one, several } = KINDS[command.each ?? 'service'];
  const count = `${formatCount(todo.length)} ${todo.length === 1 ? one : several}`;
  const { io, settings } = context;
  if (settings.globals.yes) return;
  if (!io.interactive) throw needsYes(context);
  const question = `Run svc ${command.path} for ${count} (${listed(todo.map(({ id }) => id))})?`;
  const word = command.effect === 'spends' || command.effect === 'moves-dns';
  if (!(await io.confirm(question, { word }))) throw cancelled('usage', 'Nothing was sent.');
}

/** Stops the run at the first signal, and what is under way soon after, or at the second signal. */
function endOnSignals({ system: { signal, hurry } }: Context, stop: AbortController, end: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  const interrupted = () => {
    stop.abort(signal.reason);
    timer = setTimeout(() => end.abort(signal.reason), GRACE_MS);
  };
  const hurried = () => end.abort(signal.reason);
  signal.addEventListener('abort', interrupted, { once: true });
  hurry.addEventListener('abort', hurried, { once: true });
  if (signal.aborted) interrupted();
  return {
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupted);
      hurry.removeEventListener('abort', hurried);
    },
  };
}

function limitOf({ maxFailures }: RunOptions, total: number): number {
  if (maxFailures === undefined) return Number.POSITIVE_INFINITY;
  const { count, isShare } = maxFailures;
  return isShare ? Math.max(1, Math.ceil((total * count) / 100)) : count;
}

function tooManyFailures(count: number): CliError {
  return new CliError(
    'partial',
    `Stopped after ${formatCount(count)} ${count === 1 ? 'failure' : 'failures'} (--max-failures).`,
  );
}

function outputClosed(): CliError {
  return new CliError('unexpected', 'Nobody reads the output any more, so svc stopped.');
}

function leftInDoubt({ id }: Item): CliError {
  return new CliError('unavailable', `${id} was begun before, and nothing says how it ended. It was not repeated.`, {
    outcome: 'unknown',
    hint: 'Check it, then repeat it with --retry-unknown.',
  });
}

/** Says with an error of the output or the log how far the run has come. */
function withCounts(failure: unknown, verdict: CliError | undefined): unknown {
  if (!(failure instanceof CliError) || verdict === undefined) return failure;
  return failure.with({
    lines: [...(failure.details.lines ?? []), verdict.message],
    hint: failure.details.hint ?? verdict.details.hint,
  });
}
