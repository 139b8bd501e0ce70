import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { needs } from '../support/needs.ts';
import { tries } from '../support/property.ts';
import { CAN_MOUNT, mountTmpfs, type Tmpfs } from '../support/tmpfs.ts';
import { writers } from './processes.ts';
import { list, newStore, signIn, tempFolder } from './stage.ts';

const start = writers();

/** A file of 24 KiB, as svc writes it; made once. */
let large: Buffer | undefined;

/** A store with such a file. */
async function largeStore(folder = join(tempFolder(), 'svc')) {
  const staged = newStore({ folder });
  for (let number = 0; number < 24 && large === undefined; number += 4) {
    await staged.store.save(signIn(`old-${number}`, number, { clientName: 'x'.repeat(3600) }));
  }
  large ??= readFileSync(staged.store.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(staged.store.path, large, { mode: 0o600 });
  const bytes = large;
  const isOldFile = () => readFileSync(staged.store.path).equals(bytes);
  return { ...staged, before: staged.store.read().credentials, isOldFile };
}

const NEW = JSON.stringify(signIn('new', 'new'));
const prlimit = needs('prlimit', 'util-linux');

describe.skipIf(prlimit.missing)(prlimit.title('where files may not grow beyond a limit'), () => {
  // A file of 24 KiB; the journal that a login reserves has 16 KiB.
  const LIMITS = [0, 16_383, 16_384, 20_000, 65_536];

  test.each(LIMITS)('of %i bytes, the old file stays whole, and what became of the token is said', async (limit) => {
    const { store, place, before, isOldFile } = await largeStore();
    const writer = start(['save-record', place.folder, NEW], [prlimit.path, `--fsize=${limit}`]);
    expect(await writer.ended).toBe(0);
    const saved = JSON.parse(writer.lines[0] ?? '{}');
    if (limit < 16_384) expect(saved.kind).toBe('error');
    else expect(['stored', 'journaled']).toContain(saved.kind);
    if (saved.kind !== 'stored') expect(isOldFile()).toBe(true);
    const now = store.read().credentials;
    expect(now.filter(({ profile }) => profile !== 'new')).toEqual(before);
    expect(now.some(({ token }) => token === 'svc_CANARY_new')).toBe(saved.kind !== 'error');
    if (saved.kind === 'error') expect(list(place.folder)).toEqual(['credentials.json']);
    figure('Full disk', 1, 'size limits');
  });
});

/** A file system of 512 KiB in memory, made once. */
let tmpfs: Tmpfs | undefined;
afterAll(() => tmpfs?.remove());

/** A large store on the small disk; `fillUntil` leaves so many bytes free. */
async function onSmallDisk() {
  tmpfs ??= mountTmpfs('size=512k');
  const disk = tmpfs.folder;
  const staged = await largeStore(join(disk, 'svc'));
  const fillUntil = (freeBytes: number) => {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
  };
  return { ...staged, fillUntil, freeAll: () => rmSync(join(disk, 'filler')) };
}

describe.runIf(CAN_MOUNT)('on a disk that fills up (needs the right to mount one)', () => {
  /** Amounts of free space from none to 64 KiB; in the soak, in steps of 512 bytes. */
  const { numRuns } = tries(129, 0);
  const FREE = Array.from({ length: numRuns }, (_, step) => Math.round((step * 128) / (numRuns - 1)) * 512);

  test('between the start of a login and its token, the token is always kept and used', async () => {
    const kinds = new Set<string>();
    for (const free of FREE) {
      const { store, place, before, isOldFile, fillUntil, freeAll } = await onSmallDisk();
      const reserved = store.reserve();
      fillUntil(free);
      const saved = await reserved.keep(signIn('new', 'new'))();
      reserved.release();
      kinds.add(saved.kind);
      expect(['stored', 'journaled']).toContain(saved.kind);
      if (saved.kind === 'journaled') expect(isOldFile()).toBe(true);
      expect(store.read().credentials).toEqual([...before, expect.objectContaining({ token: 'svc_CANARY_new' })]);
      freeAll();
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
      const { store, place, before, fillUntil, freeAll } = await onSmallDisk();
      fillUntil(free);
      try {
        expect((await store.save(signIn('new', 'new'))).kind).toMatch(/^(stored|journaled)$/);
        expect(store.read().credentials).toHaveLength(before.length + 1);
      } catch (error) {
        refused += 1;
        const message = `Cannot save credentials in ${place.folder}: the disk is full (ENOSPC).`;
        expect(error).toMatchObject({ exitCode: 2, message });
        expect(store.read().credentials).toEqual(before);
        expect(list(place.folder)).toEqual(['credentials.json']);
      }
      freeAll();
      rmSync(place.folder, { recursive: true });
    }
    expect(refused).toBeGreaterThan(FREE.length / 8);
    expect(refused).toBeLessThan(FREE.length);
    figure('Full disk', FREE.length, 'full before the start');
  });

  test('where the folder becomes read-only while a login waits, the token is kept in its journal, and used', async () => {
    const { store, place, before, isOldFile } = await largeStore();
    const reserved = store.reserve();
    const mount = (...args: string[]) => execFileSync('mount', [...args, place.folder]);
    mount('--bind', place.folder);
    try {
      mount('-o', 'remount,ro,bind');
      const reason = 'the file system is read-only (EROFS)';
      expect(await reserved.keep(signIn('new', 'new'))()).toMatchObject({ kind: 'journaled', reason });
      const message = `Cannot save credentials in ${place.folder}: ${reason}.`;
      const hint = expect.objectContaining({ run: ['svc login --print-token'] });
      const error = { exitCode: 2, message, details: expect.objectContaining({ hint }) };
      expect(() => store.reserve()).toThrow(expect.objectContaining(error));
      await expect(store.use('old-0')).rejects.toMatchObject({ exitCode: 2, message });
      expect(store.read().credentials).toEqual([...before, expect.objectContaining({ token: 'svc_CANARY_new' })]);
      expect(isOldFile()).toBe(true);
    } finally {
      execFileSync('umount', [place.folder]);
      reserved.release();
    }
    await store.settle();
    expect([store.read().unmerged, list(place.folder)]).toEqual([0, ['credentials.json']]);
  });
});
