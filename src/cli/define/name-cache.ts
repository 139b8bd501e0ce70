import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../../errors.ts';
import { asArray, asObject, asText, type JsonObject } from '../../json/values.ts';
import { changeDocument, type DocumentKind, readDocument } from '../../store/document.ts';
import type { NameKind } from '../values/parameters.ts';
import type { Needs } from './context.ts';
import {
  type KnownName,
  type KnownNames,
  mapKinds,
  mergeNames,
  type NameNotes,
} from './name-notes.ts';

/** Names by the address of their platform, the latest first. */
type NamesByAddress = Readonly<Record<string, KnownNames>>;

/** The content of a file that svc can do without. */
interface Cache {
  readonly names: NamesByAddress;
  /** The day (UTC) on which svc last said that the token of a profile expires. */
  readonly reminders: Readonly<Record<string, unknown>>;
}

/** The file of names and reminders, which is safe to delete. */
export const CACHE: DocumentKind<Cache> = {
  format: 1,
  empty: { names: {}, reminders: {} },
  parse({ names, reminders }) {
    const byAddress = Object.entries(asObject(names)).map(
      ([address, kinds]) => [address, parseNames(asObject(kinds))] as const,
    );
    return { names: Object.fromEntries(byAddress), reminders: asObject(reminders) };
  },
};

/** Returns the path of {@link CACHE}. */
export function getCachePath(folder: string): string {
  return join(folder, 'cache.json');
}

const MAX_ADDRESSES = 20;

/** Finds the service of a deployment that this machine has seen. */
export function findServiceOfDeployment(
  context: Needs<'settings' | 'store'>,
  id: string | undefined,
): string | undefined {
  return getCachedNames(context, 'deployments').find(({ name }) => name === id)?.about;
}

/**
 * Returns the names that svc has seen, the latest first; none if they cannot be read. Address and
 * profile of `line` beat those of the settings.
 */
export function getCachedNames(
  context: Needs<'settings' | 'store'>,
  kind: NameKind,
  line: Readonly<Record<string, string>> = {},
): readonly KnownName[] {
  return tryOr(() => {
    const profiles = context.store.signIns().credentials;
    if (kind === 'profiles') {
      return profiles.map(({ profile, email }) => ({ name: profile, about: email }));
    }
    const named = profiles.find(({ profile }) => profile === line['profile']);
    const address = line['apiUrl'] ?? named?.baseUrl ?? context.settings.findApiUrl()?.value;
    return address === undefined ? [] : (readNames(context)[address]?.[kind] ?? []);
  }, []);
}

/** Returns the addresses of sign-ins and names; none if they cannot be read. */
export function getCachedAddresses(context: Needs<'store'>): readonly string[] {
  return tryOr(() => {
    const stored = context.store.signIns().credentials.map(({ baseUrl }) => baseUrl);
    return [...new Set([...stored, ...Object.keys(readNames(context))])];
  }, []);
}

function readNames({ store }: Needs<'store'>): NamesByAddress {
  return readDocument(getCachePath(store.configFolder()), CACHE, store.machine).content.names;
}

/** Keeps what a run noted; not in CI, and without making a folder. Never fails. */
export async function saveNames({
  settings,
  store,
  time,
  env,
}: Needs<'settings' | 'store' | 'time' | 'env'>): Promise<void> {
  const { machine, names: notes } = store;
  const isEmpty = Object.keys(notes.names).length + notes.missing.length === 0;
  if (isEmpty || env['CI']) return;
  try {
    const address = settings.findApiUrl()?.value;
    const folder = store.configFolder();
    if (address === undefined || !existsSync(folder)) return;

    const before = readNames({ store });
    if (JSON.stringify(applyNotes(before, address, notes)) === JSON.stringify(before)) return;
    await changeDocument(
      { path: getCachePath(folder), machine, clock: time.clock },
      CACHE,
      ({ content, write }) => write({ names: applyNotes(content.names, address, notes) }),
    );
  } catch {
    // Completion then offers less.
  }
}

function applyNotes(
  file: NamesByAddress,
  address: string,
  { names, missing }: NameNotes,
): NamesByAddress {
  const { [address]: here = {}, ...others } = file;
  const merged = mergeNames(names, here);
  const kept = mapKinds((kind) =>
    (merged[kind] ?? []).filter(
      ({ name, org }) =>
        !missing.some((one) => one.kind === kind && one.name === name && one.org === org),
    ),
  );
  return Object.fromEntries([[address, kept], ...Object.entries(others)].slice(0, MAX_ADDRESSES));
}

function parseNames(kinds: JsonObject): KnownNames {
  const names = mapKinds((kind) =>
    asArray(kinds[kind]).flatMap((one) => {
      const { name, about, org } = asObject(one);
      return typeof name === 'string' ? [{ name, about: asText(about), org: asText(org) }] : [];
    }),
  );
  return mergeNames(names, {});
}
