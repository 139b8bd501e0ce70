import { quote, usageError } from '../errors.ts';
import { asObject, asText, type JsonObject, parseJson } from '../json/values.ts';
import { checkFormat } from '../store/problem.ts';

/** The first line of a log. */
export interface LogHeader {
  readonly log: 1;
  readonly command: string;
  readonly address: string;
  readonly organization: string | null;
  /** A hash of the options that decide what is sent. */
  readonly options: string;
}

/** A line about an item: that it was begun, or what became of it. */
export interface LogEntry {
  /** The `key` of the item. */
  readonly item: string;
  /** False if it was certainly not carried out. */
  readonly begun?: boolean;
  /** A job whose end was not seen. */
  readonly jobId?: string | undefined;
  /** The organization of the job, if the list names one. */
  readonly org?: string | undefined;
  /** Whether the item may have been carried out although it has an exit code. */
  readonly inDoubt?: true | undefined;
  readonly exitCode?: number;
  readonly code?: string | null;
  readonly attempts?: number;
  readonly ms?: number;
}

/** The state of the items of a log, by their keys. */
export interface LogState extends ReturnType<typeof sortOpen> {
  readonly done: ReadonlySet<string>;
  /** The error codes of the items that were certainly not carried out, or failed. */
  readonly failed: ReadonlyMap<string, string>;
  /** The time after which nothing was left to send, in ms since the epoch. */
  readonly endedAtMs: number | undefined;
}

/** Tells a log from a list by its first line. */
export function isLogText(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  return parseLine(first)['log'] !== undefined;
}

/**
 * Returns the words of its command, such as `wp run backup`, and what became of each item.
 * @param expected what the header must say; parts that are left out may be anything
 * @throws CliError `usage` for what is no log, and for that of another run
 */
export function parseLog(
  text: string,
  givenPath: string,
  expected: Partial<LogHeader>,
): LogState & Pick<LogHeader, 'command'> {
  const name = quote(givenPath);
  const [first = '', ...lines] = text.split('\n');
  const header = parseLine(first);
  if (header['log'] === undefined) {
    throw usageError(`${name} is not a log of svc.`, 'Name another file.');
  }

  checkFormat(header['log'], 1, givenPath, 'name another file');
  for (const part of ['command', 'address', 'organization', 'options'] as const) {
    if (expected[part] === undefined || header[part] === expected[part]) continue;
    const found = quote(asText(header[part]) ?? 'none');
    const difference = part === 'options' ? 'other options' : `another ${part}: ${found}`;
    throw usageError(
      `${name} is the log of a run with ${difference}.`,
      'Name another file, or repeat that run.',
    );
  }
  // What one run is sure of may be in doubt in another.
  if (text.lastIndexOf('{"log":') > 0) {
    throw usageError(`${name} has the lines of several logs.`, 'Use each log by itself.');
  }
  return { command: asText(header['command']) ?? '', ...readEntries(lines) };
}

/** The jobs that were queued, and whose end no run has seen: their organizations by their ids. */
type OpenJobs = Map<string, string | undefined>;

/** Reads what became of each item, by its key. Torn lines are ignored. */
export function readEntries(lines: readonly string[]): LogState {
  const done = new Set<string>();
  const failed = new Map<string, string>();
  /** The items that were begun and have no certain end. */
  const open = new Map<string, OpenJobs>();
  let endedAtMs: number | undefined;

  for (const line of lines) {
    const { item, ended, exitCode, code, ...entry } = parseLine(line);
    const timeMs = Date.parse(asText(ended) ?? '');
    if (!Number.isNaN(timeMs)) endedAtMs = timeMs;
    if (typeof item !== 'string') continue;

    // Whatever is sent after the end of a run has an end of its own.
    if (exitCode === 0) done.add(item);
    else endedAtMs = undefined;
    const isOpen = readOpen(open, item, entry);
    if (isOpen || exitCode === 0) failed.delete(item);
    else if (typeof exitCode === 'number') failed.set(item, asText(code) ?? '');
  }
  return { done, failed, endedAtMs, ...sortOpen(open) };
}

function readOpen(
  open: Map<string, OpenJobs>,
  item: string,
  { jobId, org, begun, inDoubt }: JsonObject,
): boolean {
  const jobs: OpenJobs = open.get(item) ?? new Map();
  const hasJob = typeof jobId === 'string';
  if (!hasJob && begun !== true && inDoubt !== true) {
    open.delete(item);
    return false;
  }
  if (hasJob && !jobs.has(jobId)) jobs.set(jobId, asText(org));
  open.set(item, jobs);
  return true;
}

function sortOpen(open: ReadonlyMap<string, OpenJobs>) {
  /** The items with a job that may still run. */
  const jobs = new Map<string, { readonly jobId: string; readonly org: string | undefined }>();
  /** The items that may have been carried out, and have no job to ask for. */
  const inDoubt = new Set<string>();
  for (const [item, [job, ...others]] of open) {
    // Of two jobs nobody knows which is the one to wait for.
    if (job === undefined || others.length > 0) inDoubt.add(item);
    else jobs.set(item, { jobId: job[0], org: job[1] });
  }
  return { jobs, inDoubt };
}

function parseLine(text: string): JsonObject {
  return asObject(parseJson(text));
}
