import { needsYes } from '../cli/define/ask.ts';
import { isWaiting, valuesOf } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { KINDS, type RunOptions } from '../cli/define/each.ts';
import { longName } from '../cli/values/read-values.ts';
import { cancelled, listed, usageError } from '../errors.ts';
import { plural } from '../terminal/numbers.ts';
import { hashOfOptions, type Item, type RunLine, readItems, textsFor } from './items.ts';
import { type LoggedItems, type LogHeader, openLog } from './log.ts';

export interface Plan {
  readonly total: number;
  readonly todo: readonly Item[];
  /** Left out: the log says that they are done. */
  readonly doneBefore: number;
  /** Left out: nobody knows whether they were done. */
  readonly inDoubt: readonly Item[];
}

/**
 * Checks a line for several, reads its items and opens its log, which the caller must close. Throws
 * a usage error.
 * @returns the items; undefined if they are the jobs of the log
 */
export async function prepare(line: RunLine, context: Context, options: RunOptions) {
  checkTogether(line, options);
  const { each, texts } = line;
  // `wp status --resume` looks at the jobs of a log, whatever action queued them.
  const isOfLog = each === 'jobId' && texts.has('resume') && !texts.has(each) && !texts.has('jobs');
  const items = isOfLog ? undefined : await readItems(line, context);
  const log = await openLog(context, options, headerOf(line, context, isOfLog), isOfLog);
  return { items, log };
}

function checkTogether(
  { command, each, texts }: RunLine,
  { log, resume, retryUnknown }: RunOptions,
): void {
  const alone = command.alone?.find((key) => texts.has(key));
  const option = alone === undefined ? undefined : command.options[alone];
  const { one, several } = KINDS[each];
  if (alone !== undefined && option !== undefined) {
    const name = longName(alone, option);
    if (alone === command.stays)
      throw usageError(`${name} reads no list.`, `Name a few ${several} on the line.`);
    throw usageError(`${name} works on one ${one}.`, `Name one ${one}, or leave out ${name}.`);
  }
  if (retryUnknown && resume === undefined) {
    throw usageError(
      '--retry-unknown needs --resume.',
      'For example: --resume run.ndjson --retry-unknown',
    );
  }
  if (log !== undefined && resume !== undefined) {
    const hint = 'Leave out --log: --resume goes on in the same file.';
    throw usageError('--log and --resume cannot be used together.', hint);
  }
  if (texts.has('dryRun') && (log ?? resume) !== undefined) {
    throw usageError(
      '--dry-run sends nothing, so there is nothing to log.',
      'Leave out --log and --resume.',
    );
  }
}

function headerOf(line: RunLine, { settings }: Needs<'settings'>, isOfLog: boolean): LogHeader {
  const { command, each, texts } = line;
  const common = {
    log: 1,
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
  } as const;
  if (isOfLog) return { ...common, command: 'wp run', options: undefined };
  const others = Object.keys(command.args).filter((key) => key !== each);
  const words = [command.path, ...others.flatMap((key) => texts.get(key) ?? [])];
  return { ...common, command: words.join(' '), options: hashOfOptions(line) };
}

/**
 * The jobs that a log says are running. Their ends are written to it for the items that they belong
 * to.
 */
function jobsIn(
  { command, each, texts }: RunLine,
  known: LoggedItems | undefined,
): readonly Item[] {
  return [...(known?.open ?? [])].flatMap(([key, job], index) => {
    if (job === undefined) return [];
    const { jobId: id, org } = job;
    const [service = ''] = key.split(' ');
    const values = valuesOf(command, textsFor(each, texts, id, new Map([['service', [service]]])));
    return [{ index, id, given: { job: id, service }, org, key, values }];
  });
}

export function planOf(
  line: RunLine,
  given: readonly Item[] | undefined,
  known: LoggedItems | undefined,
): Plan {
  const items = given ?? jobsIn(line, known);
  const repeats = line.texts.has('retryUnknown');
  const isInDoubt = ({ key }: Item) =>
    !repeats && known?.open.has(key) && known.open.get(key) === undefined;
  const open = items.filter(({ key }) => !known?.done.has(key));
  const todo = open.filter((item) => !isInDoubt(item));
  return {
    total: items.length,
    todo,
    doneBefore: items.length - open.length,
    inDoubt: open.filter(isInDoubt),
  };
}

/**
 * Asks once, before anything is sent. What spends or moves DNS asks even for one: the command
 * itself then asks no more.
 */
export async function confirmRun(
  { command, each, texts }: RunLine,
  context: Needs<'io' | 'globals' | 'line'>,
  todo: Plan['todo'],
) {
  const { effect, path } = command;
  if (effect === 'reads' || texts.has('dryRun') || todo.length === 0) return;
  const { io, globals } = context;
  const count = plural(todo.length, KINDS[each].one);
  const question = `Run svc ${path} for ${count} (${listed(todo.map(({ id }) => id))})?`;
  if (effect === 'spends' || effect === 'moves-dns') return io.confirmOrStop(question);
  if (todo.length < 2 || globals.yes) return;
  if (!io.interactive) throw needsYes(context);
  if (!(await io.confirm(question))) throw cancelled('usage', 'Nothing was sent.');
}

const CONCURRENCY = 4;
const MIN_RUNNING = 32;

/**
 * How many requests may be under way, how many items begun and not yet ended, and how many failures
 * stop the run.
 */
export function limitsOf({ command, texts }: RunLine, options: RunOptions, count: number) {
  const { concurrency: requests = CONCURRENCY, maxFailures } = options;
  if (maxFailures === undefined) {
    const running = isWaiting(command, texts) ? Math.max(MIN_RUNNING, 8 * requests) : requests;
    return { requests, running, failures: Number.POSITIVE_INFINITY };
  }
  const share = Math.max(1, Math.ceil((count * maxFailures.count) / 100));
  // No more items than requests, so that a mistake is seen before it reaches every item.
  return { requests, running: requests, failures: maxFailures.isShare ? share : maxFailures.count };
}
