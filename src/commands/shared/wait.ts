import { getPauseAfter, isTransientError } from '../../api/retry.ts';
import type { Needs } from '../../cli/define/context.ts';
import { flag, option, type Values } from '../../cli/values/parameters.ts';
import { parseDuration } from '../../cli/values/time.ts';
import { asSentence, type CliError } from '../../errors.ts';

/** Returns the options of a command that may wait for something under way. */
export const waitOptions = (meaning: string) => ({
  wait: flag(meaning, { short: 'w' }),
  waitTimeout: option('duration', 'at most this long (default: 10m, of several 6h)', parseDuration),
});

const WAIT_SECONDS = 600;
/** Long jobs of many services end one after the other. */
export const WAIT_SECONDS_IN_BATCH = 6 * 3_600;

/** Reads what these options ask for; 0 seconds are a single look. */
export async function planWait(
  context: Needs<'api' | 'batch'>,
  { wait, waitTimeout }: Values<ReturnType<typeof waitOptions>>,
) {
  const waits = wait || waitTimeout !== undefined;
  const client = await (waits ? context.api.pollingClient() : context.api.client());
  const usual = context.batch === undefined ? WAIT_SECONDS : WAIT_SECONDS_IN_BATCH;
  return { waits, client, seconds: waits ? (waitTimeout ?? usual) : 0 };
}

/** How the waiting ends, or the trouble after which it goes on. */
interface Look<End> {
  readonly end?: End | undefined;
  readonly trouble?: CliError | undefined;
  /** The status in the answer if svc cannot tell from it whether the work goes on. */
  readonly unknown?: string | undefined;
}

interface Polled<End> {
  /** Whether it began just now: it is looked at after the first pause. */
  readonly isNew: boolean;
  readonly seconds: number;
  /** Looks once. A transient error is a trouble. */
  look(): Promise<Look<End>>;
  /** Says how far it is. */
  progress(elapsedMs: number): string;
}

const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;
const PAUSE_GROWTH = 1.5;
/** The share by which a pause differs, at most, so that what began together spreads. */
const JITTER = 0.1;
/** An unknown status that stays the same for so long may be the end. */
const UNKNOWN_FOR_MS = 120_000;

/**
 * Looks until the end or until the time is up, after pauses of 0.3 s and then ever more; a status
 * that svc does not know, and that does not change, ends it as well. Returns the last look.
 */
export async function pollUntil<End>(
  context: Needs<'io' | 'time'>,
  { isNew, seconds, look, progress }: Polled<End>,
): Promise<Look<End>> {
  const { io, time } = context;
  const now = time.clock.monotonic;
  const startedAtMs = now();
  const remainingMs = () => startedAtMs + seconds * 1000 - now();
  let status: string | undefined;
  let sinceMs = 0;
  let nextMs = isNew ? FIRST_PAUSE_MS : 0;
  let last: Look<End> = {};
  const line = io.progress(() => {
    const text = progress(now() - startedAtMs);
    if (last.trouble === undefined) return text;
    return `${text}  ${asSentence(last.trouble.message)} Retrying.`;
  });

  try {
    for (;;) {
      const ms = nextMs * (1 + JITTER * (2 * time.random() - 1));
      nextMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, nextMs * PAUSE_GROWTH));
      if (ms > 0) {
        const pauseMs = Math.min(getPauseAfter(last.trouble, ms), remainingMs());
        await time.clock.sleep(pauseMs, time.signal);
      }

      last = await look().catch(toTrouble);
      const { end, trouble, unknown } = last;
      if (end !== undefined || remainingMs() <= 0) return last;
      // A look that failed says nothing about the status.
      if (trouble !== undefined) continue;
      if (unknown === undefined || unknown !== status) sinceMs = now();
      status = unknown;
      if (now() - sinceMs >= UNKNOWN_FOR_MS) return last;
    }
  } finally {
    line.stop();
  }
}

function toTrouble(error: unknown) {
  if (isTransientError(error)) return { trouble: error };
  throw error;
}
