import type { CommandIo, Context, Needs } from '../cli/define/context.ts';
import type { Warning } from '../cli/define/define.ts';
import { asCliError } from '../cli/define/report.ts';
import { asOneLine, type CliError } from '../errors.ts';
import { type Text, toPlainText } from '../terminal/screen.ts';
import type { Outcome } from './end.ts';
import { createGate } from './gate.ts';
import { type BatchLine, INLINE_RECORDS, type Item } from './item.ts';
import { ItemProgress } from './item-progress.ts';
import type { BatchLog } from './log.ts';
import { type Run, toOrgSetting } from './run-parts.ts';

/**
 * Carries the command out for one item. Returns undefined if nothing was carried out because the
 * run has stopped.
 */
export async function runItem(run: Run, item: Item): Promise<Outcome | undefined> {
  const { log, stops, context } = run;
  const { clock } = context.time;
  const progress = new ItemProgress(clock.monotonic(), log?.state.jobs.get(item.key)?.jobId);

  const ended = await runCommand(run, item, progress);
  let { error } = ended;
  if (error !== undefined && error === stops.stopSignal.reason) {
    if (!progress.isBegun) return undefined;
    error = error.with({ outcome: 'unknown' });
  }

  const { result } = ended;
  const isQueued = result?.isUnfinished === true && error === undefined;
  const { jobId, ...verdict } = classifyError(run.line, error, progress.jobId);
  const outcome: Outcome = {
    item,
    how: isQueued ? 'queued' : 'done',
    result,
    ...verdict,
    warnings: [...progress.warnings, ...(result?.warnings ?? [])],
    attempts: progress.attempts,
    ms: progress.elapsedMs(clock.monotonic()),
  };
  try {
    addToLog(log, item, outcome, jobId);
  } catch {
    // The run fails, but first reports how this item ended.
  }
  return outcome;
}

async function runCommand(run: Run, item: Item, progress: ItemProgress) {
  const { command, tree } = run.line;
  try {
    const ended = await command.run(createItemContext(run, item, progress), item.values, tree);
    const result = 'isPrinted' in ended ? undefined : ended;
    return { result, error: ended.failure };
  } catch (error) {
    return { result: undefined, error: asCliError(error) };
  }
}

/**
 * Decides how an item failed. One whose job is known goes on; another one may have been carried
 * out.
 */
function classifyError(
  { command }: BatchLine,
  error: CliError | undefined,
  queuedJobId: string | undefined,
) {
  if (error === undefined) return { jobId: undefined };

  const { code, details } = error;
  const isUnknown = details.outcome === 'unknown';
  // Whatever the error is: only a job that failed is over.
  const answeredJobId = isUnknown ? undefined : details.jobId;
  const jobId = code === 'failed' ? undefined : (queuedJobId ?? answeredJobId);

  // To run an action again whose job is not known could carry it out twice.
  const isOpen = isUnknown || code === 'still_running';
  const isInDoubt = isOpen && jobId === undefined && command.effect !== 'reads';
  const isStopped = code === 'interrupted' && jobId !== undefined;
  const isRunning = (code === 'still_running' && !isInDoubt) || isStopped;
  const failure = code === 'alert' ? 'alerts' : 'failed';
  const how: Outcome['how'] = isRunning ? 'running' : failure;
  return { how, isInDoubt, error: jobId === undefined ? error : error.with({ jobId }), jobId };
}

/** Leaves out all texts of the platform and the parameters, which may hold secrets. */
function addToLog(
  log: BatchLog | undefined,
  { key }: Item,
  { how, error, isInDoubt, attempts, ms }: Outcome,
  jobId: string | undefined,
): void {
  // The log has the job already, and no end of it.
  if (how === 'queued') return;

  // A change is not made again because of an alarm about it.
  const exitCode = how === 'alerts' ? 0 : (error?.exitCode ?? 0);
  const isOpen = isInDoubt === true || jobId !== undefined;
  log?.add({
    item: key,
    exitCode,
    code: error?.code ?? null,
    attempts,
    ms,
    ...(isOpen && { inDoubt: true }),
    ...(jobId !== undefined && { jobId }),
  });
}

/**
 * Makes the context of one item: its organization, clients that share the pace, no questions, and
 * nothing shown on the way.
 */
function createItemContext(run: Run, item: Item, progress: ItemProgress): Context {
  const { context, stops, log } = run;
  const { api, globals, settings, time } = context;
  const { key, org } = item;
  const gate = createGate(run, key, progress);
  const createClient = async (deadlinePerCall: boolean) =>
    (await run.clientsFor(org))({ gate, deadlinePerCall });

  const hasOrg = org !== undefined;
  const clock = {
    ...time.clock,
    sleep: (ms: number, signal = stops.stopSignal) => time.clock.sleep(ms, signal),
  };
  return {
    ...context,
    api: { ...api, client: () => createClient(false), pollingClient: () => createClient(true) },
    io: createQuietIo(context, item, progress.warnings),
    globals: { ...globals, ...(hasOrg && { org }) },
    settings: { ...settings, ...(hasOrg && { org: () => toOrgSetting(org) }) },
    time: { ...time, clock, signal: stops.stopSignal },
    batch: {
      since: context.batch?.since ?? time.clock.now(),
      jobId: progress.jobId,
      queued(jobId) {
        progress.jobId = jobId;
        log?.add({ item: key, begun: true, jobId, ...(hasOrg && { org }) });
      },
    },
  };
}

/**
 * Asks nobody, since the whole list was confirmed, and keeps warnings for the line of the item.
 */
function createQuietIo({ io }: Needs<'io'>, { records }: Item, warnings: Warning[]): CommandIo {
  const own: Partial<CommandIo> = {
    interactive: false,
    progress: () => ({ update() {}, stop() {} }),
    during: (_text, work) => work(),
    requireInteractive: async () => undefined,
    confirmOrStop: async () => undefined,
    warn: async (text: Text, code: string, lines: readonly Text[] = []) => {
      warnings.push({ text: asOneLine(toPlainText(text), lines.map(toPlainText)), code });
    },
    readText: async (source, name, maxBytes) => {
      const isInline = records !== undefined && source === INLINE_RECORDS;
      return isInline ? records : io.readText(source, name, maxBytes);
    },
  };
  // A copy would keep what the getters of the original say now.
  return Object.create(io, Object.getOwnPropertyDescriptors(own));
}
