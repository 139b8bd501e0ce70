import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { Gate } from '../service/client.ts';
import { formatDuration } from '../terminal/dates.ts';
import type { Pace } from './pace.ts';

/** Places for requests under way, given out in the order in which they were asked for. */
export interface Slots {
  take(): Promise<void>;
  leave(): void;
}

/** Creates so many places. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting: Array<() => void> = [];
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}

/** How long an item waits for a platform that refuses it, in milliseconds. */
const MAX_PAUSED_MS = 10 * 60_000;
/** After a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

interface Listener {
  /** A request is about to be sent; `changes` if it changes something. Rejects if it must not be. */
  sent(changes: boolean): Promise<void>;
  /** The platform did not carry the request out. */
  refused(changes: boolean): void;
}

/** What decides when the requests of all items are sent. */
export interface Traffic {
  readonly clock: Clock;
  readonly pace: Pace;
  readonly slots: Slots;
  /** Aborted when nothing more may be sent. */
  readonly stop: AbortSignal;
  /** Sends nothing more, for this reason. */
  halt(reason: CliError): void;
}

/** Creates the gate of one item. A request has a slot until it has ended; a wait between requests has none. */
export function gateOf({ clock, pace, slots, stop, halt }: Traffic, on: Listener): Gate {
  let pausedMs = 0;
  let sentAt = 0;
  return {
    async enter(changes) {
      await slots.take();
      try {
        for (;;) {
          stop.throwIfAborted();
          const waitMs = pace.take(clock.monotonic());
          if (waitMs === 0) break;
          await clock.sleep(waitMs, stop);
        }
        await on.sent(changes);
      } catch (error) {
        slots.leave();
        throw error;
      }
      sentAt = clock.monotonic();
      return slots.leave;
    },
    failed({ kind, retryAfterMs }, changes) {
      const isRefusal = kind === 429;
      if (!isRefusal && (kind !== 503 || retryAfterMs === undefined)) return undefined;
      const waitMs = retryAfterMs === undefined || retryAfterMs === 0 ? USUAL_PAUSE_MS : retryAfterMs;
      on.refused(changes);
      if (waitMs > MAX_PAUSED_MS) halt(tooLong(waitMs));
      if (pausedMs + waitMs > MAX_PAUSED_MS) return undefined;
      pausedMs += waitMs;
      pace.refused(clock.monotonic(), sentAt, waitMs);
      if (retryAfterMs === undefined) return undefined;
      return isRefusal ? 'free' : 'counted';
    },
  };
}

function tooLong(waitMs: number): CliError {
  return new CliError('rate_limited', `The platform asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`);
}
