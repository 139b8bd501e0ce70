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

/** What a log says of the items, by `Item.key`. An item in both is done. */
export interface LoggedItems {
  readonly done: ReadonlySet<string>;
  /** Those that were begun and have no certain end, with the job that was queued; without one they are in doubt. */
  readonly open: ReadonlyMap<string, OpenJob | undefined>;
}

/** A job that was queued. */
export interface OpenJob {
  readonly jobId: string;
  /** Its own organization, if the list names one. */
  readonly org: string | undefined;
}

const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Reads what was done. Torn lines are ignored.
 * @throws CliError `usage` if the log cannot be read or belongs to another command.
 */
export async function readLog(
  path: string,
  given: string,
  header: LogHeader,
  signal: AbortSignal,
): Promise<LoggedItems> {
  const text = await readText(path, given, signal);
  const [first = '', ...lines] = text.split('\n');
  const found = entryIn(first);
  if (found?.['log'] === undefined)
    throw usageError(`${quoted(given)} is not a log of svc.`, 'Give the file of --log.');
  checkFormat(found['log'], header.log, given);
  checkHeader(given, found, header);
  // What one run is sure of may be in doubt in another.
  if (text.lastIndexOf('{"log":') > 0)
    throw usageError(`${quoted(given)} has the lines of several logs.`, 'Resume each log by itself.');
  const done = new Set<string>();
  const open: OpenItems = new Map();
  for (const line of lines) readEntry(entryIn(line), done, open);
  // Of two jobs nobody knows which is the one to wait for.
  const jobs = [...open].map(([key, [job, ...others]]) => [key, others.length === 0 ? job : undefined] as const);
  return { done, open: new Map(jobs) };
}

/** What was begun and has no certain end, with its jobs. */
type OpenItems = Map<string, readonly OpenJob[]>;

function readEntry(entry: JsonObject | undefined, done: Set<string>, open: OpenItems): void {
  const { item, jobId, org, begun, inDoubt, exitCode } = entry ?? {};
  if (typeof item !== 'string') return;
  const jobs = open.get(item) ?? [];
  if (typeof jobId === 'string') {
    const others = jobs.filter((job) => job.jobId !== jobId);
    open.set(item, [...others, { jobId, org: asText(org) }]);
  } else if (begun === true || inDoubt === true) open.set(item, jobs);
  else open.delete(item);
  if (exitCode === 0) done.add(item);
}

function entryIn(line: string): JsonObject | undefined {
  const entry = parseJson(line);
  return isObject(entry) ? entry : undefined;
}

async function readText(path: string, given: string, signal: AbortSignal): Promise<string> {
  try {
    const bytes = await readUpTo(path, MAX_BYTES, signal);
    if (bytes !== undefined) return bytes.toString('utf8');
  } catch (error) {
    throw usageError(`The log ${quoted(given)} cannot be read: ${explain(error)}.`);
  }
  throw usageError(`The log ${quoted(given)} is too large.`);
}

const PARTS: ReadonlyArray<readonly [field: keyof LogHeader, what: string]> = [
  ['command', 'another command'],
  ['address', 'another platform address'],
  ['organization', 'another organization'],
  ['options', 'the same command with other options'],
];

function checkHeader(given: string, found: JsonObject, header: LogHeader): void {
  const isAnyAction = header.options === undefined && String(found['command']).startsWith(`${header.command} `);
  const expected = isAnyAction ? { ...header, command: found['command'], options: found['options'] } : header;
  const other = PARTS.find(([field]) => found[field] !== expected[field]);
  if (other === undefined) return;
  const [field, what] = other;
  const was = field === 'options' || found[field] === null ? '' : `: ${quoted(String(found[field]))}`;
  throw usageError(`${quoted(given)} is the log of ${what}${was}.`, 'Resume it with the command that began it.');
}
