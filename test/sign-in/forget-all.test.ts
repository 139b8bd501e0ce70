import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reserveFile } from '../../src/sign-in/save.ts';
import { DEAD, list, newStore, signIn } from './stage.ts';

test('no file keeps a token: neither the stored ones, nor journals, nor what was set aside or left half-written', async () => {
  const { store, place } = newStore();
  const stateDir = place.stateDir ?? '';
  await store.save(signIn('work', 1));
  const journal = reserveFile(place.folder, place.folder, DEAD);
  journal.fill(signIn('home', 2));
  const elsewhere = reserveFile(stateDir, place.folder, DEAD);
  elsewhere.fill(signIn('away', 3));
  const half = '{"version":1,"credential":{"token":"svc_CANARY';
  writeFileSync(reserveFile(place.folder, place.folder, DEAD).path, half);
  writeFileSync(reserveFile(stateDir, place.folder, DEAD).path, half);
  for (const name of [
    'credentials.json.corrupt-20260301T120000Z',
    'credentials.json.corrupt-20260301T120000Z-2',
    'login-00000000-1-aa.json.corrupt-20260301T120000Z',
    'credentials.json.tmp',
  ])
    writeFileSync(join(place.folder, name), 'svc_CANARY_old');
  const others = ['orders.json.corrupt-20260301T120000Z', 'notes.corrupt-x', 'config.json'];
  for (const name of others) writeFileSync(join(place.folder, name), 'not ours to remove');

  const { removed, files } = await store.forgetAll();
  expect(removed.map(({ profile }) => profile).sort()).toEqual(['away', 'home', 'work']);
  expect(files).toHaveLength(5);
  expect(files.filter((path) => existsSync(path))).toEqual([]);
  expect([list(place.folder), list(stateDir)]).toEqual([[...others, 'credentials.json'].sort(), []]);
  for (const name of list(place.folder)) {
    expect(readFileSync(join(place.folder, name), 'utf8')).not.toContain('CANARY');
  }
});

test.each(['half a journal', 'an unfinished file'])('%s is removed even if it is the only file', async (what) => {
  const { store, place, list } = newStore();
  const journal = reserveFile(place.folder, place.folder, DEAD).path;
  if (what === 'an unfinished file') rmSync(journal);
  const path = what === 'half a journal' ? journal : `${store.path}.tmp`;
  writeFileSync(path, '{"version":1,"credential":{"token":"svc_CANARY');
  await store.forgetAll();
  expect(list()).toEqual([]);
});

test('a damaged file is removed as well', async () => {
  const { store, place } = newStore();
  mkdirSync(place.folder, { recursive: true });
  writeFileSync(store.path, '{"credentials":[{"token":"svc_CANARY_1"', { mode: 0o600 });
  const { removed, files } = await store.forgetAll();
  expect([removed, files]).toEqual([[], [expect.stringMatching(/credentials\.json\.corrupt-/)]]);
  expect(list(place.folder)).toEqual([]);
});

test('behind a link, what was set aside beside its target goes too', async () => {
  const { store, place } = newStore();
  const target = join(place.tempDir, 'dotfiles');
  mkdirSync(target);
  mkdirSync(place.folder);
  writeFileSync(join(target, 'svc.json'), '{"version":1,"credentials":[]}', { mode: 0o600 });
  symlinkSync(join(target, 'svc.json'), store.path);
  writeFileSync(join(target, 'svc.json.corrupt-20260301T120000Z'), 'svc_CANARY_old');
  expect((await store.forgetAll()).files).toHaveLength(1);
  expect(readdirSync(target)).toEqual(['svc.json']);
});

test('a login under way keeps its reserved room', async () => {
  const { store, list } = newStore();
  const reserved = store.reserve();
  await store.forgetAll();
  expect(list()).toHaveLength(1);
  expect(await store.save(signIn('work', 1), reserved)).toMatchObject({ kind: 'stored' });
});

test('without any file, nothing is written', async () => {
  const { store, place } = newStore();
  expect(await store.forgetAll()).toEqual({ removed: [], files: [] });
  expect(existsSync(place.folder)).toBe(false);
});

test('the file of a newer svc is not rewritten', async () => {
  const { store, place } = newStore();
  mkdirSync(place.folder, { recursive: true });
  writeFileSync(store.path, '{"version":99,"credentials":[{"token":"svc_CANARY_1","baseUrl":"https://x.example"}]}');
  await expect(store.forgetAll()).rejects.toMatchObject({ exitCode: 2 });
  expect(readFileSync(store.path, 'utf8')).toContain('CANARY');
});
