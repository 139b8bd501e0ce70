import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { listSaveNotices, tokenLostError } from '../../src/commands/login/show.ts';
import type { CredentialRecord, CredentialsFolder } from '../../src/sign-in/credentials.ts';
import { Journal } from '../../src/sign-in/journal.ts';
import { openCredentials, type SaveResult } from '../../src/sign-in/store.ts';
import { createMachine, type Machine } from '../../src/store/machine.ts';
import { IN_MEMORY } from '../support/svc.ts';

/** The machine of this test process. */
export const HERE = createMachine(process, hostname());

/** A process of this machine that is no more. */
export const DEAD: Machine = { ...HERE, pid: 4_194_305, isAlive: (pid) => pid !== 4_194_305 };

/** A folder of its own that goes with the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(IN_MEMORY, 'svc-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in a folder of its own, with nothing in it yet; `save` is what a login does. */
export function newStore(change: Partial<CredentialsFolder> = {}) {
  const place: CredentialsFolder = {
    folder: join(tempFolder(), 'svc'),
    machine: HERE,
    clock: systemClock,
    ...change,
  };
  const opened = openCredentials(place);
  const save = (record: CredentialRecord) => saveIn(opened, record);
  return { place, store: { ...opened, save }, list: () => list(place.folder) };
}

async function saveIn(
  store: ReturnType<typeof openCredentials>,
  record: CredentialRecord,
): Promise<SaveResult> {
  const reserved = store.reserve();
  try {
    return await reserved.keep(record)();
  } finally {
    reserved.release();
  }
}

/**
 * What a login leaves that was killed before it merged its journal; without a record, before its
 * token came.
 */
export function killedLogin(
  { folder }: Pick<CredentialsFolder, 'folder'>,
  record?: CredentialRecord,
  machine = DEAD,
): string {
  const journal = new Journal(folder, machine);
  if (record !== undefined) journal.fill(record);
  return journal.path;
}

/** The names in a folder; none if it does not exist. */
export function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

let latestMs = 0;

/** A sign-in, later than any before; its token is told from its number. */
export function signIn(
  profile: string,
  number: number | string = 1,
  more: object = {},
): CredentialRecord {
  latestMs = Math.max(latestMs + 1, systemClock.now());
  return {
    profile,
    baseUrl: `https://${profile}.example.com`,
    token: `svc_CANARY_${number}`,
    tokenId: `tok_${number}`,
    expiresAtEstimated: false,
    email: 'marie@example.com',
    createdAt: new Date(latestMs).toISOString(),
    ...more,
  };
}

/** Profiles and tokens as pairs, in the order of the file. */
export function tokensIn(stored: {
  readonly credentials: readonly CredentialRecord[];
}): Array<[string, string]> {
  return stored.credentials.map(({ profile, token }) => [profile, token]);
}

/** What is said of other tokens and of its own, as one text. */
export function saidOf(saved: SaveResult, record: CredentialRecord): string {
  if (saved.kind !== 'not_saved') return listSaveNotices(saved).join('\n');
  return tokenLostError(saved.reason, record, saved.replaced).details.lines?.join('\n') ?? '';
}
