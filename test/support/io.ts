import { systemClock } from '../../src/clock.ts';

/** What `main` gives an `io` beside its streams, for a run that nothing stops. */
export const IO_DEFAULTS = {
  clock: systemClock,
  signal: new AbortController().signal,
  conceal: (text: string) => text,
  withDefaultSignals: <T>(work: () => T): T => work(),
};
