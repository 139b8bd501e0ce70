import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { list, newStore, signIn, tempFolder, tokensIn } from './stage.ts';

const IS_ROOT = process.getuid?.() === 0;
const modeOf = (path: string): number => statSync(path).mode & 0o7777;

// The last one takes the rights to svc's own files from everybody but root.
test.each([0o000, ...(IS_ROOT ? [0o777] : [])])('file and folders are private under umask %i', async (umask) => {
  const { store, place } = newStore({ folder: join(tempFolder(), 'a', 'b', 'svc') });
  const before = process.umask(umask);
  try {
    await store.save(signIn('work'));
    expect([modeOf(store.path), modeOf(place.folder), modeOf(dirname(place.folder))]).toEqual([0o600, 0o700, 0o700]);
  } finally {
    process.umask(before);
  }
});

test.each([0o604, 0o640])('a file of mode %i is closed to others by reading, said once', async (mode) => {
  const { store } = newStore();
  await store.save(signIn('work'));
  chmodSync(store.path, mode);
  expect(store.read().warnings).toEqual([`Others could read ${store.path}; now only you can.`]);
  expect([modeOf(store.path), store.read().warnings]).toEqual([0o600, []]);
});

test('a credentials file that is a link stays one: its target is replaced, or set aside where it is damaged', async () => {
  const { store, place, list: names } = newStore();
  const target = join(tempFolder(), 'svc.json');
  mkdirSync(place.folder);
  symlinkSync(target, store.path);
  writeFileSync(target, '{"version":1,"credentials":[]}', { mode: 0o644 });
  const before = statSync(target).ino;
  expect(await store.save(signIn('work'))).toMatchObject({ kind: 'stored' });
  expect([statSync(target).ino === before, modeOf(target)]).toEqual([false, 0o600]);
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_1']]);
  expect([names(), list(dirname(target))]).toEqual([['credentials.json'], ['svc.json']]);
  writeFileSync(target, 'damaged');
  const setAside = expect.stringContaining('svc.json.corrupt-');
  expect(await store.save(signIn('home'))).toMatchObject({ kind: 'stored', setAside });
  expect([lstatSync(store.path).isSymbolicLink(), store.read().current]).toEqual([true, 'home']);
});

test.each<[what: string, make: (path: string) => unknown, said: string]>([
  ['folder', (path) => mkdirSync(path), 'it is not a plain file'],
  ['pipe', (path) => execFileSync('mkfifo', [path]), 'it is not a plain file'],
  ['link to nowhere', (path) => symlinkSync('/nowhere', path), 'it is a link that leads nowhere'],
])('a %s in place of the file is an error, not a wait, and stays', (_what, make, said) => {
  const { store, place, list: names } = newStore();
  mkdirSync(place.folder);
  make(store.path);
  const hint = expect.stringContaining('move it away, or set SVC_CONFIG_DIR');
  const error = { message: `Cannot read ${store.path}: ${said}.`, exitCode: 2 };
  expect(() => store.read()).toThrow(expect.objectContaining({ ...error, details: expect.objectContaining({ hint }) }));
  if (said.includes('link')) expect(() => store.reserve()).toThrow(expect.objectContaining(error));
  expect(names()).toEqual(['credentials.json']);
});

test.runIf(IS_ROOT)('under sudo, the file of the user is not touched (needs root)', async () => {
  const { store } = newStore();
  await store.save(signIn('work'));
  chownSync(store.path, 12_345, 12_345);
  const hint = expect.stringContaining('Repeat the command without sudo');
  expect(() => store.read()).toThrow(expect.objectContaining({ details: { hint } }));
});

test('a folder on a file system that never ends, or below a file, is refused at once', () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  const refusal = (folder: string) => expect(() => newStore({ folder }).store.reserve());
  for (const folder of ['/proc/svc/config', '/proc/self/fd/svc/a/b', `/tmp/${'x/'.repeat(3000)}svc`]) {
    refusal(folder).toThrow(expect.objectContaining({ exitCode: 2 }));
  }
  for (const folder of [file, join(file, 'svc')]) {
    refusal(folder).toThrow('a part of the path is not a folder (ENOTDIR)');
  }
});
