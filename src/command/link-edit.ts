import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { isObject, type JsonObject, parseJson } from '../spec/read.ts';
import { cannotSave } from '../store/problem.ts';
import { writeDurably } from '../store/write.ts';
import { doubtOfLink, LINK_FILE, type LinkSituation } from './link-file.ts';
import { shellWord } from './shell-word.ts';

/** What a link file is to say from now on; a name that is absent is taken out. */
export type LinkFields = Readonly<Record<string, string | undefined>>;

/**
 * Changes the link file of a folder; fields that svc does not know are kept, and a file without fields is removed.
 * Returns its path and whether anything changed.
 * @throws CliError `usage` for a file that svc must not replace, and where it cannot be written.
 */
export function editLink(
  folder: string,
  fields: LinkFields,
  situation: LinkSituation,
): { path: string; changed: boolean } {
  const path = join(folder, LINK_FILE);
  try {
    const old = readOwn(path, situation);
    const given = Object.entries({ ...old?.content, ...fields }).filter(([, value]) => value !== undefined);
    const text = given.length === 0 ? undefined : `${JSON.stringify(Object.fromEntries(given), null, 2)}\n`;
    if (text === old?.text) return { path, changed: false };
    if (text === undefined) rmSync(path);
    else writeDurably(path, text, { keepsMode: true });
    return { path, changed: true };
  } catch (error) {
    throw cannotSave('the link', folder, error, 'SVC_SERVICE=<id>, or svc config set service <id>');
  }
}

interface LinkContent {
  readonly text: string;
  readonly content: JsonObject;
}

function readOwn(path: string, situation: LinkSituation): LinkContent | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A link could lead out of the folder, to a file that is not svc's to change.
  if (!stats.isFile()) throw usageError(`${path} is not a plain file; svc does not replace it.`);
  // What somebody else wrote into it would be the user's own from then on.
  const why = doubtOfLink(stats, situation);
  if (why !== undefined) throw usageError(`${path} ${why}; svc does not change it.`, `rm ${shellWord(path)}`);
  const text = readFileSync(path, 'utf8');
  return { text, content: parsed(text, path) };
}

function parsed(text: string, path: string): JsonObject {
  const content = parseJson(text.replace(/^\uFEFF/, ''));
  if (isObject(content)) return content;
  throw usageError(
    `${path} is not a JSON object; svc does not replace it.`,
    'the same command, after mending the file',
  );
}
