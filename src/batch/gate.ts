import type { Gate } from '../api/call.ts';
import type { Warning } from '../cli/define/result.ts';
import { CliError } from '../errors.ts';
import { formatDuration } from '../terminal/dates.ts';
import type { Run } from './run-parts.ts';

/** The pause after a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

/**
 * Makes the gate of an item's requests. A request has a slot until it has ended; a wait between
 * requests has none. A change is in the log before it is sent.
 * @param key that of the log; empty for a request that is about no item, and changes nothing
 */
export function createGate(
  { context, log, pace, slots, stops }: Run,
  key: string,
  progress: ItemProgress,
): Gate {
  const { clock } = context.time;
  /** Waits until the pace lets the next request go. Throws the reason of a stop. */
  const waitForTurn = async () => {
    for (;;) {
      stops.stopSignal.throwIfAborted();
      const waitMs = pace.take(clock.monotonic());
      if (waitMs === 0) return;
      await clock.sleep(waitMs, stops.stopSignal);
    }
  };
  return {
    async enter(isChange) {
      await slots.take();
      try {
        await waitForTurn();
        if (isChange) await log?.addBegun(key);
      } catch (error) {
        slots.leave();
        throw error;
      }
      progress.send(clock.monotonic(), isChange);
      return slots.leave;
    },
    /** Makes all items pause after a refusal, unless this one has waited for too long. */
    failed({ kind, retryAfterMs }, isChange) {
      // A 503 that names no time is a fault of one request.
      const isAboutAll = kind === 429 || (kind === 503 && retryAfterMs !== undefined);
      if (!isAboutAll) return undefined;
      if (isChange) {
        progress.isBegun = false;
        log?.add({ item: key, begun: false });
      }

      const waitMs = retryAfterMs || USUAL_PAUSE_MS;
      if (waitMs > MAX_PAUSED_MS) stops.halt(tooLongWaitError(waitMs));
      if (!progress.pause(waitMs)) return undefined;

      pace.refused(clock.monotonic(), progress.sentAtMs, waitMs);
      if (retryAfterMs === undefined) return undefined;
      return kind === 429 ? 'free' : 'counted';
    },
  };
}

function tooLongWaitError(waitMs: number): CliError {
  const message = `The platform asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`;
  return new CliError('rate_limited', message, { retryAfterSeconds: waitMs / 1000 });
}

/** All pauses of an item together last at most so long. */
const MAX_PAUSED_MS = 10 * 60_000;

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
