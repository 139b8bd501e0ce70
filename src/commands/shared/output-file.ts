import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { cancelled, codeOf, quoted, usageError } from '../../errors.ts';
import { againWith } from '../../kit/ask.ts';
import type { Context } from '../../kit/context.ts';
import { isFileName, writeNamed } from '../../store/named-file.ts';
import { explain } from '../../store/problem.ts';

/** A file that may be written. */
export interface OutputFile {
  /** As the user wrote it. */
  readonly path: string;
  /** @throws CliError `usage` if it cannot be written; a new file is then removed. */
  write(text: string): Promise<void>;
}

/**
 * Checks, before anything is sent, that a file can be written. Asks before it replaces a file.
 * @throws CliError `usage` without a folder or a confirmation.
 */
export async function claimOutput(
  context: Context,
  path: string,
  replaces = context.settings.globals.yes,
): Promise<OutputFile> {
  const { cwd, signal, io } = context;
  const target = resolve(cwd(), path);
  if (kindOf(dirname(target)) !== 'folder') throw usageError(`There is no folder ${quoted(dirname(target))}.`);
  if (!isFileName(basename(target))) throw usageError(`No file can be called ${quoted(basename(target))} on Windows.`);
  const kind = kindOf(target);
  if (kind === 'folder')
    throw usageError(
      `${quoted(path)} is a folder.`,
      `For example: --output ${path.replace(/(?<!\/)\/*$/, '')}/plan.json`,
    );
  if (kind === 'file' && !replaces) {
    if (!io.interactive)
      throw usageError(`${quoted(path)} exists already. Nothing was sent.`, {
        say: 'Choose another name, or replace the file with -y.',
        run: againWith(context, ['-y']),
      });
    if (!(await io.confirm(`${path} exists already. Replace it?`))) throw cancelled('usage', 'Nothing was sent.');
  }
  return { path, write: (text) => save(target, text, kind === undefined, signal) };
}

function kindOf(path: string): 'folder' | 'file' | 'other' | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return 'folder';
  if (stats?.isFile()) return 'file';
  return stats && 'other';
}

async function save(target: string, text: string, isNew: boolean, signal: AbortSignal): Promise<void> {
  try {
    await writeNamed(target, text, isNew, signal);
  } catch (error) {
    const appeared = isNew && codeOf(error) === 'EEXIST';
    if (isNew && !appeared) await rm(target, { force: true });
    throw usageError(`Cannot write ${quoted(target)}: ${appeared ? 'it exists by now' : explain(error)}.`);
  }
}
