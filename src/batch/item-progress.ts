import type { Warning } from '../cli/define/define.ts';

/** All pauses of an item together last at most so long. */
export const MAX_PAUSED_MS = 10 * 60_000;

/** The progress of an item while it runs. Times are of the monotonic clock, in milliseconds. */
export class ItemProgress {
  readonly warnings: Warning[] = [];
  attempts = 0;
  /** When the last request was sent. */
  sentAtMs = 0;
  /** The job that was queued, now or by an earlier run. */
  jobId: string | undefined;
  /** Whether a change was sent, and not refused. */
  isBegun = false;
  #startedAtMs: number;
  #pausedMs = 0;

  constructor(nowMs: number, jobId: string | undefined) {
    this.#startedAtMs = nowMs;
    this.jobId = jobId;
  }

  send(nowMs: number, isChange: boolean): void {
    if (isChange) this.isBegun = true;
    if (this.attempts === 0) this.#startedAtMs = nowMs;
    this.sentAtMs = nowMs;
    this.attempts += 1;
  }

  /** Tells whether the item may wait so long, and counts it. */
  pause(waitMs: number): boolean {
    if (this.#pausedMs + waitMs > MAX_PAUSED_MS) return false;
    this.#pausedMs += waitMs;
    return true;
  }

  elapsedMs(nowMs: number): number {
    return Math.round(nowMs - this.#startedAtMs);
  }
}
