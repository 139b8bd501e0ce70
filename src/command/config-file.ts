import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../errors.ts';
import { asObject, asText } from '../spec/read.ts';

/** The user's settings that are not secrets, in the configuration folder. */
export const CONFIG_FILE = 'config.json';

/** What the configuration file holds. */
export interface Config {
  readonly apiUrl?: string | undefined;
  readonly org?: string | undefined;
  readonly service?: string | undefined;
  /** Other names for what the service's document does not show. */
  readonly assume: ReadonlyMap<string, string>;
}

const EMPTY: Config = { assume: new Map() };

/** Reads the configuration of a folder; an absent file is an empty one. */
export function readConfig(folder: string | undefined): Config {
  if (folder === undefined) return EMPTY;
  const path = join(folder, CONFIG_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return EMPTY;
  }
  try {
    return configFrom(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (cause) {
    throw new CliError('usage', `The configuration file is damaged: ${path}`, {
      hint: 'svc config list, after mending or removing the file',
      cause,
    });
  }
}

function configFrom(value: unknown): Config {
  const { apiUrl, org, service, assume } = asObject(value);
  const overrides = Object.entries(asObject(assume)).flatMap(([name, other]) => {
    const text = asText(other);
    return text === undefined ? [] : ([[name, text]] as const);
  });
  return { apiUrl: asText(apiUrl), org: asText(org), service: asText(service), assume: new Map(overrides) };
}

/** The names that `svc config` takes: the settings, and `assume.<name>` for each assumption. */
export const CONFIG_NAMES = ['api-url', 'org', 'service'] as const;
export type ConfigName = (typeof CONFIG_NAMES)[number];

/** The fields of the file that hold the settings. */
export const CONFIG_FIELDS: Readonly<Record<ConfigName, 'apiUrl' | 'org' | 'service'>> = {
  'api-url': 'apiUrl',
  org: 'org',
  service: 'service',
};
