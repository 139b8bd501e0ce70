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

export interface Link {
  readonly path: string;
  readonly service: string | undefined;
  readonly org: string | undefined;
}

type LinkSituation = Readonly<{ machine: Machine; env: Env }>;

export interface FoundLink {
  readonly link: Link | undefined;
  /** Why each nearer link file is ignored, in a sentence. */
  readonly ignored: readonly string[];
}

/**
 * Finds the nearest link file, from `folder` upwards, and ignores those that others may have written.
 * @throws CliError `usage` if it cannot be read or parsed.
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

/** Thrown for a link file that others may have written. */
class Ignored extends Error {}

/** Says why a link file is not trusted. In CI its owner does not matter: the checkout often belongs to another user. */
function doubtOfLink({ uid, mode }: Stats, { machine, env }: LinkSituation): string | undefined {
  return doubtOf({ uid: isOn(env['CI']) ? 0 : uid, mode }, machine)?.why;
}

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
    // Without it, the command could act on another service.
    throw unusable(`${path} cannot be read: ${explain(error)}`);
  }
}

/**
 * Sets fields of the link file of a folder, and removes those that are undefined; keeps unknown fields, and removes a
 * file without fields. Returns its path and whether anything changed.
 * @throws CliError `usage` if svc must not replace the file, or cannot write it.
 */
export function editLink(
  folder: string,
  fields: Readonly<Record<string, string | undefined>>,
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

function readOwn(path: string, situation: LinkSituation): { text: string; content: JsonObject } | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A symbolic link could lead to a file that is not svc's to change.
  if (!stats.isFile()) throw usageError(`${path} is not a plain file; svc does not replace it.`);
  // Rewriting the file would make the user the owner of fields that somebody else wrote.
  const why = doubtOfLink(stats, situation);
  if (why !== undefined) throw usageError(`${path} ${why}; svc does not change it.`, `rm ${shellWord(path)}`);
  const text = readFileSync(path, 'utf8');
  const content = parseJson(text.replace(/^\uFEFF/, ''));
  if (isObject(content)) return { text, content };
  const hint = 'the same command, after mending the file';
  throw usageError(`${path} is not a JSON object; svc does not replace it.`, hint);
}
