import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asArray, asObject, asText, type JsonObject } from '../json/values.ts';
import { tryRead } from '../once.ts';
import { changeDocument, type DocumentKind, readDocument } from '../store/document.ts';
import type { Context } from './context.ts';
import type { Command } from './define.ts';
import { type NameKind, SAVED_KINDS } from './parameters.ts';
import type { KnownName, KnownNames } from './result.ts';

/** Names by the address of their platform, the latest address first. */
type NamesSeen = Readonly<Record<string, KnownNames>>;

/** What svc can do without. */
interface Cache {
  readonly names: NamesSeen;
  /** The day (UTC) on which svc last said that a token expires, by profile. */
  readonly reminders: Readonly<Record<string, unknown>>;
}

/** The cache of a configuration folder. Safe to delete. */
export const CACHE: DocumentKind<Cache> = {
  format: 1,
  empty: { names: {}, reminders: {} },
  parse: ({ names, reminders }) => ({ names: namesIn(asObject(names)), reminders: asObject(reminders) }),
};

/** The file of a configuration folder that {@link CACHE} is kept in. */
export function cachePath(folder: string): string {
  return join(folder, 'cache.json');
}

/** Names that need no quoting in any shell; others are not offered. */
const HARMLESS = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/;

const MAX_NAMES = 50;
const MAX_ADDRESSES = 20;
const MAX_ABOUT_LENGTH = 60;

/** Whose names are looked up, if not those of the settings in effect. */
export interface NameScope {
  readonly apiUrl?: string;
  readonly profile?: string;
}

/** Returns the service of a deployment that this machine has seen. */
export function serviceOfDeployment(context: Context, id: string | undefined): string | undefined {
  return namesSeen(context, 'deployments').find(({ name }) => name === id)?.about;
}

/** Returns the names of a kind that this machine has seen, the latest first; none if they cannot be read. */
export function namesSeen(
  context: Pick<Context, 'signIns' | 'configFolder' | 'machine' | 'settings'>,
  kind: NameKind,
  line: NameScope = {},
): readonly KnownName[] {
  const { settings } = context;
  try {
    const profiles = context.signIns().credentials;
    if (kind === 'profiles') return profiles.map(({ profile, email }) => ({ name: profile, about: email }));
    const profile = profiles.find((one) => one.profile === line.profile);
    const address = line.apiUrl ?? profile?.baseUrl ?? settings.findApiUrl()?.value;
    return address === undefined ? [] : (readNames(context)[address]?.[kind] ?? []);
  } catch {
    return [];
  }
}

/** Returns the platform addresses of the stored sign-ins and of the names seen; none if they cannot be read. */
export function addressesSeen(context: Context): readonly string[] {
  const read = () => {
    const stored = context.signIns().credentials.map(({ baseUrl }) => baseUrl);
    return [...new Set([...stored, ...Object.keys(readNames(context))])];
  };
  return tryRead(read, []);
}

function readNames({ machine, configFolder }: Pick<Context, 'configFolder' | 'machine'>): NamesSeen {
  return readDocument(cachePath(configFolder()), CACHE, machine).content.names;
}

/** Saves the names that a successful command was given and returned. Writes nothing in CI, and makes no folder. */
export async function remember(
  context: Context,
  command: Command,
  values: Readonly<Record<string, unknown>>,
  seen: KnownNames = {},
): Promise<void> {
  try {
    const { env, machine, clock } = context;
    const address = context.settings.findApiUrl()?.value;
    const folder = context.configFolder();
    const news = merge(typedNames(command, values), inOrganization(seen, context.settings.org()?.value));
    if (address === undefined || env['CI'] || Object.keys(news).length === 0 || !existsSync(folder)) return;
    const before = readNames(context);
    if (JSON.stringify(withNames(before, address, news)) === JSON.stringify(before)) return;
    await changeDocument({ path: cachePath(folder), machine, clock }, CACHE, ({ content, write }) =>
      write({ names: withNames(content.names, address, news) }),
    );
  } catch {
    // Completion then offers less.
  }
}

function typedNames({ args, options }: Command, values: Readonly<Record<string, unknown>>): KnownNames {
  const typed = (kind: NameKind) =>
    Object.entries({ ...args, ...options }).flatMap(([key, { offer }]) => (offer === kind ? [values[key]].flat() : []));
  return ofKinds((kind) => typed(kind).flatMap((name) => (typeof name === 'string' ? [{ name }] : [])));
}

function withNames(file: NamesSeen, address: string, news: KnownNames): NamesSeen {
  const { [address]: here = {}, ...others } = file;
  return Object.fromEntries([[address, merge(news, here)], ...Object.entries(others)].slice(0, MAX_ADDRESSES));
}

/** Makes the names of each kind that is saved; leaves out a kind without one. */
function ofKinds(make: (kind: NameKind) => readonly KnownName[]): KnownNames {
  const kinds = SAVED_KINDS.map((kind) => [kind, make(kind)] as const);
  return Object.fromEntries(kinds.filter(([, names]) => names.length > 0));
}

/** Returns the harmless names of both without duplicates, those of `first` first. */
function merge(first: KnownNames, second: KnownNames = {}): KnownNames {
  return ofKinds((kind) => {
    const both = [...(first[kind] ?? []), ...(second[kind] ?? [])].filter(({ name }) => HARMLESS.test(name));
    const names = [...new Set(both.map(({ name }) => name))].slice(0, MAX_NAMES);
    return names.map((name) => {
      const { about, org } = both.find((one) => one.name === name && one.about !== undefined) ?? {};
      if (about === undefined) return { name };
      return { name, about: about.slice(0, MAX_ABOUT_LENGTH), ...(org !== undefined && { org }) };
    });
  });
}

/** Notes the organization, whose own name needs none. */
function inOrganization({ organizations = [], ...seen }: KnownNames, org: string | undefined): KnownNames {
  return {
    ...ofKinds((kind) => (seen[kind as keyof typeof seen] ?? []).map((one) => ({ ...one, org }))),
    organizations,
  };
}

function namesIn(names: JsonObject): NamesSeen {
  const listIn = (value: unknown) =>
    asArray(value).flatMap((one) => {
      const { name, about, org } = asObject(one);
      return typeof name === 'string' ? [{ name, about: asText(about), org: asText(org) }] : [];
    });
  const kindsOf = (seen: unknown) => merge(ofKinds((kind) => listIn(asObject(seen)[kind])));
  return Object.fromEntries(Object.entries(names).map(([address, seen]) => [address, kindsOf(seen)]));
}
