import type { RetryClass } from '../../src/contract/operations.ts';

/** A failure, and whether the answer asks for a wait. */
export type Column = 'not_sent' | 'tls' | 'reset' | 'timeout' | '429_retry_after' | Status;
type Status = '408' | '409' | '425' | '429' | '500' | '502' | '503' | '504';

export interface Cell {
  /** Attempts after the first, at most. */
  readonly extra: number;
  /** Whether the request may have been carried out in the end. */
  readonly leavesDoubt: boolean;
  /** Repeats only after an answer with `Retry-After`. */
  readonly ifAsked: boolean;
}

/**
 * What `src/api/statuses.ts` says about repeats, written a second time: extra attempts; `?` if
 * the request may have been carried out; `ra` for extra attempts only if the platform asks for
 * them.
 */
const WRITTEN_DOWN = `
  class  not_sent tls reset timeout 408 409 425 429_retry_after 429 500 502 503  504
  start  2        0   2     2       2   0   2   2               2   2   2   2    2
  keyed  2        0   2?    2?      2?  2?  2   2               2   2?  2?  2?   2?
  scan   2        0   2     1       2   0   2   2               2   2   2   2    2
  read   2        0   2     2       2   0   2   2               2   2   2   2    2
  write  2        0   0?    0?      0?  0   1   2               0   0?  0?  ra2? 0?
`;

const [head = [], ...rows] = WRITTEN_DOWN.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

export const COLUMNS = head.slice(1) as readonly Column[];

/** By class and column. The polls of a login have rules of their own. */
export const RETRY_TABLE = Object.fromEntries(
  rows.map(([name, ...cells]) => [
    name,
    Object.fromEntries(
      cells.map((cell, index) => [
        COLUMNS[index],
        {
          extra: Number(/\d/.exec(cell)?.[0]),
          leavesDoubt: cell.endsWith('?'),
          ifAsked: cell.startsWith('ra'),
        },
      ]),
    ),
  ]),
) as Readonly<Record<Exclude<RetryClass, 'poll'>, Readonly<Record<Column, Cell>>>>;
