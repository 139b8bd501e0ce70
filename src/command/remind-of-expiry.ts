import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { expiryNotice } from '../login/expiry.ts';
import type { Machine } from '../store/machine.ts';
import { readPlainFile } from '../store/read.ts';
import { updateFile } from '../store/write.ts';
import type { Context } from './context.ts';
import { signInCommand } from './unauthenticated.ts';

/** Remembers what was said today. */
const REMINDERS_FILE = 'reminders.json';

/** Tells a person at a terminal, at most once a day, that the stored token in use is about to end. */
export async function remindOfExpiry({
  io,
  settings,
  system: { machine, clock },
  vault: { folder: configFolder },
}: Context): Promise<void> {
  const record = settings.credential()?.record;
  if (record === undefined || !io.err.isTty || io.json || io.quiet) return;
  const notice = expiryNotice(record, clock.now(), signInCommand(settings));
  if (notice === undefined) return;
  if (await isFirstToday(join(configFolder(), REMINDERS_FILE), record.profile, machine, clock)) await io.note(notice);
}

/**
 * Whether this is the first time today (UTC) that something is said about a subject; the file remembers it. If it
 * cannot be read or written, every time is the first.
 */
async function isFirstToday(path: string, subject: string, machine: Machine, clock: Clock): Promise<boolean> {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const wasSaid = (text: string): boolean => daysIn(text).get(subject) === today;
  let isFirst = true;
  try {
    if (wasSaid(readPlainFile(path) ?? '')) return false;
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

/** On which day each subject was spoken of. */
function daysIn(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch {
    return new Map();
  }
}
