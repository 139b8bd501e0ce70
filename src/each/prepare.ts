import { cancelled, listed, usageError } from '../errors.ts';
import { needsYes } from '../kit/ask.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { type Each, KINDS, type RunOptions } from '../kit/each.ts';
import { longName, type Texts } from '../kit/read-values.ts';
import { formatCount } from '../terminal/numbers.ts';
import { hashOfOptions, type Item } from './list.ts';
import type { LoggedItems, LogHeader } from './read-log.ts';

// Everything before the first request of a run.

/** Checks the options of a line for several against each other. Throws a usage error. */
export function checkTogether(command: Command, each: Each, texts: Texts, options: RunOptions): void {
  const [alone] = (command.alone ?? []).filter((key) => texts.has(key));
  const option = alone === undefined ? undefined : command.options[alone];
  const { one, several } = KINDS[each];
  if (alone !== undefined && option !== undefined) {
    const name = longName(alone, option);
    if (alone === command.stays) throw usageError(`${name} reads no list.`, `Name a few ${several} on the line.`);
    throw usageError(`${name} works on one ${one}.`, `Name one ${one}, or leave out ${name}.`);
  }
  if (options.retryUnknown && options.resume === undefined) {
    throw usageError('--retry-unknown needs --resume.', 'For example: --resume run.ndjson --retry-unknown');
  }
  if (options.log !== undefined && options.resume !== undefined) {
    throw usageError(
      '--log and --resume cannot be used together.',
      'Leave out --log: --resume goes on in the same file.',
    );
  }
  if (texts.has('dryRun') && (options.log ?? options.resume) !== undefined) {
    throw usageError('--dry-run sends nothing, so there is nothing to log.', 'Leave out --log and --resume.');
  }
}

/** Whether a line waits for the jobs of a log, whatever action queued them. */
export function isOfLog(each: Each, texts: Texts): boolean {
  return each === 'jobId' && texts.has('resume') && !texts.has(each) && !texts.has('jobs');
}

/** The jobs that a log says are running. Their ends are written to it for the items that they belong to. */
export function jobsIn(known: LoggedItems | undefined): readonly Item[] {
  return [...(known?.open ?? [])].flatMap(([key, job], index) => {
    if (job === undefined) return [];
    const { jobId, org } = job;
    const [service = ''] = key.split(' ');
    return [{ index, id: jobId, given: { job: jobId, service }, org, own: new Map([['service', [service]]]), key }];
  });
}

/** Returns the first line of the log of a run; without items, what that of any action has. */
export function headerOf(
  command: Command,
  each: Each,
  texts: Texts,
  { settings }: Context,
  items: readonly Item[] | undefined,
): LogHeader {
  const others = Object.keys(command.args).filter((key) => key !== each);
  const common = { log: 1, address: settings.apiUrl().value, organization: settings.org()?.value ?? null } as const;
  if (items === undefined) return { ...common, command: 'wp run', options: undefined };
  return {
    ...common,
    command: [command.path, ...others.flatMap((key) => texts.get(key) ?? [])].join(' '),
    options: hashOfOptions(each, texts),
  };
}

/** The items of a list, sorted by what to do with them. */
export interface RunPlan {
  readonly total: number;
  readonly todo: readonly Item[];
  /** Left out: the log says that they are done. */
  readonly doneBefore: number;
  /** Left out: they may have been carried out. */
  readonly inDoubt: readonly Item[];
}

/** Leaves out the items that are done, and those in doubt unless the options repeat them. */
export function planOf(
  items: readonly Item[],
  known: LoggedItems | undefined,
  { retryUnknown }: Pick<RunOptions, 'retryUnknown'>,
): RunPlan {
  const open = items.filter(({ key }) => !known?.done.has(key));
  const isInDoubt = ({ key }: Item) => known?.open.has(key) && known.open.get(key) === undefined;
  const inDoubt = retryUnknown ? [] : open.filter(isInDoubt);
  const left = new Set(inDoubt);
  const todo = open.filter((item) => !left.has(item));
  return { total: items.length, todo, doneBefore: items.length - open.length, inDoubt };
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

const CONCURRENCY = 4;
const MIN_RUNNING = 32;

/** How many requests may be under way, and how many of so many items may be begun and not yet ended. */
export function limitsOf(
  { concurrency = CONCURRENCY, maxFailures }: RunOptions,
  isWaiting: boolean,
  count: number,
): { readonly requests: number; readonly running: number } {
  // With a limit of failures no more than there are requests, so that a mistake is seen before it reaches every item.
  const running = isWaiting && maxFailures === undefined ? Math.max(MIN_RUNNING, 8 * concurrency) : concurrency;
  return { requests: concurrency, running: Math.max(1, Math.min(running, count)) };
}

/** The number of failures that stops a run of so many items. */
export function failureLimit({ maxFailures }: RunOptions, total: number): number {
  if (maxFailures === undefined) return Number.POSITIVE_INFINITY;
  const { count, isShare } = maxFailures;
  return isShare ? Math.max(1, Math.ceil((total * count) / 100)) : count;
}
