import { join } from 'node:path';
import { asObject, asText, isObject, type JsonObject, parseJson } from '../json/values.ts';
import { CHANGE } from '../spec/fields/books.ts';
import type { ChangeEntry } from '../spec/fields/documents.ts';
import { makePrivateFolder } from '../store/folder.ts';
import { addLines, readLines } from '../store/lines.ts';
import type { Machine } from '../store/machine.ts';
import type { Context } from './context.ts';

/** How long a change is shown. */
export const CHANGES_DAYS = 90;
const DAY_MS = 24 * 3_600_000;

const pathIn = (folder: string): string => join(folder, 'changes.ndjson');

/** A change as it is kept. */
interface KeptChange extends ChangeEntry {
  /** Of two lines with the same id, the later one counts. */
  readonly id: string;
}

/** Adds what svc has changed to a configuration folder. Throws the system's error. */
export function addChange(folder: string, machine: Machine, change: KeptChange): void {
  makePrivateFolder(folder, machine);
  addLines(pathIn(folder), change);
}

/** Yields what svc changed from this machine, the latest change first. Skips what cannot be read. */
export function* pastChanges({ vault, system: { clock } }: Context): Iterable<ChangeEntry> {
  const ended = new Set<string>();
  const since = clock.now() - CHANGES_DAYS * DAY_MS;
  for (const line of readLines(pathIn(vault.folder())).toReversed()) {
    const value = parseJson(line);
    const change = toChange(value);
    const id = asText(asObject(value)['id']);
    // Of the line from before it was sent and the line with its end, the end counts.
    if (change === undefined || Date.parse(change.at) < since || (id !== undefined && ended.delete(id))) continue;
    if (id !== undefined) ended.add(id);
    yield change;
  }
}

/** Returns undefined for a line that svc has not written, or not to its end. */
function toChange(value: unknown): ChangeEntry | undefined {
  if (!isObject(value)) return undefined;
  const { at, who, address, command, result, status } = value;
  const known = CHANGE.result.enum.find((word) => word === result);
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || known === undefined) return undefined;
  if (typeof who !== 'string' || typeof address !== 'string' || typeof command !== 'string') return undefined;
  const text = (name: keyof ChangeEntry & string) => asText((value as JsonObject)[name]) ?? null;
  return {
    at,
    who,
    address,
    organization: text('organization'),
    command,
    what: text('what'),
    service: text('service'),
    result: known,
    status: typeof status === 'number' ? status : null,
    requestId: text('requestId'),
  };
}
