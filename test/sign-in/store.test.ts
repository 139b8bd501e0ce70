import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newStore, signIn } from './stage.ts';

test('reading makes nothing, not even a folder; nor does forgetting nothing', async () => {
  const { store, list } = newStore();
  expect(store.read()).toEqual({ current: undefined, credentials: [], unmerged: 0, warnings: [] });
  expect(await store.remove(() => true)).toEqual([]);
  expect(list()).toEqual([]);
});

test('a sign-in is stored as versioned JSON for people, and takes the place of the former one, which is named', async () => {
  const { store, list } = newStore();
  const record = signIn('work', 1, { createdAt: '2026-03-01T12:00:00.000Z' });
  expect(await store.save(record)).toEqual({ kind: 'stored', path: store.path, replaced: [], setAside: undefined });
  expect(await store.save(record)).toMatchObject({ kind: 'stored', replaced: [] });
  expect(list()).toEqual(['credentials.json']);
  const file = { version: 1, current: 'work', credentials: [record] };
  expect(readFileSync(store.path, 'utf8')).toBe(`${JSON.stringify(file, undefined, 2)}\n`);
  expect(await store.save(signIn('work', 3))).toMatchObject({ kind: 'stored', replaced: [{ tokenId: 'tok_1' }] });
});
