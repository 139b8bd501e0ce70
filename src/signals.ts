import { CliError } from './errors.ts';
import type { StopSignal, World } from './world.ts';

/** Exit codes of the signals that end svc. */
const EXIT_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Milliseconds between a second signal and the end. */
const LAST_WORDS_MS = 100;

/** What the signals of a run do. */
export interface Signals {
  /** Aborted by the first signal; its reason is the error that ends the command. */
  readonly interrupted: AbortSignal;
  /** Aborted by the second: what still waits has a moment to say what may be left behind, then the process ends. */
  readonly hurry: AbortSignal;
  /** Does work during which nobody hears a signal, and the system ends the process on one instead. */
  unguarded<T>(work: () => T): T;
  /** Hears no more of them. */
  stop(): void;
}

/** How a run takes its signals. */
export interface SignalManners {
  /** Whether Ctrl-C is for another program now. */
  isLent(): boolean;
  /** Puts the terminal in order, right before the process ends at once. */
  beforeEnd(): void;
}

/** Listens to the signals of the process from now on. */
export function listenToSignals(world: Pick<World, 'onSignal' | 'exit'>, manners: SignalManners): Signals {
  const interruption = new AbortController();
  const hurry = new AbortController();
  const endAtOnce = (exitCode: number) => {
    manners.beforeEnd();
    world.exit(exitCode);
  };
  const listen = () =>
    world.onSignal((signal) => {
      if (signal === 'SIGINT' && manners.isLent()) return;
      const exitCode = EXIT_CODES[signal];
      if (!interruption.signal.aborted) {
        interruption.abort(new CliError('interrupted', 'Interrupted.', { exitCode }));
        return;
      }
      hurry.abort();
      setTimeout(() => endAtOnce(exitCode), LAST_WORDS_MS).unref();
    });
  let stopListening = listen();
  return {
    interrupted: interruption.signal,
    hurry: hurry.signal,
    unguarded(work) {
      stopListening();
      try {
        return work();
      } finally {
        stopListening = listen();
      }
    },
    stop: () => stopListening(),
  };
}
