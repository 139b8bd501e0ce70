import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { proposeRepeats } from '../../cli/define/ask.ts';
import type { Needs } from '../../cli/define/context.ts';
import { cancelled, codeOf, quoted, usageError } from '../../errors.ts';
import { isFileName, writeNamedFile } from '../../store/named-file.ts';
import { describeSystemError } from '../../store/problem.ts';

/** See {@link claimOutput}. */
export type OutputFile = Awaited<ReturnType<typeof claimOutput>>;

/**
 * Checks, before anything is sent, that a file can be written, and asks before it replaces one.
 * Writing removes a new file that has only a part.
 * @throws CliError `usage` without a folder or a confirmation; of writing too.
 */
export async function claimOutput(
  context: Needs<'io' | 'globals' | 'time' | 'line' | 'program'>,
  path: string,
  replaces = context.globals.yes,
) {
  const { io, time, program } = context;
  if (path === '-') return { path, write: (text: string) => io.out.write(text, 'raw') };
  const target = resolve(program.cwd(), path);
  if (kindOf(dirname(target)) !== 'folder')
    throw usageError(`There is no folder ${quoted(dirname(target))}.`);
  if (!isFileName(basename(target)))
    throw usageError(`No file can be called ${quoted(basename(target))} on Windows.`);
  const kind = kindOf(target);
  if (kind === 'folder') throw usageError(`${quoted(path)} is a folder.`);
  if (kind === 'file' && !replaces) {
    const hint = {
      say: 'Choose another name, or replace the file with -y.',
      run: proposeRepeats(context, ['-y']),
    };
    if (!io.interactive)
      throw usageError(`${quoted(path)} exists already. Nothing was sent.`, hint);
    if (!(await io.confirm(`${path} exists already. Replace it?`)))
      throw cancelled('usage', 'Nothing was sent.');
  }
  return { path, write: (text: string) => save(target, text, kind === undefined, time.signal) };
}

function kindOf(path: string): 'folder' | 'file' | 'other' | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return 'folder';
  if (stats?.isFile()) return 'file';
  return stats && 'other';
}

async function save(
  target: string,
  text: string,
  isNew: boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    await writeNamedFile(target, text, isNew, signal);
  } catch (error) {
    const appeared = isNew && codeOf(error) === 'EEXIST';
    if (isNew && !appeared) await rm(target, { force: true });
    throw usageError(
      `Cannot write ${quoted(target)}: ${appeared ? 'it exists by now' : describeSystemError(error)}.`,
    );
  }
}
