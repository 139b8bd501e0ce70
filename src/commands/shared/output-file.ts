import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type Needs, proposeRepeats } from '../../cli/define/context.ts';
import { cancelledError, getErrorCode, quote, usageError } from '../../errors.ts';
import { isFileName, writeNamedFile } from '../../store/named-file.ts';
import { describeSystemError } from '../../store/problem.ts';

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
  const folder = dirname(target);
  if (!getStats(folder)?.isDirectory()) throw usageError(`There is no folder ${quote(folder)}.`);
  if (!isFileName(basename(target))) {
    throw usageError(`No file can be called ${quote(basename(target))} on Windows.`);
  }

  const old = getStats(target);
  if (old?.isDirectory()) throw usageError(`${quote(path)} is a folder.`);
  if (old?.isFile() && !replaces) await confirmReplacing(context, path);
  return {
    path,
    write: (text: string) => save(target, text, old === undefined, time.signal),
  };
}

function getStats(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

async function confirmReplacing(context: Needs<'io' | 'line'>, path: string) {
  if (!context.io.interactive) {
    throw usageError(`${quote(path)} exists already. Nothing was sent.`, {
      say: 'Choose another name, or replace the file with -y.',
      run: proposeRepeats(context, ['-y']),
    });
  }
  const isConfirmed = await context.io.confirm(`${path} exists already. Replace it?`);
  if (!isConfirmed) throw cancelledError('usage', 'Nothing was sent.');
}

async function save(target: string, text: string, isNew: boolean, signal: AbortSignal) {
  try {
    await writeNamedFile(target, text, isNew, signal);
  } catch (error) {
    const hasAppeared = isNew && getErrorCode(error) === 'EEXIST';
    if (isNew && !hasAppeared) await rm(target, { force: true });
    const why = hasAppeared ? 'it exists by now' : describeSystemError(error);
    throw usageError(`Cannot write ${quote(target)}: ${why}.`);
  }
}
