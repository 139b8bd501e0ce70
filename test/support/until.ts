import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
/**
 * Far more than the slowest machine needs, and less than the time limit of a test: the message says
 * what was missing.
 */
const PATIENCE_MS = 150_000;

/**
 * Looks again and again, and resolves with the first value that is not empty. `shown` tells what
 * there was instead.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  shown: () => unknown = () => '',
): Promise<T> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const seen = await look();
    if (seen) return seen;
    if (waited > PATIENCE_MS) throw new Error(`This never came true: ${look}\n${shown()}`);
    await pause(LOOK_MS);
  }
}

/** The text of a file that another process makes, once its last line is whole. */
export function untilWritten(file: string): Promise<string> {
  const textOf = () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  return until(() => textOf().endsWith('\n') && textOf(), textOf) as Promise<string>;
}
