import type { Clock } from '../clock.ts';
import { updateFile } from './locked-file.ts';
import type { Machine } from './machine.ts';
import { readPlainFile } from './plain-file.ts';

/**
 * Whether this is the first time today (UTC) that something is said about a subject; the file remembers it. Where that
 * cannot be written, every time is the first.
 */
export async function isFirstToday(path: string, subject: string, machine: Machine, clock: Clock): Promise<boolean> {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const wasSaid = (text: string): boolean => daysIn(text).get(subject) === today;
  let isFirst = true;
  try {
    if (wasSaid(read(path))) return false;
    await updateFile(path, machine, clock, (text = '') => {
      isFirst = !wasSaid(text);
      const others = [...daysIn(text)].filter(([name, day]) => name !== subject && day === today);
      return isFirst ? `${JSON.stringify(Object.fromEntries([...others, [subject, today]]))}\n` : undefined;
    });
  } catch {
    // Saying it twice does no harm.
  }
  return isFirst;
}

function read(path: string): string {
  try {
    return readPlainFile(path) ?? '';
  } catch {
    return '';
  }
}

/** On which day each subject was spoken of. */
function daysIn(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch {
    return new Map();
  }
}
