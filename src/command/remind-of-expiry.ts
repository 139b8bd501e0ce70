import { join } from 'node:path';
import { expiryNotice } from '../login/expiry.ts';
import { isFirstToday } from '../store/once-a-day.ts';
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
