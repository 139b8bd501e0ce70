import { needsYes } from '../cli/define/ask.ts';
import { CHANGE_OPTIONS, ONE } from '../cli/define/batch.ts';
import type { Needs } from '../cli/define/context.ts';
import { longName, readOptions } from '../cli/values/read-values.ts';
import { cancelled, listed, usageError } from '../errors.ts';
import { plural } from '../terminal/numbers.ts';
import { type BatchLine, hashOfOptions, type Item } from './list.ts';
import type { LogHeader, RunLog } from './log.ts';

/** See {@link optionsIn}. */
export type RunOptions = ReturnType<typeof optionsIn>;

/** Throws a usage error for options that do not fit together. */
export function optionsIn({ command, batch, texts }: BatchLine) {
  const single = batch.single?.find((key) => texts.has(key));
  const option = single && command.options[single];
  if (single && option) {
    const [name, one] = [longName(single, option), ONE[batch.of]];
    throw usageError(`${name} works on one ${one}.`, `Name one ${one}, or leave out ${name}.`);
  }
  const options = readOptions(CHANGE_OPTIONS, texts);
  if (options.retryUnknown && options.resume === undefined) {
    throw usageError(
      '--retry-unknown needs --resume.',
      'For example: --resume run.ndjson --retry-unknown',
    );
  }
  if (texts.has('dryRun') && options.resume !== undefined) {
    throw usageError('--dry-run sends nothing, so there is nothing to log.', 'Leave out --resume.');
  }
  return options;
}

export function headerOf(line: BatchLine, { settings }: Needs<'settings'>): LogHeader {
  const { command, batch, texts } = line;
  const others = Object.keys(command.args).filter((key) => key !== batch.of);
  return {
    log: 1,
    command: [command.path, ...others.flatMap((key) => texts.get(key) ?? [])].join(' '),
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
    options: hashOfOptions(line),
  };
}

/** What of a list is to be done. */
export interface Plan {
  readonly todo: readonly Item[];
  /** Left out: nobody knows whether they were done. */
  readonly inDoubt: readonly Item[];
  /** How many the log says are done. */
  readonly skipped: number;
}

export function planOf(
  { texts }: BatchLine,
  items: readonly Item[],
  log: RunLog | undefined,
): Plan {
  const open = items.filter(({ key }) => !log?.done.has(key));
  const isInDoubt = ({ key }: Item) =>
    log?.jobOf.has(key) === true && log.jobOf.get(key) === undefined;
  const inDoubt = texts.has('retryUnknown') ? [] : open.filter(isInDoubt);
  return {
    todo: open.filter((item) => !inDoubt.includes(item)),
    inDoubt,
    skipped: items.length - open.length,
  };
}

/**
 * Asks once, before anything is sent. What spends or moves DNS asks even for one: the command
 * itself then asks no more.
 */
export async function confirmRun(
  { command: { effect, path }, batch, texts }: BatchLine,
  { io, globals, line }: Needs<'io' | 'globals' | 'line'>,
  todo: readonly Item[],
) {
  if (effect === 'reads' || texts.has('dryRun') || todo.length === 0) return;
  const count = plural(todo.length, ONE[batch.of]);
  const question = `Run svc ${path} for ${count} (${listed(todo.map(({ id }) => id))})?`;
  if (effect === 'spends' || effect === 'moves-dns') return io.confirmOrStop(question);
  if (todo.length < 2 || globals.yes) return;
  if (!io.interactive) throw needsYes({ io, line });
  if (!(await io.confirm(question))) throw cancelled('usage', 'Nothing was sent.');
}
