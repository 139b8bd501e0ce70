import { quoted, usageError } from '../errors.ts';
import { asText, isObject, type JsonObject, parseJson } from '../json/values.ts';
import { readUpTo } from '../store/named-file.ts';
import { checkFormat, explain } from '../store/problem.ts';

/** The first line of a log: what it belongs to. */
export interface LogHeader {
  readonly log: 1;
  readonly command: string;
  readonly address: string;
  readonly organization: string | null;
  /**
   * A hash of the options that decide what is sent; neither the list nor a limit of time is one. Undefined to read the log
   * of any command that begins like this one.
   */
  readonly options: string | undefined;
}

/** Any other line: that an item was begun, or what became of it. */
export interface LogEntry {
  /** See `Item.key`. */
  readonly item: string;
  /** True before a change is sent; false if it was certainly not carried out. */
  readonly begun?: boolean;
  /** The job that was queued, if its end was not seen. */
  readonly jobId?: string;
  /** The job's own organization, if the list names one. */
  readonly org?: string | undefined;
  /** Whether the item may have been carried out although it has an exit code. */
  readonly inDoubt?: boolean;
  readonly exitCode?: number;
  readonly code?: string | null;
  readonly attempts?: number;
  readonly ms?: number;
}

/** Whether an item has a certain end after this line. */
export function isOver({ begun, inDoubt, jobId }: Pick<LogEntry, 'begun' | 'inDoubt' | 'jobId'>): boolean {
  return begun !== true && inDoubt !== true && jobId === undefined;
}

/** What a log says of the items, by `Item.key`. An item in both is done. */
export interface LoggedItems {
  readonly done: ReadonlySet<string>;
  /** Those that were begun and have no certain end, with the job that was queued; without one they are in doubt. */
  readonly open: ReadonlyMap<string, OpenJob | undefined>;
}

/** A job that was queued. */
interface OpenJob {
  readonly jobId: string;
  readonly org: string | undefined;
}

const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Reads what was done. Torn lines are ignored.
 * @throws CliError `usage` if the log cannot be read or belongs to another command.
 */
export async function readLog(path: string, given: string, header: LogHeader, signal: AbortSignal) {
  const bytes = await readUpTo(path, MAX_BYTES, signal).catch((error: unknown) => {
    throw usageError(`The log ${quoted(given)} cannot be read: ${explain(error)}.`);
  });
  if (bytes === undefined) throw usageError(`The log ${quoted(given)} is too large.`);
  const text = bytes.toString('utf8');
  const [first = '', ...lines] = text.split('\n');
  checkHeader(given, lineIn(first), header);
  // What one run is sure of may be in doubt in another.
  if (text.lastIndexOf('{"log":') > 0) {
    throw usageError(`${quoted(given)} has the lines of several logs.`, 'Resume each log by itself.');
  }
  return itemsIn(lines);
}

function itemsIn(lines: readonly string[]): LoggedItems {
  const done = new Set<string>();
  const open = new Map<string, readonly OpenJob[]>();
  for (const line of lines) {
    const { item, jobId, org, begun, inDoubt, exitCode } = lineIn(line);
    if (typeof item !== 'string') continue;
    const jobs = open.get(item) ?? [];
    const others = jobs.filter((job) => job.jobId !== jobId);
    if (typeof jobId === 'string') open.set(item, [...others, { jobId, org: asText(org) }]);
    else if (begun === true || inDoubt === true) open.set(item, jobs);
    else open.delete(item);
    if (exitCode === 0) done.add(item);
  }
  // Of two jobs nobody knows which is the one to wait for.
  const jobs = [...open].map(([key, [job, ...others]]) => [key, others.length === 0 ? job : undefined] as const);
  return { done, open: new Map(jobs) };
}

function lineIn(text: string): JsonObject {
  const line = parseJson(text);
  return isObject(line) ? line : {};
}

const PARTS: ReadonlyArray<readonly [field: keyof LogHeader, what: string]> = [
  ['command', 'another command'],
  ['address', 'another platform address'],
  ['organization', 'another organization'],
  ['options', 'the same command with other options'],
];

function checkHeader(given: string, found: JsonObject, header: LogHeader): void {
  const name = quoted(given);
  if (found['log'] === undefined) throw usageError(`${name} is not a log of svc.`, 'Give the file of --log.');
  checkFormat(found['log'], header.log, given);
  const isAnyAction = header.options === undefined && String(found['command']).startsWith(`${header.command} `);
  const expected = isAnyAction ? { ...header, command: found['command'], options: found['options'] } : header;
  const [field, what] = PARTS.find(([part]) => found[part] !== expected[part]) ?? [];
  if (field === undefined) return;
  const was = field === 'options' || found[field] === null ? '' : `: ${quoted(String(found[field]))}`;
  throw usageError(`${name} is the log of ${what}${was}.`, 'Resume it with the command that began it.');
}
