import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killedLogin, list, newStore, signIn, tempFolder } from './stage.ts';

const HALF = '{"version":1,"credential":{"token":"svc_CANARY';
const ASIDE = '.corrupt-20260301T120000Z';

test('no file keeps a token: neither the stored ones, nor journals, nor what was set aside or left half-written', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 1));
  killedLogin(place, signIn('home', 2));
  writeFileSync(killedLogin(place), HALF);
  const write = (name: string, text: string) => writeFileSync(join(place.folder, name), text);
  const own = [
    `credentials.json${ASIDE}`,
    `credentials.json${ASIDE}-2`,
    'pending-login.json',
    'pending-login.json.tmp',
  ];
  for (const name of ['credentials.json.tmp', ...own]) write(name, 'svc_CANARY_old');
  const others = [`orders.json${ASIDE}`, 'notes.corrupt-x', 'config.json'];
  for (const name of others) write(name, 'not ours to remove');
  const { removed, files } = await store.forgetAll();
  expect(removed.map(({ profile }) => profile).sort()).toEqual(['home', 'work']);
  expect(files.toSorted()).toEqual(own.map((name) => join(place.folder, name)).sort());
  expect(list(place.folder)).toEqual([...others, 'credentials.json'].sort());
  expect(readFileSync(store.path, 'utf8')).not.toContain('CANARY');
});

test.each(['half a journal', 'an unfinished file', 'a damaged file'])('%s is removed, also alone', async (what) => {
  const { store, place, list: names } = newStore();
  const journal = killedLogin(place);
  if (what !== 'half a journal') rmSync(journal);
  writeFileSync({ 'half a journal': journal, 'an unfinished file': `${store.path}.tmp` }[what] ?? store.path, HALF);
  await store.forgetAll();
  expect(names()).toEqual([]);
});

test('behind a link, what was left beside its target goes too, and nothing else there', async () => {
  const { store, place } = newStore();
  const target = tempFolder();
  mkdirSync(place.folder);
  writeFileSync(join(target, 'svc.json'), '{"version":1,"credentials":[]}', { mode: 0o600 });
  symlinkSync(join(target, 'svc.json'), store.path);
  await store.save(signIn('work', 1));
  for (const name of [`svc.json${ASIDE}`, 'svc.json.tmp']) writeFileSync(join(target, name), 'svc_CANARY');
  const others = ['credentials.json', 'credentials.json.tmp', 'login-00000000-1-aa.json', 'pending-login.json'];
  for (const name of others) writeFileSync(join(target, name), 'of another program');
  const { removed, files } = await store.forgetAll();
  expect([removed.length, files]).toEqual([1, [join(target, `svc.json${ASIDE}`)]]);
  expect(list(target)).toEqual([...others, 'svc.json'].sort());
  expect(readFileSync(store.path, 'utf8')).not.toContain('CANARY');
});

test('a login under way keeps its reserved room; without any file, nothing is written', async () => {
  const { store, place, list: names } = newStore();
  expect(store.read()).toEqual({ current: undefined, credentials: [], unmerged: 0, warnings: [] });
  expect(await store.remove(() => true)).toEqual([]);
  expect(await store.forgetAll()).toEqual({ removed: [], files: [] });
  expect(existsSync(place.folder)).toBe(false);
  const reserved = store.reserve();
  await store.forgetAll();
  expect(names()).toHaveLength(1);
  expect(await reserved.keep(signIn('work', 1))()).toMatchObject({ kind: 'stored' });
  reserved.release();
});
