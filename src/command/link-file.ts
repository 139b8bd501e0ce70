import { lstatSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Env, isOn } from '../environment.ts';
import { type CliError, usageError } from '../errors.ts';
import { isObject, type JsonObject, parseJson } from '../json/values.ts';
import type { Machine } from '../vault/machine.ts';
import { cannotSave, explain } from '../vault/problem.ts';
import { readPlainFile } from '../vault/read.ts';
import { writeDurably } from '../vault/write.ts';
import { shellWord } from './next.ts';
import { doubtOf } from './trust.ts';

/** The file in a folder that names its default service and organization; never an address or a secret. */
const LINK_FILE = '.svc.json';

/** What a link file says. */
export interface Link {
  readonly path: string;
  readonly service: string | undefined;
  readonly org: string | undefined;
}

/** What decides whose link files count. */
type LinkSituation = Readonly<{ machine: Machine; env: Env }>;

/** The link that counts in a folder, and the nearer ones that do not. */
export interface FoundLink {
  readonly link: Link | undefined;
  /** Why each of the others is ignored, in a sentence. */
  readonly ignored: readonly string[];
}

/**
 * The link file of the nearest folder, from `folder` upwards, as if those that others may have written were not there.
 * @throws CliError `usage` for one that cannot be read or says something else.
 */
export function findLink(folder: string, situation: LinkSituation): FoundLink {
  const ignored: string[] = [];
  for (let current = folder; ; current = dirname(current)) {
    const path = join(current, LINK_FILE);
    try {
      const text = readIfThere(path, situation);
      if (text !== undefined) return { link: linkFrom(text, path), ignored };
    } catch (error) {
      if (!(error instanceof Ignored)) throw error;
      ignored.push(`${path} is ignored: it ${error.message}.`);
    }
    if (dirname(current) === current) return { link: undefined, ignored };
  }
}

/** Why a link file is not to be believed; `undefined` if it is. In CI, another user often checks the project out. */
function doubtOfLink({ uid, mode }: Stats, { machine, env }: LinkSituation): string | undefined {
  return doubtOf({ uid: isOn(env['CI']) ? 0 : uid, mode }, machine)?.why;
}

/** The link file is not to be believed. */
class Ignored extends Error {}

function linkFrom(text: string, path: string): Link {
  const content = parseJson(text);
  if (content === undefined) throw unusable(`${path} is not valid JSON`);
  if (!isObject(content)) throw unusable(`${path} is not a JSON object`);
  const textIn = (name: 'service' | 'org'): string | undefined => {
    const value = content[name] ?? '';
    if (typeof value !== 'string') throw unusable(`The field "${name}" in ${path} is not a string`);
    return value === '' ? undefined : value;
  };
  return { path, service: textIn('service'), org: textIn('org') };
}

function unusable(why: string): CliError {
  return usageError(`${why}.`, 'the same command, after mending or removing the file');
}

function readIfThere(path: string, situation: LinkSituation): string | undefined {
  try {
    return readPlainFile(path, (stats) => {
      const why = doubtOfLink(stats, situation);
      if (why !== undefined) throw new Ignored(why);
    });
  } catch (error) {
    if (error instanceof Ignored) throw error;
    // Without it, the command would be about another service than this folder's.
    throw unusable(`${path} cannot be read: ${explain(error)}`);
  }
}

/** What a link file is to say from now on; a name that is absent is taken out. */
type LinkFields = Readonly<Record<string, string | undefined>>;

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
