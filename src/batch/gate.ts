import type { Gate } from '../api/call.ts';
import type { Needs } from '../cli/define/context.ts';
import { CliError } from '../errors.ts';
import { formatDuration } from '../terminal/dates.ts';
import { type ItemProgress, MAX_PAUSED_MS } from './item-progress.ts';
import type { BatchLog } from './log.ts';
import type { createPace, createSlots } from './pace.ts';
import type { Stops } from './stops.ts';

/** The state that the gates of all items share. */
interface SharedPace {
  readonly context: Needs<'time'>;
  readonly log: BatchLog | undefined;
  readonly pace: ReturnType<typeof createPace>;
  readonly slots: ReturnType<typeof createSlots>;
  readonly stops: Stops;
}

/** The pause after a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

/**
 * Makes the gate of an item's requests. A request has a slot until it has ended; a wait between
 * requests has none. A change is in the log before it is sent.
 * @param key that of the log; undefined for a request that is about no item
 */
export function createGate(run: SharedPace, key: string | undefined, progress: ItemProgress): Gate {
  const { context, log, pace, slots, stops } = run;
  const { clock } = context.time;
  return {
    async enter(isChange) {
      await slots.take();
      try {
        await waitForTurn(run);
        if (isChange && key !== undefined) await log?.addBegun(key);
      } catch (error) {
        slots.leave();
        throw error;
      }
      progress.send(clock.monotonic(), isChange);
      return slots.leave;
    },
    /** Makes all items pause after a refusal, unless this one has waited for too long. */
    failed({ kind, retryAfterMs }, isChange) {
      if (!asksToWait(kind, retryAfterMs)) return undefined;
      if (isChange && key !== undefined) {
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

/** Whether a refusal is about the pace of all. A 503 that names no time is a fault of one request. */
function asksToWait(kind: number | string | undefined, retryAfterMs: number | undefined): boolean {
  return kind === 429 || (kind === 503 && retryAfterMs !== undefined);
}

function tooLongWaitError(waitMs: number): CliError {
  const message = `The platform asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`;
  return new CliError('rate_limited', message, { retryAfterSeconds: waitMs / 1000 });
}

/** Waits until the pace lets the next request go. Throws the reason of a stop. */
async function waitForTurn({
  context,
  pace,
  stops,
}: Pick<SharedPace, 'context' | 'pace' | 'stops'>): Promise<void> {
  const { clock } = context.time;
  for (;;) {
    stops.stopSignal.throwIfAborted();
    const waitMs = pace.take(clock.monotonic());
    if (waitMs === 0) return;
    await clock.sleep(waitMs, stops.stopSignal);
  }
}
