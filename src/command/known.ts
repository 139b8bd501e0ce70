import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asArray, asObject, asText, type JsonObject } from '../json/values.ts';
import { readPlainFile } from '../vault/read.ts';
import type { Context } from './context.ts';
import type { Command } from './define.ts';
import type { NameKind } from './parameters.ts';
import type { KnownName, KnownNames } from './result.ts';

/** The file of names that this machine has seen, beside `config.json`. Nothing depends on it. */
const FILE = 'known.json';

/** Names by the address of the service they belong to, the latest address first. */
type KnownFile = Readonly<Record<string, KnownNames>>;

/** What every shell takes as it is; other names are not offered. */
const HARMLESS = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/;

const MOST_NAMES = 50;
const MOST_ADDRESSES = 20;
const LONGEST_ABOUT = 60;

/** The names of a kind that this machine has seen at an address; none if there are none, or they cannot be read. */
export function knownNames(folder: string, address: string, kind: NameKind): readonly KnownName[] {
  try {
    return namesIn(asObject(readFile(join(folder, FILE))[address])[kind]);
  } catch {
    return [];
  }
}

/**
 * Writes down what a successful command has named and seen, for Tab and for pickers. Called in one place, after the
 * result is printed. Writes nothing in a pipeline, and makes no folder.
 */
export async function remember(
  context: Context,
  command: Command,
  values: Readonly<Record<string, unknown>>,
  seen: KnownNames = {},
): Promise<void> {
  try {
    const address = context.settings.findApiUrl()?.value;
    const folder = context.vault.folder();
    const news = merge(named(command, values), seen);
    if (address === undefined || context.system.env['CI'] || Object.keys(news).length === 0 || !existsSync(folder))
      return;
    const add = (file: KnownFile): KnownFile => withNames(file, address, news);
    const before = readFile(join(folder, FILE));
    if (JSON.stringify(add(before)) === JSON.stringify(before)) return;
    const { updateFile } = await import('../vault/write.ts');
    await updateFile(
      join(folder, FILE),
      context.system.machine,
      context.system.clock,
      (text) => `${JSON.stringify(add(parse(text)), null, 2)}\n`,
    );
  } catch {
    // Tab then offers less.
  }
}

/** The names that were typed. */
function named({ args, options }: Command, values: Readonly<Record<string, unknown>>): KnownNames {
  const found: Record<string, KnownName[]> = {};
  for (const [key, { offer }] of Object.entries({ ...args, ...options })) {
    if (offer === undefined || !isKind(offer)) continue;
    const typed = [values[key]].flat().flatMap((value) => (typeof value === 'string' ? [{ name: value }] : []));
    if (typed.length > 0) found[offer] = [...(found[offer] ?? []), ...typed];
  }
  return found;
}

/** Profiles are not written down: the stored sign-ins know them. */
const KINDS: readonly NameKind[] = [
  'organizations',
  'services',
  'databases',
  'deployments',
  'plans',
  'series',
  'actions',
];

function isKind(offer: string): offer is NameKind {
  return KINDS.some((kind) => kind === offer);
}

function withNames(file: KnownFile, address: string, news: KnownNames): KnownFile {
  const { [address]: here = {}, ...others } = file;
  return Object.fromEntries([[address, merge(news, here)], ...Object.entries(others)].slice(0, MOST_ADDRESSES));
}

/** The names of both, those of the first before those of the second, each once. */
function merge(first: KnownNames, second: KnownNames): KnownNames {
  const merged: Partial<Record<NameKind, readonly KnownName[]>> = {};
  for (const kind of KINDS) {
    const both = [...(first[kind] ?? []), ...(second[kind] ?? [])].filter(({ name }) => HARMLESS.test(name));
    const names = [...new Set(both.map(({ name }) => name))].slice(0, MOST_NAMES);
    if (names.length > 0) merged[kind] = names.map((name) => withAbout(name, both));
  }
  return merged;
}

function withAbout(name: string, names: readonly KnownName[]): KnownName {
  const about = names.find((one) => one.name === name && one.about !== undefined)?.about;
  return about === undefined ? { name } : { name, about: about.slice(0, LONGEST_ABOUT) };
}

function readFile(path: string): KnownFile {
  return parse(readPlainFile(path));
}

/** A file that is damaged counts as empty. */
function parse(text: string | undefined): KnownFile {
  try {
    const entries = Object.entries(asObject(JSON.parse(text ?? '{}')));
    return Object.fromEntries(entries.map(([address, kinds]) => [address, merge(readKinds(asObject(kinds)), {})]));
  } catch {
    return {};
  }
}

function readKinds(kinds: JsonObject): KnownNames {
  return Object.fromEntries(KINDS.map((kind) => [kind, namesIn(kinds[kind])]));
}

function namesIn(value: unknown): readonly KnownName[] {
  return asArray(value).flatMap((one) => {
    const { name, about } = asObject(one);
    return typeof name === 'string' && HARMLESS.test(name) ? [{ name, about: asText(about) }] : [];
  });
}
