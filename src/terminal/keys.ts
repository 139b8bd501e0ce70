import { StringDecoder } from 'node:string_decoder';
import type { Env } from '../environment.ts';
import type { OutputStream, ShellJob, TerminalInput } from './terminal.ts';

/** What has the terminal until it is removed. Without `press` the keys are discarded. */
export interface KeyListener {
  /**
   * Arrows have the names of {@link NAMES}. Text that the terminal marks as pasted presses nothing.
   */
  press?(key: string): void;
  /** For a question: takes all that arrives as it came, Ctrl-C included, before any `press`. */
  read?(text: string): void;
  end?(): void;
  /** Called when the keys are read, and again after `fg`. */
  enter?(): void;
  /** Called before Ctrl-Z stops svc. */
  leave?(): void;
  /** In the background the system stops svc until `fg`; others go on without keys. */
  readonly needsTerminal?: boolean;
}

/**
 * The one reader of the terminal's keys, in raw mode; Ctrl-C, Ctrl-Z and Ctrl-\ keep working.
 * Without listeners the terminal is left alone: what is typed meanwhile is for the shell.
 */
export interface Keys {
  /** Whether stdin is a terminal that can be read key by key. */
  readonly available: boolean;
  /** Resolves with false in the background. */
  add(listener: KeyListener): Promise<boolean>;
  remove(listener: KeyListener): void;
  close(): void;
}

interface KeysOptions {
  readonly stdin: TerminalInput;
  readonly stderr: OutputStream;
  readonly env: Env;
  readonly job?: ShellJob | undefined;
  interrupt?(): void;
}

type KeySignal = Parameters<ShellJob['send']>[0];

const SIGNALS: Readonly<Record<string, KeySignal>> = {
  '\u0003': 'SIGINT',
  '\u001c': 'SIGQUIT',
  '\u001a': 'SIGTSTP',
};

/** One key, as a terminal sends it. */
export const KEY = /\u001b(?:[[O][0-?]*[ -/]*[@-~])?|./gsu;

/** The names of keys that send three characters, by the last one. */
const NAMES: Readonly<Record<string, string>> = { A: 'up', B: 'down', C: 'right', D: 'left' };

/** Reads keys while somebody listens. */
export function createKeys(options: KeysOptions): Keys {
  const { job } = options;
  const listeners = new Set<KeyListener>();
  const decoder = new StringDecoder();
  let isReading = false;
  let isMarking = false;
  let isPasting = false;
  let stopListening: (() => void) | undefined;
  const raw = (on: boolean) => {
    try {
      options.stdin.setRawMode?.(on);
    } catch {
      // The terminal has gone.
    }
  };
  const send = (signal: KeySignal) => {
    // The process ends at once.
    if (signal === 'SIGQUIT') leave();
    if (job !== undefined) job.send(signal);
    else if (signal === 'SIGINT') options.interrupt?.();
  };
  /** Pasted text is marked while it could answer a question, or press keys. */
  const markPastes = () => {
    const marks =
      isReading && [...listeners].some(({ read, needsTerminal }) => read ?? needsTerminal);
    if (marks !== isMarking && options.env['TERM'] !== 'dumb') {
      options.stderr.write(`\u001b[?2004${marks ? 'h' : 'l'}`);
    }
    isMarking = marks;
  };
  const end = () => {
    for (const listener of listeners) listener.end?.();
  };
  const press = (key: string) => {
    // What stands around pasted text.
    isPasting = key === '\u001b[200~' || (isPasting && key !== '\u001b[201~');
    const name = (key.length === 3 && NAMES[key.slice(2)]) || key;
    if (!isPasting) for (const listener of listeners) listener.press?.(name);
  };
  const read = (chunk: Buffer | string) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const question = [...listeners].findLast((listener) => listener.read !== undefined);
    if (question !== undefined && (SIGNALS[text] === undefined || SIGNALS[text] === 'SIGINT')) {
      return question.read?.(text);
    }
    for (const key of text.match(KEY) ?? []) {
      const signal = SIGNALS[key];
      if (signal !== undefined) send(signal);
      else press(key);
    }
  };
  const stopReading = () => {
    if (isReading) options.stdin.off('data', read).off('end', end).off('close', end).pause();
    isReading = false;
  };
  const release = () => {
    const wasReading = isReading;
    stopReading();
    markPastes();
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
    if (keys.available) {
      // After `fg` the terminal has the shell's settings, whatever Node remembers.
      raw(false);
      raw(true);
      // A closed terminal reports an error here; the signal that comes with it ends the command.
      if (!isReading) options.stdin.on('data', read).on('end', end).on('close', end);
      options.stdin.off('error', ignore).on('error', ignore).resume();
      isReading = true;
      markPastes();
    }
    for (const listener of listeners) listener.enter?.();
  };
  const keys: Keys = {
    get available() {
      const { stdin } = options;
      return (
        stdin.isTTY === true &&
        stdin.setRawMode !== undefined &&
        !stdin.readableEnded &&
        !stdin.destroyed
      );
    },
    async add(listener) {
      listeners.add(listener);
      stopListening ??= job?.onStop(leave, () => void enter());
      if (isReading && listener.read === undefined) listener.enter?.();
      else await enter();
      return isReading;
    },
    remove(listener) {
      if (!listeners.delete(listener)) return;
      if (listeners.size > 0) return markPastes();
      stopListening?.();
      stopListening = undefined;
      release();
    },
    close: () => listeners.forEach(keys.remove),
  };
  return keys;
}

function ignore(): void {}
