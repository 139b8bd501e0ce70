import type { Gate } from '../api/call.ts';
import { CliError } from '../errors.ts';
import { formatDuration } from '../terminal/format.ts';
import { type ItemProgress, MAX_PAUSED_MS } from './item-progress.ts';
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
