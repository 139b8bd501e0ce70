import type { Readable } from 'node:stream';
import type { Job, KeySignal } from './job.ts';

/** `process.stdin`; only that of a terminal has a raw mode. */
export type TerminalInput = Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };

/** One that has the terminal until it is removed; without `press` all keys are lost. */
export interface KeyListener {
  press?(key: string): void;
  /** Called when the keys are read, and again after `fg`. */
  enter?(): void;
  /** Called before Ctrl-Z stops svc. */
  leave?(): void;
  /** In the background, waits for `fg` like a full-screen program, instead of doing without keys. */
  readonly needsTerminal?: boolean;
}

/**
 * Reads single keys without showing them, as long as there are listeners. Ctrl-C, Ctrl-Z and Ctrl-\ keep working. A key
 * that is pressed before a question is shown does not answer it, because the question may spend money.
 */
export interface Keys {
  /** Whether the input has keys. */
  readonly exist: boolean;
  /** Resolves with whether the keys are read now. */
  add(listener: KeyListener): Promise<boolean>;
  remove(listener: KeyListener): void;
  /** Removes all listeners. */
  close(): void;
}

interface KeysOptions {
  readonly stdin: TerminalInput;
  readonly job: Job | undefined;
  /** Does what Ctrl-C does where there are no jobs. */
  interrupt(): void;
}

const SIGNALS: Readonly<Record<string, KeySignal>> = { '\u0003': 'SIGINT', '\u001c': 'SIGQUIT', '\u001a': 'SIGTSTP' };

/** What arrow keys and the like send. */
const SEQUENCES = /\u001b(?:[[O][0-?]*[ -/]*[@-~])?/g;

export function createKeys(options: KeysOptions): Keys {
  const { job } = options;
  const listeners = new Set<KeyListener>();
  let isReading = false;
  let stopListening: (() => void) | undefined;
  const exist = () => {
    const { stdin } = options;
    return stdin.isTTY === true && stdin.setRawMode !== undefined && !stdin.readableEnded && !stdin.destroyed;
  };
  const raw = (on: boolean) => {
    try {
      options.stdin.setRawMode?.(on);
    } catch {
      // The terminal has gone.
    }
  };
  const read = (chunk: Buffer | string) => {
    for (const key of String(chunk).replace(SEQUENCES, '')) {
      const signal = SIGNALS[key];
      if (signal === undefined) for (const listener of listeners) listener.press?.(key);
      else if (job === undefined) signal === 'SIGINT' && options.interrupt();
      else {
        // The process ends at once.
        if (signal === 'SIGQUIT') leave();
        job.send(signal);
      }
    }
  };
  const stopReading = () => {
    if (isReading) options.stdin.off('data', read).pause();
    isReading = false;
  };
  const release = () => {
    const wasReading = isReading;
    stopReading();
    if (wasReading) raw(false);
  };
  const leave = () => {
    release();
    for (const listener of listeners) listener.leave?.();
  };
  const enter = async () => {
    const needsTerminal = [...listeners].some((listener) => listener.needsTerminal);
    // Not even the mode is restored in the background.
    if (!needsTerminal && job !== undefined && !(await job.isForeground())) return stopReading();
    if (listeners.size === 0) return;
    if (exist()) {
      // After `fg` the terminal has the shell's settings, whatever Node remembers.
      raw(false);
      raw(true);
      // A closed terminal reports an error here; the signal that comes with it ends the command.
      if (!isReading) options.stdin.on('data', read).off('error', ignore).on('error', ignore).resume();
      isReading = true;
    }
    for (const listener of listeners) listener.enter?.();
  };
  const keys: Keys = {
    get exist() {
      return exist();
    },
    async add(listener) {
      listeners.add(listener);
      stopListening ??= job?.onStop(leave, () => void enter());
      if (isReading) listener.enter?.();
      else await enter();
      return isReading;
    },
    remove(listener) {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      stopListening?.();
      stopListening = undefined;
      release();
    },
    close: () => listeners.forEach(keys.remove),
  };
  return keys;
}

function ignore(): void {}
