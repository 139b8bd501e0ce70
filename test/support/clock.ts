export type FakeClock = ReturnType<typeof fakeClock>;

/**
 * A clock that stands still until someone sleeps on it; a sleep moves it on at once. Starts at the
 * given wall time.
 */
export function fakeClock(startsAt = '2026-03-01T12:00:00.000Z') {
  let wallMs = Date.parse(startsAt);
  let monotonicMs = 0;
  const listeners: Array<(ms: number) => void> = [];
  const waits: number[] = [];
  const advance = (ms: number): void => {
    wallMs += ms;
    monotonicMs += ms;
  };
  return {
    /** Every sleep that was asked for, in milliseconds, in order. */
    waits,
    /** Moves both clocks on without a wait being recorded: time that work or a person took. */
    advance,
    now: () => wallMs,
    monotonic: () => monotonicMs,
    /** Moves the wall clock alone, as a user or a resume from suspend does. */
    shiftWall(ms: number): void {
      wallMs += ms;
    },
    /** Calls the listener at the end of each sleep, with its length, before the sleeper wakes. */
    onSleep: (listener: (ms: number) => void) => void listeners.push(listener),
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted();
      waits.push(ms);
      advance(ms);
      for (const listener of listeners) listener(ms);
      await Promise.resolve();
      signal?.throwIfAborted();
    },
  };
}
