import { CliError, SIGNAL_EXITS } from './errors.ts';
import type { StopSignal, World } from './world.ts';

/** Time that a command has after the second signal, to say what may be left behind. */
const GRACE_MS = 100;

interface SignalOptions {
  /** Whether Ctrl-C is for another program now. */
  isLent(): boolean;
  /** Restores the terminal right before the process ends at once. */
  beforeEnd(): void;
}

/** Listens to the signals of the process from now on. */
export function listenToSignals(world: Pick<World, 'onSignal' | 'exit'>, options: SignalOptions) {
  const interruption = new AbortController();
  const hurry = new AbortController();
  const receive = (signal: StopSignal) => {
    if (signal === 'SIGINT' && options.isLent()) return;
    const exitCode = SIGNAL_EXITS[signal];
    if (!interruption.signal.aborted) {
      interruption.abort(new CliError('interrupted', 'Interrupted.', { exitCode }));
      return;
    }
    hurry.abort();
    setTimeout(() => {
      options.beforeEnd();
      world.exit(exitCode);
    }, GRACE_MS).unref();
  };
  const listen = () => world.onSignal(receive);
  let stopListening = listen();
  return {
    /** Aborted by the first signal; its reason is the error that ends the command. */
    interrupted: interruption.signal,
    /** Aborted by the second signal, shortly before the process ends. */
    hurry: hurry.signal,
    interrupt: () => receive('SIGINT'),
    /** Does synchronous work that blocks the event loop; until it returns, a signal ends the process at once. */
    unguarded<T>(work: () => T): T {
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
