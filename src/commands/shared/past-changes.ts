import { asObject, asText, isObject, type JsonObject, parseJson } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { CHANGE } from '../../spec/fields/books.ts';
import type { ChangeEntry } from '../../spec/fields/documents.ts';
import { openChanges } from '../../store/changes.ts';

/** Yields what svc changed from this machine, the latest day first, each day from its last change to its first. */
export function* pastChanges({ vault, system: { machine, clock } }: Context): Iterable<ChangeEntry> {
  const ended = new Set<string>();
  for (const lines of openChanges(vault.folder(), machine).read(clock.now())) {
    for (const line of [...lines].reverse()) {
      const value = parseJson(line);
      const change = toChange(value);
      const id = asText(asObject(value)['id']);
      // Of the line from before it was sent and the line with its end, the end counts.
      if (change === undefined || (id !== undefined && ended.delete(id))) continue;
      if (id !== undefined) ended.add(id);
      yield change;
    }
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
