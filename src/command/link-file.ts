import { dirname, join } from 'node:path';
import { type CliError, usageError } from '../errors.ts';
import { isObject, parseJson } from '../spec/read.ts';
import { readPlainFile } from '../store/plain-file.ts';
import { explain } from '../store/problem.ts';

/** The file in a folder that names its default service and organization; never an address or a secret. */
export const LINK_FILE = '.svc.json';

/** What a link file says. */
export interface Link {
  readonly path: string;
  readonly service: string | undefined;
  readonly org: string | undefined;
}

/** The link file of the nearest folder, from `folder` upwards. */
export function findLink(folder: string): Link | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const link = readLink(join(current, LINK_FILE));
    if (link !== undefined) return link;
    if (dirname(current) === current) return undefined;
  }
}

/** Reads a link file; `undefined` where there is none. Throws a usage error for one that cannot be read or says something else. */
function readLink(path: string): Link | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
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

function readIfThere(path: string): string | undefined {
  try {
    return readPlainFile(path);
  } catch (error) {
    // Without it, the command would be about another service than this folder's.
    throw unusable(`${path} cannot be read: ${explain(error)}`);
  }
}
