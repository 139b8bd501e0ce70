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
  readonly items: number;
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
 * Reads what was done. Logs of several runs may follow each other in the file, in any order: an item that one of them has
 * done is done, and one that another leaves in doubt is in doubt, whatever the rest say. Torn lines are ignored.
 * @throws CliError `usage` if the log cannot be read or belongs to another command.
 */
export async function readLog(
  path: string,
  given: string,
  header: LogHeader,
  signal: AbortSignal,
): Promise<LoggedItems> {
  const text = await readText(path, signal);
  const done = new Set<string>();
  const all = new Map<string, OpenJob | undefined>();
  let open: OpenItems | undefined;
  const endRun = () => {
    // Of two jobs nobody knows which is the one to wait for.
    for (const [key, jobs] of open ?? []) {
      const job = jobs.size === 1 ? [...jobs.values()][0] : undefined;
      all.set(key, all.has(key) && all.get(key)?.jobId !== job?.jobId ? undefined : job);
    }
  };
  for (const line of text.split('\n')) {
    const entry = entryIn(line);
    if (entry !== undefined && 'log' in entry) {
      checkFormat(entry['log'], header.log, given);
      checkHeader(given, entry, header);
      endRun();
      open = new Map();
    }
    if (entry !== undefined && open !== undefined) readEntry(entry, done, open);
  }
  if (open === undefined) throw usageError(`${quoted(given)} is not a log of svc.`, 'Give the file of --log.');
  endRun();
  return { done, open: all };
}

/** What was begun in a run and has no certain end, with its jobs by their ids. */
type OpenItems = Map<string, ReadonlyMap<string, OpenJob>>;

function readEntry(entry: JsonObject, done: Set<string>, open: OpenItems): void {
  const { item, jobId, org } = entry;
  if (typeof item !== 'string') return;
  const jobs = open.get(item) ?? new Map<string, OpenJob>();
  if (typeof jobId === 'string') open.set(item, new Map([...jobs, [jobId, { jobId, org: asText(org) }]]));
  else if (entry['begun'] === true || entry['inDoubt'] === true) open.set(item, jobs);
  else open.delete(item);
  if (entry['exitCode'] === 0) done.add(item);
}

const HEADER = '{"log":';

/** Reads a line. In joined files a header may follow a torn line without a line break. */
function entryIn(line: string): JsonObject | undefined {
  const entry = parseJson(line) ?? parseJson(line.slice(Math.max(0, line.lastIndexOf(HEADER))));
  return isObject(entry) ? entry : undefined;
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  try {
    const bytes = await readUpTo(path, MAX_BYTES, signal);
    if (bytes !== undefined) return bytes.toString('utf8');
  } catch (error) {
    throw usageError(`The log ${path} cannot be read: ${explain(error)}.`);
  }
  throw usageError(`The log ${path} is too large.`);
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
