import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { SaveResult } from '../../src/sign-in/save.ts';
import { openCredentials } from '../../src/sign-in/store.ts';
import { figure } from '../support/figure.ts';
import { needs } from '../support/needs.ts';
import { tries } from '../support/property.ts';
import { CAN_MOUNT, mountTmpfs, type Tmpfs } from '../support/tmpfs.ts';
import { writers } from './processes.ts';
import { list, memoryFolder, newPlace, newStore, signIn, tempFolder } from './stage.ts';

const start = writers();

/** A file of so many KiB, as svc writes it; made once for each size. */
const files = new Map<number, Buffer>();
async function fileOf(kibibytes: number): Promise<Buffer> {
  const known = files.get(kibibytes);
  if (known !== undefined) return known;
  const { store } = newStore({ folder: join(memoryFolder(), 'svc') });
  for (let number = 0; number < kibibytes; number += 4) {
    await store.save(signIn(`old-${number}`, number, { clientName: 'x'.repeat(3600) }));
  }
  const bytes = readFileSync(store.path);
  files.set(kibibytes, bytes);
  return bytes;
}

/** A store with such a file. */
async function storeOf(kibibytes: number, folder = join(memoryFolder(), 'svc')) {
  const bytes = await fileOf(kibibytes);
  const staged = newStore({ folder });
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(staged.store.path, bytes, { mode: 0o600 });
  return { ...staged, before: staged.store.read().credentials, bytes };
}

const prlimit = needs('prlimit', 'util-linux');

describe.skipIf(prlimit.missing)(prlimit.title('where files may not grow beyond a limit'), () => {
  // A file of 24 KiB; the room that a login reserves is 16 KiB. Without it, a journal of less than 512 bytes is written.
  test.each([
    ['save-reserved', [0, 512, 12_288, 16_383, 16_384, 20_000, 65_536]],
    ['save-unreserved', [0, 100, 512, 4096, 24_576]],
  ])('%s: a limit of %j bytes leaves the old file whole, and says what became of the token', async (task, limits) => {
    const stateDir = join(tempFolder(), 'state');
    const { store, place, before, bytes } = await storeOf(24);
    for (const limit of limits) {
      const writer = start([task, place.folder, 'new'], {
        through: [prlimit.path, `--fsize=${limit}`],
        env: { STATE_DIR: stateDir },
      });
      expect(await writer.ended).toBe(0);
      const saved = JSON.parse(writer.lines[0] ?? '{}');
      expect(['stored', 'journaled', 'error', 'not_saved']).toContain(saved.kind);
      if (saved.kind !== 'stored') expect(readFileSync(store.path).equals(bytes)).toBe(true);
      const now = store.read().credentials;
      expect(now.filter(({ profile }) => profile !== 'new')).toEqual(before);
      const isSafe = saved.kind === 'stored' || saved.kind === 'journaled';
      expect(now.some(({ token }) => token === 'svc_CANARY_new')).toBe(isSafe);
      if (!isSafe) expect([list(place.folder), list(stateDir)]).toEqual([['credentials.json'], []]);
      if (task === 'save-reserved') expect(saved.kind === 'error').toBe(limit < 16_384);
      if (limit >= 512 && task === 'save-unreserved') expect(isSafe).toBe(true);
      await store.remove(({ profile }) => profile === 'new');
      expect(list(place.folder)).toEqual(['credentials.json']);
      writeFileSync(store.path, bytes);
    }
    figure('Full disk', limits.length, 'size limits');
  });
});

let tmpfs: Tmpfs | undefined;

/** A file system of 512 KiB in memory, made once. */
function smallDisk(): string {
  tmpfs ??= mountTmpfs('size=512k');
  return tmpfs.folder;
}

afterAll(() => tmpfs?.remove());

/** Fills a disk until so many bytes are free. */
function fillUntil(disk: string, freeBytes: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
}

describe.runIf(CAN_MOUNT)('on a disk that fills up (needs the right to mount one)', () => {
  /** Amounts of free space from none to 64 KiB; in the soak, in steps of 512 bytes. */
  const { numRuns } = tries(129, 0);
  const FREE = Array.from({ length: numRuns }, (_, step) => Math.round((step * 128) / (numRuns - 1)) * 512);

  test('between the start of a login and its token, the token is always kept and used', async () => {
    const kinds = new Set<string>();
    for (const free of FREE) {
      const disk = smallDisk();
      const { store, place, before, bytes } = await storeOf(24, join(disk, 'svc'));
      const reserved = store.reserve();
      fillUntil(disk, free);
      const saved: SaveResult = await store.save(signIn('new', 'new'), reserved);
      kinds.add(saved.kind);
      expect(['stored', 'journaled']).toContain(saved.kind);
      if (saved.kind === 'journaled') expect(readFileSync(store.path).equals(bytes)).toBe(true);
      expect(store.read().credentials).toEqual([...before, expect.objectContaining({ token: 'svc_CANARY_new' })]);
      rmSync(join(disk, 'filler'));
      await store.settle();
      expect([store.read().unmerged, list(place.folder)]).toEqual([0, ['credentials.json']]);
      rmSync(place.folder, { recursive: true });
    }
    expect([...kinds].sort()).toEqual(['journaled', 'stored']);
    figure('Full disk', FREE.length, 'full before the token');
  });

  test('before a login starts, nothing is asked for, or all goes well; the old file is whole', async () => {
    let refused = 0;
    for (const free of FREE) {
      const disk = smallDisk();
      const { store, place, before } = await storeOf(24, join(disk, 'svc'));
      fillUntil(disk, free);
      try {
        const reserved = store.reserve();
        expect((await store.save(signIn('new', 'new'), reserved)).kind).toMatch(/^(stored|journaled)$/);
        expect(store.read().credentials).toHaveLength(before.length + 1);
      } catch (error) {
        refused += 1;
        expect(error).toMatchObject({
          exitCode: 2,
          message: `Cannot save credentials in ${place.folder}: the disk is full (ENOSPC).`,
        });
        expect(store.read().credentials).toEqual(before);
        expect(list(place.folder)).toEqual(['credentials.json']);
      }
      rmSync(join(disk, 'filler'));
      rmSync(place.folder, { recursive: true });
    }
    expect(refused).toBeGreaterThan(FREE.length / 8);
    expect(refused).toBeLessThan(FREE.length);
    figure('Full disk', FREE.length, 'full before the start');
  });

  test('a token that comes without a reservation is saved in the first folder with room, and the path is reported', async () => {
    const disk = smallDisk();
    const { place, before, bytes } = await storeOf(8, join(disk, 'svc'));
    const elsewhere = newPlace();
    fillUntil(disk, 0);
    const inState = await openCredentials({ ...place, stateDir: elsewhere.stateDir }).save(signIn('new', 'new'));
    expect(inState).toMatchObject({ kind: 'elsewhere', isUsed: true, reason: 'the disk is full (ENOSPC)' });
    expect(openCredentials({ ...place, stateDir: elsewhere.stateDir }).read().credentials).toHaveLength(
      before.length + 1,
    );
    const inTemp = await openCredentials({ ...place, stateDir: undefined, tempDir: elsewhere.tempDir }).save(
      signIn('new', 'new'),
    );
    if (inTemp.kind !== 'elsewhere') throw new Error(inTemp.kind);
    expect([inTemp.isUsed, existsSync(inTemp.path), dirname(dirname(inTemp.path))]).toEqual([
      false,
      true,
      elsewhere.tempDir,
    ]);
    const nowhere = await openCredentials({ ...place, stateDir: undefined, tempDir: disk }).save(signIn('new', 'new'));
    expect(nowhere).toEqual({ kind: 'not_saved', reason: 'the disk is full (ENOSPC)' });
    expect(readFileSync(join(place.folder, 'credentials.json')).equals(bytes)).toBe(true);
    expect(list(place.folder)).toEqual(['credentials.json']);
    expect(list(disk)).toEqual(['filler', 'svc']);
    rmSync(join(disk, 'filler'));
    rmSync(place.folder, { recursive: true });
  });
});
