import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Env, isOn } from '../environment.ts';
import { CliError, usageError } from '../errors.ts';
import { isObject, parseJson } from '../json/values.ts';
import { readPlainFile } from './files.ts';
import { findTrustProblem, type Machine } from './machine.ts';
import { checkFormat, describeSystemError } from './problem.ts';

/** Names a default service and organization; never an address or a secret. */
export const LINK_FILE = '.svc.json';
const FORMAT = 1;

/** An empty text counts as absent. */
export interface Link {
  readonly path: string;
  readonly service: string | undefined;
  readonly org: string | undefined;
}

/** Decides whether a link file is trusted. */
export type LinkSituation = Readonly<{ machine: Machine; env: Env }>;

/** The nearest link file, and why nearer ones do not count. */
export type FoundLink = ReturnType<typeof findLink>;

/**
 * Finds the nearest link file, from `folder` upwards. `ignored` says why nearer ones do not count.
 * @throws CliError `usage` if it cannot be read or parsed.
 */
export function findLink(folder: string, situation: LinkSituation) {
  const ignored: string[] = [];
  const check = (stats: Stats): void => {
    const problem = findLinkProblem(stats, situation);
    if (problem !== undefined) throw new IgnoredLink(problem);
  };
  for (let current = folder; ; current = dirname(current)) {
    const path = join(current, LINK_FILE);
    try {
      const text = readPlainFile(path, check);
      if (text !== undefined) return { link: parseLink(text, path), ignored };
    } catch (error) {
      if (error instanceof CliError) throw error;
      // Without it, the command could act on another service.
      if (!(error instanceof IgnoredLink)) {
        throw unusableError(`${path} cannot be read: ${describeSystemError(error)}`);
      }
      ignored.push(`${path} is ignored: it ${error.message}.`);
    }
    if (dirname(current) === current) return { link: undefined, ignored };
  }
}

/** Thrown for a link file that others may have written. */
class IgnoredLink extends Error {}

/** Finds why a link file is not trusted. In CI a checkout often belongs to another user. */
export function findLinkProblem(
  { uid, mode }: Stats,
  { machine, env }: LinkSituation,
): string | undefined {
  return findTrustProblem({ uid: isOn(env['CI']) ? 0 : uid, mode }, machine);
}

function parseLink(text: string, path: string): Link {
  const content = parseJson(text);
  if (content === undefined) throw unusableError(`${path} is not valid JSON`);
  if (!isObject(content)) throw unusableError(`${path} is not a JSON object`);
  checkFormat(content['version'], FORMAT, path, 'remove the file');
  const readText = (name: 'service' | 'org'): string | undefined => {
    const value = content[name] ?? '';
    if (typeof value !== 'string') {
      throw unusableError(`The field "${name}" in ${path} is not a string`);
    }
    return value || undefined;
  };
  return { path, service: readText('service'), org: readText('org') };
}

function unusableError(why: string): CliError {
  return usageError(`${why}.`, 'Fix or remove the file, then run the command again.');
}
