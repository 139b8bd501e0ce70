import { join } from 'node:path';
import type { ChangeEntry } from '../../contract/fields/documents.ts';
import { CHANGE } from '../../contract/fields/machine.ts';
import { asObject, asText, type JsonObject, parseJson } from '../../json/values.ts';
import { makePrivateFolder } from '../../store/files.ts';
import { addLines, readLines } from '../../store/lines.ts';
import type { Machine } from '../../store/machine.ts';
import type { Needs } from './context.ts';

/** How long a change is shown. */
export const CHANGES_DAYS = 90;
const DAY_MS = 24 * 3_600_000;

const getPath = (folder: string): string => join(folder, 'changes.ndjson');

/** A change as it is kept. */
interface KeptChange extends ChangeEntry {
  /** Lines with the same id are about one change: a repeated key is one order. */
  readonly id: string;
  readonly jobId?: string | undefined;
}

/** The latest line of each job, by file; read once, since a long history takes seconds. */
const aboutJobs = new Map<string, Map<string, JsonObject>>();

/** Throws the system's error. */
export function addChange(folder: string, machine: Machine, change: KeptChange): void {
  makePrivateFolder(folder, machine);
  add(getPath(folder), change.jobId, { ...change });
}

function add(path: string, jobId: string | undefined, change: JsonObject): void {
  addLines(path, change);
  if (jobId !== undefined) readJobs(path).set(jobId, change);
}

/** Adds how a job has ended, if the change that queued it is known here. Never fails. */
export function addJobEnd(
  context: Needs<'settings' | 'store' | 'time'>,
  jobId: string,
  result: ChangeEntry['result'],
): void {
  const { settings, time } = context;
  try {
    const path = getPath(context.store.configFolder());
    const known = readJobs(path).get(jobId);
    if (!known || known['address'] !== settings.apiUrl().value) return;
    if (known['result'] === result) return;
    add(path, jobId, { ...known, at: new Date(time.clock.now()).toISOString(), result });
  } catch {
    // The job has ended all the same.
  }
}

function readJobs(path: string): Map<string, JsonObject> {
  const known = aboutJobs.get(path);
  if (known) return known;
  const jobs = new Map<string, JsonObject>();
  for (const line of readLines(path)) {
    const change = asObject(parseJson(line));
    const jobId = asText(change['jobId']);
    if (jobId !== undefined) jobs.set(jobId, change);
  }
  aboutJobs.set(path, jobs);
  return jobs;
}

/** Lists the jobs that svc queued at the address in use, the latest first. */
export function jobsOnRecord({ settings, store }: Needs<'settings' | 'store'>) {
  const address = settings.findApiUrl()?.value;
  const ofAddress = [...readJobs(getPath(store.configFolder()))].filter(
    ([, change]) => change['address'] === address,
  );
  return ofAddress.reverse().map(([id, { command, what, service }]) => ({
    id,
    what: asText(what) ?? asText(command) ?? '',
    service: asText(service),
  }));
}

/** Lists past changes, the latest first, without what cannot be read. */
export function pastChanges({ store, time }: Needs<'store' | 'time'>): readonly ChangeEntry[] {
  const since = time.clock.now() - CHANGES_DAYS * DAY_MS;
  const changes = new Map<string, ChangeEntry>();
  for (const [index, line] of readLines(getPath(store.configFolder())).entries()) {
    const fields = asObject(parseJson(line));
    const change = toChange(fields);
    if (!change || Date.parse(change.at) < since) continue;
    const id = asText(fields['id']) ?? `line ${index}`;
    const earlier = changes.get(id);
    // A repeat that tells nothing leaves what is known.
    if (earlier && tellsNothing(change) && !tellsNothing(earlier)) continue;
    changes.delete(id);
    changes.set(id, change);
  }
  return [...changes.values()].reverse();
}

function tellsNothing({ result }: ChangeEntry): boolean {
  return result === 'unknown' || result === 'refused';
}

/** Returns undefined for a line that svc did not write, or not to its end. */
function toChange(fields: JsonObject): ChangeEntry | undefined {
  const { at, who, address, command, status } = fields;
  const result = CHANGE.result.enum.find((word) => word === fields['result']);
  const isWhole = [at, who, address, command].every((text) => typeof text === 'string');
  if (!isWhole || !result || Number.isNaN(Date.parse(String(at)))) return undefined;

  const getText = (name: string) => asText(fields[name]) ?? null;
  return {
    at: String(at),
    who: String(who),
    address: String(address),
    organization: getText('organization'),
    command: String(command),
    what: getText('what'),
    service: getText('service'),
    result,
    status: typeof status === 'number' ? status : null,
    requestId: getText('requestId'),
  };
}
