import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../errors.ts';
import { asObject, asText } from '../spec/read.ts';

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

/** Reads a link file; `undefined` where there is none. */
export function readLink(path: string): Link | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const { service, org } = asObject(JSON.parse(text.replace(/^\uFEFF/, '')));
    return { path, service: asText(service), org: asText(org) };
  } catch {
    throw usageError(`${path} is not valid JSON.`, 'the same command, after mending or removing the file');
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
