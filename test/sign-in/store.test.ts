import { readFileSync, statSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { newStore, signIn, tokensIn } from './stage.ts';

test('reading makes nothing, not even a folder; nor does forgetting nothing', async () => {
  const { store, list } = newStore();
  expect(store.read()).toEqual({ current: undefined, credentials: [], unmerged: 0, warnings: [] });
  expect(await store.remove(() => true)).toEqual([]);
  expect(list()).toEqual([]);
});

test('a sign-in is stored as versioned JSON for people, current, and read back', async () => {
  const { store, list } = newStore();
  const record = signIn('work', 1, { createdAt: '2026-03-01T12:00:00.000Z' });
  expect(await store.save(record)).toEqual({ kind: 'stored', path: store.path, replaced: [], setAside: undefined });
  expect(await store.save(record)).toMatchObject({ kind: 'stored', replaced: [] });
  expect(store.read()).toEqual({
    current: 'work',
    credentials: [{ ...record, org: undefined }],
    unmerged: 0,
    warnings: [],
  });
  expect(list()).toEqual(['credentials.json']);
  const file = { version: 1, current: 'work', credentials: [record] };
  expect(readFileSync(store.path, 'utf8')).toBe(`${JSON.stringify(file, undefined, 2)}\n`);
});

test('a second sign-in of a profile takes the place of the first and names it', async () => {
  const { store } = newStore();
  for (const [profile, number] of [
    ['work', 1],
    ['home', 2],
  ] as const)
    await store.save(signIn(profile, number));
  expect(await store.save(signIn('work', 3))).toMatchObject({ kind: 'stored', replaced: [{ tokenId: 'tok_1' }] });
  expect(tokensIn(store.read())).toEqual([
    ['home', 'svc_CANARY_2'],
    ['work', 'svc_CANARY_3'],
  ]);
});

test('forgetting removes the named sign-ins alone and returns them, and keeps another current one', async () => {
  const { store } = newStore();
  for (const [number, profile] of ['home', 'old', 'work'].entries()) await store.save(signIn(profile, number));
  const before = statSync(store.path);
  expect(await store.remove(() => false)).toEqual([]);
  expect(statSync(store.path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  expect(await store.remove(({ profile }) => profile === 'old')).toMatchObject([{ tokenId: 'tok_1' }]);
  expect(store.read()).toMatchObject({ current: 'work', credentials: [{ profile: 'home' }, { profile: 'work' }] });
  await store.remove(({ profile }) => profile === 'work');
  expect(store.read().current).toBeUndefined();
  expect(readFileSync(store.path, 'utf8')).not.toMatch(/svc_CANARY_[12]/);
});

test('another profile becomes the current one, and an organization is set and cleared', async () => {
  const { store } = newStore();
  await store.save(signIn('work', 1));
  await store.save(signIn('home', 2));
  expect(await store.use('work')).toMatchObject({ profile: 'work' });
  expect(store.read().current).toBe('work');
  expect(await store.setOrg('work', 'org_2')).toMatchObject({ org: 'org_2' });
  expect((await store.setOrg('work', undefined)).org).toBeUndefined();
  expect(readFileSync(store.path, 'utf8')).not.toContain('"org"');
  const unknown = { exitCode: 2, message: 'There is no profile "other". There are: work, home.' };
  for (const change of [store.use('other'), store.setOrg('other', 'x')]) {
    await expect(change).rejects.toMatchObject(unknown);
  }
});

test('SNAP changes nothing: the file is still replaced as a whole', async () => {
  const { store } = newStore();
  await store.save(signIn('work', 1));
  const before = statSync(store.path).ino;
  vi.stubEnv('SNAP', '/snap/code/1');
  try {
    await store.save(signIn('home', 2));
  } finally {
    vi.unstubAllEnvs();
  }
  expect(statSync(store.path).ino).not.toBe(before);
  expect(statSync(store.path).mode & 0o777).toBe(0o600);
});
