import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Context } from '../../command/context.ts';
import { openInBrowser, shouldOpenBrowser } from '../../login/browser.ts';
import { cannotSave } from '../../store/problem.ts';
import { toSvg } from './svg.ts';
import type { Usage } from './usage.ts';

/** Writes the usage as a picture, whole or not at all. Throws a usage error where it cannot be written. */
export async function writePicture(usage: Usage, path: string): Promise<void> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(unfinished, toSvg(usage), { flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw cannotSave('the picture', path, error, '--output with a path that can be written');
  }
}

/** Opens a picture where somebody sits before a screen; says so where it cannot. */
export async function openPicture(context: Context, path: string): Promise<void> {
  const { io, env, platform, clock, machine } = context;
  const situation = { env, platform, uid: machine.uid, stdinIsTty: io.stdinIsTty, stderrIsTty: io.err.isTty };
  if (!shouldOpenBrowser({ ...situation, json: io.json, noBrowser: false })) {
    await io.note('There is no screen here to open the picture on.');
    return;
  }
  openInBrowser(pathToFileURL(path), clock, () => void io.note(`The picture could not be opened: ${path}`));
}
