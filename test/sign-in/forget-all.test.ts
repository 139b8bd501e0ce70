import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killedLogin, list, newStore, signIn, tempFolder } from './stage.ts';

const ASIDE = '.corrupt-20260301T120000Z';

test('no file keeps a token: neither the stored ones, nor journals, nor what was set aside or left half-written', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 1));
  killedLogin(place, signIn('home', 2));
  writeFileSync(killedLogin(place), '{"version":1,"credential":{"token":"svc_CANARY');
  const own = [`credentials.json${ASIDE}`, 'pending-login.json', 'pending-login.json.tmp'];
  const others = [`orders.json${ASIDE}`, 'notes.corrupt-x', 'config.json', 'login-x.json'];
  for (const name of [...own, ...others, 'credentials.json.tmp'])
    writeFileSync(join(place.folder, name), 'svc_CANARY');
  const { removed, files } = await store.forgetAll();
  expect(removed.map(({ profile }) => profile).sort()).toEqual(['home', 'work']);
  expect(files.toSorted()).toEqual(own.map((name) => join(place.folder, name)));
  expect(list(place.folder)).toEqual([...others, 'credentials.json'].sort());
  expect(readFileSync(store.path, 'utf8')).not.toContain('CANARY');
});

test('behind a link, what was left beside its target goes too, and nothing else there', async () => {
  const { store, place } = newStore();
  const target = tempFolder();
  mkdirSync(place.folder);
  writeFileSync(join(target, 'svc.json'), '{"version":1,"credentials":[]}', { mode: 0o600 });
  symlinkSync(join(target, 'svc.json'), store.path);
  await store.save(signIn('work', 1));
  const others = ['credentials.json.tmp', 'login-00000000-1-aa.json', 'pending-login.json'];
  for (const name of [`svc.json${ASIDE}`, 'svc.json.tmp', ...others])
    writeFileSync(join(target, name), 'svc_CANARY');
  const { removed, files } = await store.forgetAll();
  expect([removed.length, files]).toEqual([1, [join(target, `svc.json${ASIDE}`)]]);
  expect(list(target)).toEqual([...others, 'svc.json'].sort());
  expect(readFileSync(store.path, 'utf8')).not.toContain('CANARY');
});

test('a login under way keeps its reserved room; without any file, nothing is written', async () => {
  const { store, place, list: names } = newStore();
  expect(store.read()).toEqual({ current: undefined, credentials: [], unmerged: 0, warnings: [] });
  expect(await store.remove(() => true)).toEqual([]);
  await store.forgetAll();
  expect(existsSync(place.folder)).toBe(false);
  const reserved = store.reserve();
  await store.forgetAll();
  expect(names()).toHaveLength(1);
  expect(await reserved.keep(signIn('work', 1))()).toMatchObject({ kind: 'stored' });
  reserved.release();
});
