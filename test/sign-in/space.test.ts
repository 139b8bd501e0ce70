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
const KEPT = expect.objectContaining({ token: 'svc_CANARY_new' });

/** A store with a file of 24 KiB. */
function largeStore(folder = join(tempFolder(), 'svc')) {
  const staged = newStore({ folder });
  const credentials = [0, 1, 2, 3, 4, 5].map((number) =>
    signIn(`old-${number}`, number, { note: 'x'.repeat(3600) }),
  );
  const text = JSON.stringify({ version: 1, current: 'old-0', credentials });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(staged.store.path, text, { mode: 0o600 });
  const isOldFile = () => readFileSync(staged.store.path, 'utf8') === text;
  return { ...staged, before: staged.store.read().credentials, isOldFile };
}

const prlimit = needs('prlimit', 'util-linux');

describe.skipIf(prlimit.missing)(prlimit.title('where files may not grow beyond a limit'), () => {
  // A file of 24 KiB; the journal that a login reserves has 16 KiB.
  const LIMITS = [0, 16_383, 16_384, 20_000, 65_536];

  test.each(LIMITS)(
    'of %i bytes, the old file stays whole, and what became of the token is said',
    async (limit) => {
      const { store, place, before, isOldFile } = largeStore();
      const record = JSON.stringify(signIn('new', 'new'));
      const writer = start(
        ['save-record', place.folder, record],
        [prlimit.path, `--fsize=${limit}`],
      );
      expect(await writer.ended).toBe(0);
      const { kind } = JSON.parse(writer.lines[0] ?? '{}');
      expect(limit < 16_384 ? ['error'] : ['stored', 'journaled']).toContain(kind);
      if (kind !== 'stored') expect(isOldFile()).toBe(true);
      expect(store.read().credentials).toEqual(kind === 'error' ? before : [...before, KEPT]);
      if (kind === 'error') expect(list(place.folder)).toEqual(['credentials.json']);
      figure('Full disk', 1, 'size limits');
    },
  );
});

/** A file system of 512 KiB in memory, made once. */
let tmpfs: Tmpfs | undefined;
afterAll(() => tmpfs?.remove());

/** From none to 64 KiB; in the soak, in steps of 512 bytes. */
const { numRuns } = tries(129, 0);
const FREE = Array.from(
  { length: numRuns },
  (_, step) => Math.round((step * 128) / (numRuns - 1)) * 512,
);

/**
 * Does this with a large store on the small disk, for each amount of free space; `fill` leaves no
 * more.
 */
async function onSmallDisk(
  work: (staged: ReturnType<typeof largeStore>, fill: () => void) => Promise<void>,
) {
  tmpfs ??= mountTmpfs('size=512k');
  const { folder } = tmpfs;
  for (const freeBytes of FREE) {
    const staged = largeStore(join(folder, 'svc'));
    await work(staged, () => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(join(folder, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
    });
    rmSync(join(folder, 'filler'));
    await staged.store.settle();
    expect([staged.store.read().unmerged, staged.list()]).toEqual([0, ['credentials.json']]);
    rmSync(staged.place.folder, { recursive: true });
  }
}

describe.runIf(CAN_MOUNT)('on a disk that fills up (needs the right to mount one)', () => {
  test('between the start of a login and its token, the token is always kept and used', async () => {
    const kinds = new Set<string>();
    await onSmallDisk(async ({ store, before, isOldFile }, fill) => {
      const reserved = store.reserve();
      fill();
      const { kind } = await reserved.keep(signIn('new', 'new'))();
      reserved.release();
      kinds.add(kind);
      if (kind === 'journaled') expect(isOldFile()).toBe(true);
      expect(store.read().credentials).toEqual([...before, KEPT]);
    });
    expect([...kinds].sort()).toEqual(['journaled', 'stored']);
    figure('Full disk', FREE.length, 'full before the token');
  });

  test('before a login starts, nothing is asked for, or all goes well; the old file is whole', async () => {
    let refused = 0;
    await onSmallDisk(async ({ store, place, before, list: names }, fill) => {
      fill();
      const saved = await store.save(signIn('new', 'new')).catch((error: unknown) => {
        refused += 1;
        const message = `Cannot save credentials in ${place.folder}: the disk is full (ENOSPC).`;
        expect(error).toMatchObject({ exitCode: 2, message });
        expect(names()).toEqual(['credentials.json']);
      });
      if (saved !== undefined) expect(saved.kind).toMatch(/^(stored|journaled)$/);
      expect(store.read().credentials).toEqual(saved === undefined ? before : [...before, KEPT]);
    });
    expect(refused).toBeGreaterThan(FREE.length / 8);
    expect(refused).toBeLessThan(FREE.length);
    figure('Full disk', FREE.length, 'full before the start');
  });

  test('where the folder becomes read-only while a login waits, the token is kept in its journal, and used', async () => {
    const { store, place, before, isOldFile } = largeStore();
    const reserved = store.reserve();
    const mount = (...args: string[]) => execFileSync('mount', [...args, place.folder]);
    mount('--bind', place.folder);
    try {
      mount('-o', 'remount,ro,bind');
      const reason = 'the file system is read-only (EROFS)';
      expect(await reserved.keep(signIn('new', 'new'))()).toMatchObject({
        kind: 'journaled',
        reason,
      });
      const message = `Cannot save credentials in ${place.folder}: ${reason}.`;
      expect(store.reserve).toThrow(expect.objectContaining({ exitCode: 2, message }));
      await expect(store.use('old-0')).rejects.toMatchObject({ exitCode: 2, message });
      await expect(store.forgetAll()).rejects.toMatchObject({
        message,
        details: { hint: expect.stringContaining('Nothing was changed.') },
      });
      expect(store.read().credentials).toEqual([...before, KEPT]);
      expect(isOldFile()).toBe(true);
    } finally {
      execFileSync('umount', [place.folder]);
      reserved.release();
    }
    await store.settle();
    expect([store.read().unmerged, list(place.folder)]).toEqual([0, ['credentials.json']]);
  });
});
