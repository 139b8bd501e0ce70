import { CHANGE_OPTIONS, ITEM_WORDS, readLineValues } from '../cli/define/command.ts';
import { type Needs, needsYesError } from '../cli/define/context.ts';
import { longName, readOptions } from '../cli/values/parameters.ts';
import {
  CliError,
  cancelledError,
  type ErrorCode,
  EXIT_CODES,
  listNames,
  usageError,
} from '../errors.ts';
import { plural } from '../terminal/format.ts';
import { type BatchLine, getItemTexts, hashOptions, type Item, type Outcome } from './item.ts';
import type { BatchList } from './list.ts';
import type { BatchLog } from './log.ts';
import { type LogHeader, parseLog } from './log-text.ts';

const CONCURRENCY = 4;

/** The options of a batch, as {@link readBatchOptions} returns them. */
export type RunOptions = ReturnType<typeof readBatchOptions>;

/** Throws a usage error for options that do not fit together. */
export function readBatchOptions({ command, batch, texts }: BatchLine) {
  const single = batch.single?.find((key) => texts.has(key));
  const option = single && command.options[single];
  if (single && option) {
    const name = longName(single, option);
    const word = ITEM_WORDS[batch.of];
    throw usageError(`${name} works on one ${word}.`, `Name one ${word}, or leave out ${name}.`);
  }

  const { concurrency = CONCURRENCY, ...options } = readOptions(CHANGE_OPTIONS, texts);
  if (options.retryUnknown && options.log === undefined) {
    const hint = 'For example: --log run.ndjson --retry-unknown';
    throw usageError('--retry-unknown needs --log.', hint);
  }
  if (texts.has('dryRun') && options.log !== undefined) {
    throw usageError('--dry-run sends nothing, so there is nothing to log.', 'Leave out --log.');
  }
  return { ...options, concurrency };
}

export function createLogHeader(line: BatchLine, { settings }: Needs<'settings'>): LogHeader {
  const { command, batch, texts } = line;
  const otherArguments = Object.keys(command.args).filter((key) => key !== batch.of);
  const words = otherArguments.flatMap((key) => texts.get(key) ?? []);
  return {
    log: 1,
    command: [command.path, ...words].join(' '),
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
    options: hashOptions(line),
  };
}

/** The items to run, and the ends that are known without a request. */
export type Plan = ReturnType<typeof planItems>;

/** Plans a run of items: those that the log has done, or that are in doubt, are not sent again. */
export function planItems({ texts }: BatchLine, items: readonly Item[], log: BatchLog | undefined) {
  const open = items.filter(({ key }) => !log?.state.done.has(key));
  const isHeldBack = ({ key }: Item) =>
    !texts.has('retryUnknown') && log?.state.inDoubt.has(key) === true;
  const hint = 'Check it, then repeat it with --retry-unknown.';
  return {
    todo: open.filter((item) => !isHeldBack(item)),
    /** The items that are reported as they are, and not sent: in doubt, or failed in a log. */
    reported: open.filter(isHeldBack).map((item) => {
      const message = `${item.id} was begun before, and its result is unknown. It was not repeated.`;
      return reportItem(item, new CliError('unavailable', message, { outcome: 'unknown', hint }));
    }),
    /** How many the log says are done. */
    skipped: items.length - open.length,
  };
}

function reportItem(item: Outcome['item'], error: CliError): Outcome {
  const isInDoubt = error.details.outcome === 'unknown';
  return { item, how: 'failed', error, isInDoubt, warnings: [], attempts: 0, ms: 0 };
}

const FINISHED_FOR_MS = 12 * 3_600_000;

/**
 * Throws `already_done` for a log whose run has ended long ago: it would do nothing, night after
 * night, and nobody would see it. A run that was killed after its last item has ended with it.
 */
export function checkLogIsOpen(
  { givenPath, state, writtenAtMs }: BatchLog,
  plan: Plan,
  nowMs: number,
): void {
  const isNothingLeft = plan.todo.length + plan.reported.length === 0;
  const endedAtMs = state.endedAtMs ?? (isNothingLeft ? writtenAtMs : undefined);
  if (endedAtMs === undefined || nowMs - endedAtMs < FINISHED_FOR_MS) return;

  const ended = new Date(endedAtMs).toISOString();
  const message = `The run of ${givenPath} ended on ${ended}, so nothing was sent.`;
  const say = 'For a new run name another file, such as --log "run-$(date +%F).nd".';
  const look = [`svc wp status --jobs ${givenPath} --wait`];
  throw new CliError('already_done', message, {
    hint: state.jobs.size > 0 ? { say, run: look } : say,
  });
}

/**
 * Plans a look at the log of `svc wp run`: its jobs are asked for, and what may have been done or
 * failed is listed. Nothing is written.
 * @throws CliError `usage` for the log of another command, address or organization; `no_data` if
 * there is nothing to look at.
 */
export function planLook(
  line: BatchLine,
  { text, file }: NonNullable<BatchList['log']>,
  { settings }: Needs<'settings'>,
): Plan {
  const { command, done, jobs, inDoubt, failed } = parseLog(text, file, {
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
  });
  if (!command.startsWith('wp run ')) {
    throw usageError(`${file} is the log of svc ${command}, which has no jobs.`);
  }

  const todo = [...jobs].map(([key, { jobId: id, org }], index): Item => {
    const service = getServiceId(key);
    const values = readLineValues(line.command, getItemTexts(line, id, [['service', [service]]]));
    return { index, id, given: { job: id, service }, org, key, values };
  });
  const doubts = [...inDoubt].map((key) => [key, undefined] as const);
  const reported = [...doubts, ...failed].map(([key, code], place) => {
    const service = getServiceId(key);
    const index = todo.length + place;
    const error = code === undefined ? createDoubt(service) : createLoggedError(service, code);
    return reportItem({ index, id: service, given: { service }, org: undefined }, error);
  });
  if (todo.length + reported.length === 0) {
    const before = done.size === 0 ? '' : ` ${plural(done.size, 'service')} of it are done.`;
    throw new CliError('no_data', `The log ${file} has no job to look at.${before}`);
  }
  return { todo, reported, skipped: done.size };
}

/** The key of an item begins with its id. */
function getServiceId(key: string): string {
  return key.split(' ', 1)[0] ?? key;
}

function createDoubt(service: string): CliError {
  const message = `${service} was begun, and no answer says whether a job was queued.`;
  return new CliError('unavailable', message, {
    outcome: 'unknown',
    hint: 'Check it, then repeat the line of svc wp run with --retry-unknown.',
  });
}

function createLoggedError(service: string, code: string): CliError {
  const known = Object.hasOwn(EXIT_CODES, code) ? (code as ErrorCode) : 'failed';
  return new CliError(known, `${service} failed before (${code}), as the log says.`);
}

/**
 * Asks once, before anything is sent. What spends or moves DNS asks even for one item: the command
 * itself then asks no more.
 */
export async function confirmRun(
  { command: { effect, path }, batch, texts }: BatchLine,
  { io, globals, line }: Needs<'io' | 'globals' | 'line'>,
  todo: readonly Item[],
): Promise<void> {
  if (effect === 'reads' || texts.has('dryRun') || todo.length === 0) return;

  const count = plural(todo.length, ITEM_WORDS[batch.of]);
  const question = `Run svc ${path} for ${count} (${listNames(todo.map(({ id }) => id))})?`;
  if (effect === 'spends' || effect === 'moves-dns') return io.confirmOrStop(question);

  if (todo.length < 2 || globals.yes) return;
  if (!io.interactive) throw needsYesError({ io, line });
  if (!(await io.confirm(question))) throw cancelledError('usage', 'Nothing was sent.');
}
