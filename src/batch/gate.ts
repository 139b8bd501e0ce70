import type { Gate } from '../api/call.ts';
import type { FailedAttempt } from '../api/retry.ts';
import type { Warning } from '../cli/define/define.ts';
import { CliError } from '../errors.ts';
import { formatDuration } from '../terminal/format.ts';
import type { Run } from './run-parts.ts';

/** All pauses of an item together last at most so long. */
const MAX_PAUSED_MS = 10 * 60_000;
/** The pause after a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

/**
 * The gate of an item's requests, and what came of them. A request has a slot until it has ended; a
 * wait between requests has none. A change is in the log before it is sent. Times are of the
 * monotonic clock, in milliseconds.
 */
export class ItemGate implements Gate {
  readonly warnings: Warning[] = [];
  attempts = 0;
  /** The job that was queued, now or by an earlier run. */
  jobId: string | undefined;
  /** Whether a change was sent, and not refused. */
  isBegun = false;
  readonly #run: Run;
  readonly #key: string;
  #startedAtMs: number;
  /** When the last request was sent. */
  #sentAtMs = 0;
  #pausedMs = 0;

  /** @param key that of the log; empty for a request that is about no item, and changes nothing */
  constructor(run: Run, key = '') {
    this.#run = run;
    this.#key = key;
    this.#startedAtMs = run.clock.monotonic();
    this.jobId = run.log?.state.jobs.get(key)?.jobId;
  }

  async enter(isChange: boolean): Promise<() => void> {
    const { clock, log, slots } = this.#run;
    await slots.take();
    try {
      await this.#waitForTurn();
      if (isChange) await log?.addBegun(this.#key);
    } catch (error) {
      slots.leave();
      throw error;
    }

    if (isChange) this.isBegun = true;
    this.#sentAtMs = clock.monotonic();
    if (this.attempts === 0) this.#startedAtMs = this.#sentAtMs;
    this.attempts += 1;
    return slots.leave;
  }

  /** Waits until the pace lets the next request go. Throws the reason of a stop. */
  async #waitForTurn(): Promise<void> {
    const { clock, pace, stops } = this.#run;
    for (;;) {
      stops.stopSignal.throwIfAborted();
      const waitMs = pace.take(clock.monotonic());
      if (waitMs === 0) return;
      await clock.sleep(waitMs, stops.stopSignal);
    }
  }

  /** Makes all items pause after a refusal, unless this one has waited for too long. */
  failed({ kind, retryAfterMs }: FailedAttempt, isChange: boolean): 'free' | 'counted' | undefined {
    // A 503 that names no time is a fault of one request.
    const isAboutAll = kind === 429 || (kind === 503 && retryAfterMs !== undefined);
    if (!isAboutAll) return undefined;
    const { clock, log, pace, stops } = this.#run;
    if (isChange) {
      this.isBegun = false;
      log?.add({ item: this.#key, begun: false });
    }

    const waitMs = retryAfterMs || USUAL_PAUSE_MS;
    if (waitMs > MAX_PAUSED_MS) stops.halt(tooLongWaitError(waitMs));
    if (this.#pausedMs + waitMs > MAX_PAUSED_MS) return undefined;
    this.#pausedMs += waitMs;

    pace.refused(clock.monotonic(), this.#sentAtMs, waitMs);
    if (retryAfterMs === undefined) return undefined;
    return kind === 429 ? 'free' : 'counted';
  }

  get elapsedMs(): number {
    return Math.round(this.#run.clock.monotonic() - this.#startedAtMs);
  }
}

function tooLongWaitError(waitMs: number): CliError {
  const message = `The platform asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`;
  return new CliError('rate_limited', message, { retryAfterSeconds: waitMs / 1000 });
}
