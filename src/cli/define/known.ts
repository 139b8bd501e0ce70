import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asArray, asObject, asText, type JsonObject } from '../../json/values.ts';
import { tryRead } from '../../once.ts';
import { changeDocument, type DocumentKind, readDocument } from '../../store/document.ts';
import { type NameKind, SAVED_KINDS } from '../values/parameters.ts';
import type { Needs } from './context.ts';
import type { Command } from './define.ts';
import type { KnownName, KnownNames } from './result.ts';

/** By the address of their platform, the latest first. */
type NamesSeen = Readonly<Record<string, KnownNames>>;

/**
 * What svc can do without: names, and by profile the day (UTC) on which it last said that the token
 * expires.
 */
interface Cache {
  readonly names: NamesSeen;
  readonly reminders: Readonly<Record<string, unknown>>;
}

/** Safe to delete. */
export const CACHE: DocumentKind<Cache> = {
  format: 1,
  empty: { names: {}, reminders: {} },
  parse({ names, reminders }) {
    const seen = Object.entries(asObject(names)).map(
      ([address, kinds]) => [address, namesIn(asObject(kinds))] as const,
    );
    return { names: Object.fromEntries(seen), reminders: asObject(reminders) };
  },
};

/** The file of {@link CACHE}. */
export function cachePath(folder: string): string {
  return join(folder, 'cache.json');
}

/** Needs no quoting in any shell; other names are not offered. */
const HARMLESS = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/;

const MAX_NAMES = 50;
const MAX_ADDRESSES = 20;
const MAX_ABOUT_LENGTH = 60;

/** The service, if this machine has seen the deployment. */
export function serviceOfDeployment(
  context: Needs<'settings' | 'store'>,
  id: string | undefined,
): string | undefined {
  return namesSeen(context, 'deployments').find(({ name }) => name === id)?.about;
}

/**
 * The latest first; none if they cannot be read. Address and profile of `line` beat those of the
 * settings.
 */
export function namesSeen(
  context: Needs<'settings' | 'store'>,
  kind: NameKind,
  line: Readonly<Record<string, string>> = {},
): readonly KnownName[] {
  const read = () => {
    const profiles = context.store.signIns().credentials;
    if (kind === 'profiles')
      return profiles.map(({ profile, email }) => ({ name: profile, about: email }));
    const named = profiles.find(({ profile }) => profile === line['profile']);
    const address = line['apiUrl'] ?? named?.baseUrl ?? context.settings.findApiUrl()?.value;
    return address === undefined ? [] : (readNames(context)[address]?.[kind] ?? []);
  };
  return tryRead(read, []);
}

/** Of sign-ins and names; none if they cannot be read. */
export function addressesSeen(context: Needs<'store'>): readonly string[] {
  const read = () => {
    const stored = context.store.signIns().credentials.map(({ baseUrl }) => baseUrl);
    return [...new Set([...stored, ...Object.keys(readNames(context))])];
  };
  return tryRead(read, []);
}

function readNames({ store }: Needs<'store'>): NamesSeen {
  return readDocument(cachePath(store.configFolder()), CACHE, store.machine).content.names;
}

/**
 * Keeps what a successful command was given and returned; not in CI, and without making a folder.
 */
export async function remember(
  context: Needs<'settings' | 'store' | 'time' | 'env'>,
  command: Command,
  values: Readonly<Record<string, unknown>>,
  seen: KnownNames = {},
): Promise<void> {
  try {
    const { settings, store, time, env } = context;
    const address = settings.findApiUrl()?.value;
    const folder = context.store.configFolder();
    const org = settings.org()?.value;
    const inOrg = ofKinds((kind) =>
      (seen[kind] ?? []).map((one) => (kind === 'organizations' ? one : { ...one, org })),
    );
    const news = merge(typedNames(command, values), inOrg);
    if (address === undefined || env['CI'] || Object.keys(news).length === 0 || !existsSync(folder))
      return;
    const before = readNames(context);
    if (JSON.stringify(withNames(before, address, news)) === JSON.stringify(before)) return;
    await changeDocument(
      { path: cachePath(folder), machine: store.machine, clock: time.clock },
      CACHE,
      ({ content, write }) => write({ names: withNames(content.names, address, news) }),
    );
  } catch {
    // Completion then offers less.
  }
}

function typedNames(
  { args, options }: Command,
  values: Readonly<Record<string, unknown>>,
): KnownNames {
  return ofKinds((kind) => {
    const offering = Object.entries({ ...args, ...options }).filter(
      ([, { offer }]) => offer === kind,
    );
    const typed = offering.flatMap(([key]) => [values[key]].flat());
    return typed.flatMap((name) => (typeof name === 'string' ? [{ name }] : []));
  });
}

function withNames(file: NamesSeen, address: string, news: KnownNames): NamesSeen {
  const { [address]: here = {}, ...others } = file;
  return Object.fromEntries(
    [[address, merge(news, here)], ...Object.entries(others)].slice(0, MAX_ADDRESSES),
  );
}

function ofKinds(make: (kind: (typeof SAVED_KINDS)[number]) => readonly KnownName[]): KnownNames {
  const kinds = SAVED_KINDS.map((kind) => [kind, make(kind)] as const);
  return Object.fromEntries(kinds.filter(([, names]) => names.length > 0));
}

/** The harmless names, those of `first` first, each once. */
function merge(first: KnownNames, second: KnownNames): KnownNames {
  return ofKinds((kind) => {
    const both = [...(first[kind] ?? []), ...(second[kind] ?? [])].filter(({ name }) =>
      HARMLESS.test(name),
    );
    const names = [...new Set(both.map(({ name }) => name))].slice(0, MAX_NAMES);
    return names.map((name) => {
      const { about, org } = both.find((one) => one.name === name && one.about !== undefined) ?? {};
      return { name, about: about?.slice(0, MAX_ABOUT_LENGTH), org };
    });
  });
}

function namesIn(seen: JsonObject): KnownNames {
  const read = ofKinds((kind) =>
    asArray(seen[kind]).flatMap((one) => {
      const { name, about, org } = asObject(one);
      return typeof name === 'string' ? [{ name, about: asText(about), org: asText(org) }] : [];
    }),
  );
  return merge(read, {});
}
