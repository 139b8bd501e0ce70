import { cancelled, listed, usageError } from '../errors.ts';
import { needsYes } from '../kit/ask.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { type Each, KINDS, type RunOptions } from '../kit/each.ts';
import { longName, type Texts } from '../kit/read-values.ts';
import { formatCount } from '../terminal/numbers.ts';
import { hashOfOptions, type Item, isInShard } from './list.ts';
import type { LoggedItems, LogHeader } from './read-log.ts';

// Everything before the first request of a run.

/** Checks the options of a line for several against each other. Throws a usage error. */
export function checkTogether(command: Command, each: Each, texts: Texts, context: Context, options: RunOptions): void {
  const [alone] = (command.alone ?? []).filter((key) => texts.has(key));
  const option = alone === undefined ? undefined : command.options[alone];
  const { one } = KINDS[each];
  if (alone !== undefined && option !== undefined) {
    const name = longName(alone, option);
    throw usageError(`${name} works on one ${one}.`, `Name one ${one}, or leave out ${name}.`);
  }
  if (texts.has('csv') && context.settings.globals.json)
    throw usageError('--csv and --json cannot be used together.', 'Use one of the two.');
  if (options.retryUnknown && options.resume === undefined) {
    throw usageError('--retry-unknown needs --resume.', 'For example: --resume run.ndjson --retry-unknown');
  }
  if (texts.has('dryRun') && (options.log ?? options.resume) !== undefined) {
    throw usageError('--dry-run sends nothing, so there is nothing to log.', 'Leave out --log and --resume.');
  }
}

/** Returns the first line of the log of a run. */
export function headerOf(
  command: Command,
  each: Each,
  texts: Texts,
  { settings }: Context,
  items: readonly Item[],
): LogHeader {
  const others = Object.keys(command.args).filter((key) => key !== each);
  return {
    log: 1,
    command: [command.path, ...others.flatMap((key) => texts.get(key) ?? [])].join(' '),
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
    items: items.length,
    options: hashOfOptions(each, texts),
  };
}

/** The items of a list, sorted by what to do with them. */
export interface RunPlan {
  /** How many belong to this machine. */
  readonly total: number;
  readonly todo: readonly Item[];
  /** Left out: the log says that they are done. */
  readonly doneBefore: number;
  /** Left out: they may have been carried out. */
  readonly inDoubt: readonly Item[];
}

/** Leaves out the items of other machines, those that are done, and those in doubt unless the options repeat them. */
export function planOf(
  items: readonly Item[],
  known: LoggedItems | undefined,
  { shard, retryUnknown }: Pick<RunOptions, 'shard' | 'retryUnknown'>,
): RunPlan {
  const mine = shard === undefined ? items : items.filter((item) => isInShard(item, shard));
  const open = mine.filter(({ key }) => !known?.done.has(key));
  const inDoubt = retryUnknown ? [] : open.filter(({ key }) => known?.inDoubt.has(key));
  const left = new Set(inDoubt);
  const todo = open.filter((item) => !left.has(item));
  return { total: mine.length, todo, doneBefore: mine.length - open.length, inDoubt };
}

/** Asks once, before anything is sent. What spends or moves DNS asks even for one: the command itself then asks no more. */
export async function confirmRun(
  command: Command,
  each: Each,
  context: Context,
  texts: Texts,
  todo: readonly Item[],
): Promise<void> {
  if (command.effect === 'reads' || texts.has('dryRun')) return;
  const { io, settings } = context;
  const { one, several } = KINDS[each];
  const count = `${formatCount(todo.length)} ${todo.length === 1 ? one : several}`;
  const question = `Run svc ${command.path} for ${count} (${listed(todo.map(({ id }) => id))})?`;
  if (needsWord(command)) return todo.length === 0 ? undefined : io.confirmOrStop(question);
  if (todo.length < 2 || settings.globals.yes) return;
  if (!io.interactive) throw needsYes(context);
  if (!(await io.confirm(question))) throw cancelled('usage', 'Nothing was sent.');
}

function needsWord({ effect }: Command): boolean {
  return effect === 'spends' || effect === 'moves-dns';
}

/** The number of failures that stops a run of so many items. */
export function failureLimit({ maxFailures }: RunOptions, total: number): number {
  if (maxFailures === undefined) return Number.POSITIVE_INFINITY;
  const { count, isShare } = maxFailures;
  return isShare ? Math.max(1, Math.ceil((total * count) / 100)) : count;
}
