import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { newStore, signIn, tokensIn } from './stage.ts';

test('a sign-in is stored, current, and read back', async () => {
  const { store, place, list } = newStore();
  const record = signIn('work');
  expect(await store.save(record)).toEqual({
    kind: 'stored',
    path: join(place.folder, 'credentials.json'),
    replaced: [],
    setAside: undefined,
  });
  expect(store.read()).toMatchObject({ current: 'work', credentials: [record], unmerged: 0, warnings: [] });
  expect(list()).toEqual(['credentials.json']);
});

test('the file is versioned JSON for people', async () => {
  const { store } = newStore();
  await store.save(signIn('work', 1, { createdAt: '2026-03-01T12:00:00.000Z' }));
  expect(readFileSync(store.path, 'utf8')).toBe(`{
  "version": 1,
  "current": "work",
  "credentials": [
    {
      "profile": "work",
      "baseUrl": "https://work.example.com",
      "token": "svc_CANARY_1",
      "tokenId": "tok_1",
      "expiresAt": "2026-05-30T12:00:00.000Z",
      "expiresAtEstimated": false,
      "organizationId": "org_1",
      "email": "marie@example.com",
      "clientName": "laptop",
      "createdAt": "2026-03-01T12:00:00.000Z"
    }
  ]
}
`);
});

test('reading makes nothing, not even a folder', () => {
  const { store, list } = newStore();
  expect(store.read()).toEqual({ current: undefined, credentials: [], unmerged: 0, warnings: [] });
  expect(list()).toEqual([]);
});

test('a second sign-in of a profile takes the place of the first and names it', async () => {
  const { store } = newStore();
  await store.save(signIn('work', 1));
  await store.save(signIn('home', 2));
  const again = await store.save(signIn('work', 3));
  expect(again).toMatchObject({ kind: 'stored', replaced: [{ tokenId: 'tok_1' }] });
  expect(tokensIn(store.read())).toEqual([
    ['home', 'svc_CANARY_2'],
    ['work', 'svc_CANARY_3'],
  ]);
});

test('the same token saved twice replaces nothing', async () => {
  const { store } = newStore();
  await store.save(signIn('work', 1));
  expect(await store.save(signIn('work', 1))).toMatchObject({ kind: 'stored', replaced: [] });
});

describe('forgetting', () => {
  test('removes the named sign-in and returns it', async () => {
    const { store } = newStore();
    await store.save(signIn('work', 1));
    await store.save(signIn('home', 2));
    expect((await store.remove(({ profile }) => profile === 'home')).map(({ tokenId }) => tokenId)).toEqual(['tok_2']);
    expect(store.read()).toMatchObject({ current: undefined, credentials: [{ profile: 'work' }] });
    expect(readFileSync(store.path, 'utf8')).not.toContain('svc_CANARY_2');
  });

  test('keeps the current profile where another goes', async () => {
    const { store } = newStore();
    await store.save(signIn('home', 2));
    await store.save(signIn('work', 1));
    await store.remove(({ profile }) => profile === 'home');
    expect(store.read().current).toBe('work');
  });

  test('an unknown sign-in is no error, and nothing is created', async () => {
    const { store, list } = newStore();
    expect(await store.remove(() => true)).toEqual([]);
    expect(list()).toEqual([]);
    await store.save(signIn('work', 1));
    const before = statSync(store.path);
    expect(await store.remove(() => false)).toEqual([]);
    expect(statSync(store.path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });
});

describe('changing', () => {
  test('another profile becomes the current one', async () => {
    const { store } = newStore();
    await store.save(signIn('work', 1));
    await store.save(signIn('home', 2));
    expect(await store.use('work')).toMatchObject({ profile: 'work' });
    expect(store.read().current).toBe('work');
    await expect(store.use('other')).rejects.toMatchObject({
      message: 'There is no profile "other". There are: work, home.',
      exitCode: 2,
    });
  });

  test('an organization is set and cleared', async () => {
    const { store } = newStore();
    await store.save(signIn('work', 1));
    expect(await store.setOrg('work', 'org_2')).toMatchObject({ org: 'org_2' });
    expect((await store.setOrg('work', undefined)).org).toBeUndefined();
    expect(readFileSync(store.path, 'utf8')).not.toContain('"org"');
    await expect(store.setOrg('other', 'x')).rejects.toMatchObject({ exitCode: 2 });
  });

  test('profiles whose names JavaScript knows are kept like any other', async () => {
    const { store } = newStore();
    const names = ['__proto__', 'constructor', 'toString', 'a.b:8443/c'];
    for (const [index, name] of names.entries())
      await store.save(signIn(name, index, { baseUrl: 'https://x.example' }));
    expect(store.read().credentials.map(({ profile }) => profile)).toEqual(names);
    expect(await store.use('__proto__')).toMatchObject({ profile: '__proto__' });
    expect(await store.remove(({ profile }) => profile === 'constructor')).toHaveLength(1);
    expect(Object.prototype).not.toHaveProperty('token');
  });
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
