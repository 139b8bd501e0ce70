import { pauseAfter } from '../../api/retry.ts';
import type { Needs } from '../../cli/define/context.ts';
import { flag, option, type Values } from '../../cli/values/parameters.ts';
import { parseDuration } from '../../cli/values/time.ts';
import { asSentence, type CliError } from '../../errors.ts';

/** Of a command that may wait for something under way. */
export const waitOptions = (meaning: string) => ({
  wait: flag(meaning, { short: 'w' }),
  waitTimeout: option('duration', 'wait at most this long (default: 10m)', parseDuration),
});

const WAIT_SECONDS = 600;

/** What these options ask for; 0 seconds are a single look. */
export async function waitingOf(
  context: Needs<'api'>,
  { wait, waitTimeout }: Values<ReturnType<typeof waitOptions>>,
) {
  const waits = wait || waitTimeout !== undefined;
  const client = await (waits ? context.api.pollingClient() : context.api.client());
  return { waits, client, seconds: waits ? (waitTimeout ?? WAIT_SECONDS) : 0 };
}

/** How the waiting ends, or the trouble after which it goes on. */
interface Look<End> {
  readonly end?: End | undefined;
  readonly trouble?: CliError | undefined;
}

interface Polled<End> {
  /** What began just now is looked at after the first pause. */
  readonly isNew: boolean;
  readonly seconds: number;
  look(): Promise<Look<End>>;
  /** Says how far it is. */
  progress(elapsedMs: number): string;
}

const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;
const PAUSE_GROWTH = 1.5;
/** The share by which a pause differs, at most, so that what began together spreads. */
const JITTER = 0.1;

/**
 * Looks until the end or until the time is up, after pauses of 0.3 s and then ever more. Returns
 * the last look.
 */
export async function pollUntil<End>(
  context: Needs<'io' | 'time'>,
  { isNew, seconds, look, progress }: Polled<End>,
): Promise<Look<End>> {
  const { io, time } = context;
  const startedAt = time.clock.monotonic();
  const remainingMs = () => startedAt + seconds * 1000 - time.clock.monotonic();
  let nextMs = isNew ? FIRST_PAUSE_MS : 0;
  let last: Look<End> = {};
  const line = io.progress(() => {
    const text = progress(time.clock.monotonic() - startedAt);
    return last.trouble === undefined
      ? text
      : `${text}  ${asSentence(last.trouble.message)} Retrying.`;
  });
  try {
    do {
      const ms = nextMs * (1 + JITTER * (2 * time.random() - 1));
      nextMs = nextMs === 0 ? FIRST_PAUSE_MS : Math.min(MAX_PAUSE_MS, nextMs * PAUSE_GROWTH);
      if (ms > 0)
        await time.clock.sleep(Math.min(pauseAfter(last.trouble, ms), remainingMs()), time.signal);
      last = await look();
    } while (last.end === undefined && remainingMs() > 0);
    return last;
  } finally {
    line.stop();
  }
}
