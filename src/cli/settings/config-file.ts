import { join } from 'node:path';
import { ASSUMPTIONS, type AssumptionName, isAssumptionName } from '../../contract/assumptions.ts';
import { hasControl } from '../../contract/text.ts';
import { CliError, quote, usageError } from '../../errors.ts';
import { asText, isObject, type JsonObject } from '../../json/values.ts';
import { type DocumentKind, readDocument } from '../../store/document.ts';
import type { Machine } from '../../store/machine.ts';
import { closest, splitAtCommas } from '../values/text.ts';

/** Parses `SVC_ASSUME`, which is `name=value,…`. Throws a usage error. */
export function parseAssume(text: string): Map<AssumptionName, string> {
  const field = 'SVC_ASSUME';
  const values = new Map<AssumptionName, string>();
  if (text.trim() === '') return values;
  for (const part of splitAtCommas(text, field)) {
    const equals = part.indexOf('=');
    if (equals < 0) {
      throw usageError(
        `${field} ${quote(part)} has no equals sign.`,
        `For example: ${field}=name=value,…`,
      );
    }
    const name = parseAssumptionName(part.slice(0, equals).trim(), field);
    if (values.has(name)) throw usageError(`${field} has ${name} twice.`, 'Give every name once.');
    values.set(name, parseAssumedValue(name, part.slice(equals + 1), field));
  }
  return values;
}

/** Throws a usage error with the name that was probably meant. */
export function parseAssumptionName(name: string, field: string): AssumptionName {
  if (isAssumptionName(name)) return name;
  const names = ASSUMPTIONS.map((assumption) => assumption.name);
  const meant = closest(name, names);
  throw usageError(
    `${field} ${quote(name)} is not something svc assumes: ${names.join(', ')}.`,
    meant ? `Did you mean ${meant}?` : 'svc help assumptions',
  );
}

/** Parses a value, which may be empty only if the default is. Throws a usage error. */
export function parseAssumedValue(name: AssumptionName, text: string, field: string): string {
  const value = text.trim();
  const assumed = ASSUMPTIONS.find((assumption) => assumption.name === name)?.value ?? '';
  // A list of words is best added to.
  const exampleValue = assumed.includes(' ') ? '+word' : assumed;
  const example = `For example: ${name}=${exampleValue}`;
  if (value === '' && assumed !== '') {
    throw usageError(`${field} has no value for ${name}.`, example);
  }
  if (hasControl(value)) {
    throw usageError(`${field} ${name} has a control character in it.`, example);
  }
  if (!assumed.startsWith('/') || value.startsWith('/')) return value;
  throw usageError(
    `${field} ${name} ${quote(value)} is not a path: it does not start with a slash.`,
    example,
  );
}

/** `allow` lets agents spend money and move DNS. */
export const AGENTS_SPEND = 'agents.spend';

/** The settings besides `assume.<name>`, and their fields in the file. */
export const CONFIG_FIELDS = {
  'api-url': 'apiUrl',
  org: 'org',
  service: 'service',
  dashboard: 'dashboard',
  lang: 'lang',
  /** `off` if no long wait may end with a bell. */
  bell: 'bell',
  [AGENTS_SPEND]: 'agentsSpend',
  /** `off` if svc does not remember what it changed. */
  changes: 'changes',
} as const;

/** One of {@link CONFIG_NAMES}. */
export type ConfigName = keyof typeof CONFIG_FIELDS;
/** The names that `svc config set` takes. */
export const CONFIG_NAMES = Object.keys(CONFIG_FIELDS) as readonly ConfigName[];

interface Config {
  /** Texts by their fields in the file. */
  readonly settings: ReadonlyMap<string, string>;
  readonly assume: ReadonlyMap<string, string>;
}

/** Settings that are no secrets. */
export const CONFIG: DocumentKind<Config> = {
  format: 1,
  empty: { settings: new Map(), assume: new Map() },
  isConf: true,
  sharedAs: 'The configuration file',
  parse(fields, path) {
    const assume = readAssume(fields, path);
    const readTexts = (values: JsonObject, prefix = '') =>
      new Map(
        Object.entries(values).flatMap(([name, value]): [string, string][] => {
          if ((value ?? '') === '') return [];
          const text = asText(value);
          if (text === undefined) throw damaged(`"${prefix}${name}" in ${path} is not text`);
          return [[name, text]];
        }),
      );
    const names = Object.values(CONFIG_FIELDS);
    return {
      settings: readTexts(Object.fromEntries(names.map((name) => [name, fields[name]]))),
      assume: readTexts(assume, 'assume.'),
    };
  },
  damaged: (path) => damaged(`${path} is not a JSON object`),
};

/**
 * Throws a usage error if others may have written it: the command could be for another
 * organization.
 */
export function readConfig(folder: string | undefined, machine: Machine): Config {
  return folder === undefined
    ? CONFIG.empty
    : readDocument(configPath(folder), CONFIG, machine).content;
}

/** The file of {@link CONFIG}. */
export function configPath(folder: string): string {
  return join(folder, 'config.json');
}

/** Throws a usage error for anything but an object. */
export function readAssume({ assume = {} }: JsonObject, path: string): JsonObject {
  if (isObject(assume)) return assume;
  throw damaged(`"assume" in ${path} is not a JSON object`);
}

function damaged(why: string): CliError {
  const hint = 'Fix or remove the file, then run the command again.';
  return new CliError('usage', `The configuration file is damaged: ${why}.`, { hint });
}
