import type { CliError, ErrorCode } from '../errors.ts';

/** Why items failed, and which. */
export interface Reason {
  readonly code: ErrorCode;
  readonly message: string;
  readonly count: number;
  /** The first of them. */
  readonly ids: readonly string[];
}

/** Groups failures that have the same reason. */
interface Reasons {
  add(id: string, error: CliError): void;
  /** The most frequent first. */
  list(): readonly Reason[];
}

const MAX_REASONS = 50;
/** Limits the ids kept for each reason. */
export const MAX_IDS = 100;

/** Counts failures by what they say, with the first ids of each. */
export function createReasons(): Reasons {
  const reasons = new Map<string, { code: ErrorCode; message: string; count: number; ids: string[] }>();
  return {
    add(id, error) {
      const message = withoutDetails(error, id);
      const isNew = !reasons.has(`${error.code} ${message}`);
      const text = isNew && reasons.size >= MAX_REASONS ? 'other reasons' : message;
      const key = `${error.code} ${text}`;
      const reason = reasons.get(key) ?? { code: error.code, message: text, count: 0, ids: [] };
      reasons.set(key, reason);
      reason.count += 1;
      if (reason.ids.length < MAX_IDS) reason.ids.push(id);
    },
    list: () => [...reasons.values()].sort((first, second) => second.count - first.count),
  };
}

/** A time (`2026-03-01T11:55:00Z`), or how long something took or is ago (`59m`, `1h 5m`, `26s`). */
const TIME = /^(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?|\d+(?:\.\d+)?(?:ms|s|m|h|d))$/;

/** An id of a job or a request that a message names: `job_000871`, a UUID. */
const ID = /^(?:[a-z]+_(?=\w*\d)\w{6,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Makes the messages of items that failed alike the same: without their ids, times and ages. */
function withoutDetails({ message, details: { jobId, requestId } }: CliError, id: string): string {
  const words = message.split(/([\s"'`(),;/?[\]{}<>]+|(?<![.:])[.:]+(?:\s|$))/);
  const isDetail = (word: string) => [id, jobId, requestId].includes(word) || TIME.test(word) || ID.test(word);
  const shown = words.map((word) => (word !== '' && isDetail(word) ? '…' : word)).join('');
  return shown.replace(/(?<=…) …/g, '');
}
