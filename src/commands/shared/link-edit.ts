import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../errors.ts';
import { isObject, parseJson } from '../../json/values.ts';
import { shellWord } from '../../shell-line.ts';
import { toUtf8 } from '../../store/files.ts';
import { findLinkProblem, LINK_FILE, type LinkSituation } from '../../store/link-file.ts';
import { cannotSaveError } from '../../store/problem.ts';
import { writeDurably } from '../../store/write.ts';

/**
 * Sets fields of the link file of a folder, or removes those that are undefined, and a file without
 * fields. Returns its path and whether anything changed.
 * @throws CliError `usage` if svc must not replace the file, or cannot write it.
 */
export function editLink(
  folder: string,
  fields: Partial<Record<'service' | 'org', string | undefined>>,
  situation: LinkSituation,
) {
  const path = join(folder, LINK_FILE);
  try {
    const before = readOwnFile(path, situation);
    const json = JSON.stringify({ ...before?.content, ...fields }, null, 2);
    const text = json === '{}' ? undefined : `${json}\n`;
    if (text === before?.text) return { path, changed: false };

    if (text === undefined) rmSync(path);
    else writeDurably(path, text, { keepsMode: true });
    return { path, changed: true };
  } catch (error) {
    const instead = 'Set SVC_SERVICE=<id> instead, or: svc config set service <id>';
    throw cannotSaveError('the link', folder, error, instead);
  }
}

function readOwnFile(path: string, situation: LinkSituation) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A symbolic link could lead to a file that is not svc's to change.
  if (!stats.isFile()) throw usageError(`${path} is not a plain file; svc does not change it.`);

  // Rewriting the file would make the user the owner of fields that somebody else wrote.
  const why = findLinkProblem(stats, situation);
  if (why !== undefined) {
    const hint = { say: 'Check what is in it, then remove it.', run: [`rm ${shellWord(path)}`] };
    throw usageError(`${path} ${why}; svc does not change it.`, hint);
  }

  const text = toUtf8(readFileSync(path)).toString('utf8');
  const content = parseJson(text.replace(/^\uFEFF/, ''));
  if (isObject(content)) return { text, content };
  throw usageError(`${path} is not a JSON object; svc does not change it.`, 'Fix the file first.');
}
