import type { CliError } from '../../errors.ts';
import type { Context } from '../../kit/context.ts';
import { pauseAfter } from '../../service/retry.ts';

const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;
const PAUSE_GROWTH = 1.5;
/** The share by which a pause is shorter or longer, at most, so that what began together spreads. */
const JITTER = 0.1;

/**
 * Returns a function that waits before each look at something under way: 0.3 s at first, then ever longer, at last 5 s. It
 * does not wait before the first look at what is older (`isNew: false`).
 */
export function pausesOf({ clock, signal, random }: Context, isNew: boolean) {
  let nextMs = isNew ? FIRST_PAUSE_MS : 0;
  return async (trouble: CliError | undefined, remainingMs: number): Promise<void> => {
    const ms = nextMs * (1 + JITTER * (2 * random() - 1));
    nextMs = nextMs === 0 ? FIRST_PAUSE_MS : Math.min(MAX_PAUSE_MS, nextMs * PAUSE_GROWTH);
    if (ms > 0) await clock.sleep(Math.min(pauseAfter(trouble, ms), remainingMs), signal);
  };
}
