import { pathToFileURL } from 'node:url';
import type { Context } from '../../command/context.ts';
import { openInBrowser, shouldOpenBrowser } from '../../login/browser.ts';

/** Opens a picture where somebody sits before a screen; says so where nobody does. */
export async function openPicture(context: Context, path: string): Promise<void> {
  const {
    io,
    system: { env, platform, clock, machine },
  } = context;
  const situation = { env, platform, uid: machine.uid, stdinIsTty: io.stdinIsTty, stderrIsTty: io.err.isTty };
  if (!shouldOpenBrowser({ ...situation, json: io.json })) {
    await io.note('There is no screen here to open the picture on.');
    return;
  }
  openInBrowser(pathToFileURL(path), clock, () => void io.note(`The picture could not be opened: ${path}`));
}
