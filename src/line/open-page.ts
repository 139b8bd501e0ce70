import { openInBrowser, safeWebUrl, shouldOpenBrowser } from '../sign-in/browser.ts';
import type { Io } from '../terminal/io.ts';
import type { World } from '../world.ts';

/** Opens a page as `CommandIo.openBrowser` does. */
export async function openPage(
  { env, machine, clock }: World,
  io: Io,
  page: string | URL,
  failure = 'Could not open a browser. Use the link above.',
): Promise<boolean> {
  const url = typeof page === 'string' ? safeWebUrl(page) : page;
  const { platform, uid } = machine;
  const situation = { env, platform, uid, stdinIsTty: io.stdinIsTty, stderrIsTty: io.err.isTty, json: io.json };
  if (url === undefined || !shouldOpenBrowser(situation)) return false;
  openInBrowser(url, clock, () => void io.note(failure));
  return true;
}
