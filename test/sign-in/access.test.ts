import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { HERE, list, newStore, signIn, tempFolder, tokensIn } from './stage.ts';

const IS_ROOT = process.getuid?.() === 0;
const IS_POSIX = process.platform !== 'win32';
const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe.runIf(IS_POSIX)('modes', () => {
  // The last one takes the rights to svc's own files from everybody but root.
  test.each([0o000, 0o022, 0o077, ...(IS_ROOT ? [0o777] : [])])(
    'file and folders are private under umask %i',
    async (umask) => {
      const { store, place } = newStore({ folder: join(tempFolder(), 'a', 'b', 'svc') });
      const before = process.umask(umask);
      try {
        await store.save(signIn('work'));
        expect(modeOf(store.path)).toBe(0o600);
        for (let folder = place.folder; !folder.endsWith('a'); folder = dirname(folder))
          expect(modeOf(folder)).toBe(0o700);
      } finally {
        process.umask(before);
      }
    },
  );

  test.each([0o644, 0o640])('a file of mode %o is closed to others by reading, and that is said once', async (mode) => {
    const { store } = newStore();
    await store.save(signIn('work'));
    chmodSync(store.path, mode);
    const { mtimeMs } = statSync(store.path);
    expect(store.read().warnings).toEqual([`Others could read ${store.path}; now only you can.`]);
    expect([modeOf(store.path), statSync(store.path).mtimeMs]).toEqual([0o600, mtimeMs]);
    expect(store.read().warnings).toEqual([]);
  });

  test('a file that is rewritten does not keep wide rights, and a folder that was there stays as it is', async () => {
    const folder = join(tempFolder(), 'svc');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const { store } = newStore({ folder });
    await store.save(signIn('work'));
    chmodSync(store.path, 0o664);
    await store.save(signIn('home', 2));
    expect([modeOf(folder), modeOf(store.path)]).toEqual([0o755, 0o600]);
  });
});

describe.runIf(IS_POSIX)('links', () => {
  /** A configuration folder whose credentials file is a link into another one, as dotfile managers make it. */
  function linked() {
    const staged = newStore();
    const target = join(tempFolder(), 'dotfiles', 'svc.json');
    mkdirSync(staged.place.folder, { recursive: true });
    mkdirSync(dirname(target));
    symlinkSync(target, staged.store.path);
    return { ...staged, target };
  }

  test('a link stays a link, and its target is replaced as a whole', async () => {
    const { store, target, list: names } = linked();
    writeFileSync(target, '{"version":1,"credentials":[]}', { mode: 0o644 });
    const before = statSync(target).ino;
    expect(await store.save(signIn('work'))).toMatchObject({ kind: 'stored' });
    expect(lstatSync(store.path).isSymbolicLink()).toBe(true);
    expect(statSync(target).ino).not.toBe(before);
    expect(modeOf(target)).toBe(0o600);
    expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_1']]);
    expect([names(), list(dirname(target))]).toEqual([['credentials.json'], ['svc.json']]);
  });

  test('a link that leads nowhere is an error, and no file takes its place', async () => {
    const { store, list: names } = linked();
    expect(() => store.read()).toThrow(
      expect.objectContaining({ message: `Cannot read ${store.path}: it is a link that leads nowhere.`, exitCode: 2 }),
    );
    expect(() => store.reserve()).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(names()).toEqual(['credentials.json']);
    expect(lstatSync(store.path).isSymbolicLink()).toBe(true);
  });

  test('a damaged file behind a link is set aside in its folder, and the link leads to the new one', async () => {
    const { store, target } = linked();
    writeFileSync(target, 'damaged');
    expect(await store.save(signIn('work'))).toMatchObject({
      kind: 'stored',
      setAside: expect.stringContaining('svc.json.corrupt-'),
    });
    expect(store.read().current).toBe('work');
    expect(lstatSync(store.path).isSymbolicLink()).toBe(true);
  });

  test('a link in place of the unfinished file is not written through', async () => {
    const { store, place } = newStore();
    await store.save(signIn('work', 1));
    const victim = join(tempFolder(), 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, `${store.path}.tmp`);
    await store.save(signIn('home', 2));
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(list(place.folder)).toEqual(['credentials.json']);
  });
});

test.runIf(IS_POSIX)('a pipe or a folder in place of the file is an error, not a wait', () => {
  const { store, place } = newStore();
  mkdirSync(place.folder, { recursive: true });
  const message = `Cannot read ${store.path}: it is not a plain file.`;
  mkdirSync(store.path);
  expect(() => store.read()).toThrow(message);
  rmSync(store.path, { recursive: true });
  execFileSync('mkfifo', [store.path]);
  const hint = expect.stringContaining('move it away, or set SVC_CONFIG_DIR');
  expect(() => store.read()).toThrow(expect.objectContaining({ message, details: expect.objectContaining({ hint }) }));
});

test.runIf(IS_POSIX)('a file of another user is refused, with the way out', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work'));
  const other = newStore({ ...place, machine: { ...HERE, uid: (HERE.uid ?? 0) + 1 } }).store;
  const error = {
    message: expect.stringContaining('belongs to another user'),
    details: { hint: expect.stringContaining('et SVC_CONFIG_DIR to a folder of your own.') },
  };
  expect(() => other.read()).toThrow(expect.objectContaining({ ...error, exitCode: 2 }));
  expect(() => other.reserve()).toThrow(expect.objectContaining({ ...error, exitCode: 2 }));
  await expect(other.use('work')).rejects.toMatchObject({ message: error.message });
});

test.runIf(IS_ROOT)('under sudo, the file of the user is not touched (needs root)', async () => {
  const { store } = newStore();
  await store.save(signIn('work'));
  chownSync(store.path, 12_345, 12_345);
  expect(() => store.read()).toThrow(
    expect.objectContaining({ details: { hint: expect.stringContaining('Repeat the command without sudo') } }),
  );
});

describe.runIf(CAN_MOUNT)('on a read-only file system (needs the right to mount one)', () => {
  test('reading works, and nothing can be reserved', async () => {
    const { folder: root, remove } = mountTmpfs('size=1m');
    onTestFinished(remove);
    const { store, place } = newStore({ folder: join(root, 'svc') });
    await store.save(signIn('work'));
    chmodSync(store.path, 0o644);
    execFileSync('mount', ['-o', 'remount,ro', root]);
    expect(store.read()).toMatchObject({ current: 'work', warnings: [expect.stringContaining('Others could read')] });
    expect(() => store.reserve()).toThrow(
      expect.objectContaining({
        message: `Cannot save credentials in ${place.folder}: the file system is read-only (EROFS).`,
        exitCode: 2,
        details: expect.objectContaining({ hint: expect.objectContaining({ run: ['svc login --print-token'] }) }),
      }),
    );
    await expect(store.use('work')).rejects.toMatchObject({ exitCode: 2 });
    expect(await store.remove(() => false)).toEqual([]);
  });
});

test('a folder on a file system that never ends, or below a file, is refused at once', () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  for (const folder of ['/proc/svc/config', '/proc/self/fd/svc/a/b', `/tmp/${'x/'.repeat(3000)}svc`]) {
    expect(() => newStore({ folder }).store.reserve()).toThrow(expect.objectContaining({ exitCode: 2 }));
  }
  for (const folder of [file, join(file, 'svc')]) {
    expect(() => newStore({ folder }).store.reserve()).toThrow(/a part of the path is not a folder \(ENOTDIR\)/);
  }
});
