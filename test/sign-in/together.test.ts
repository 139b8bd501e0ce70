import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CredentialRecord } from '../../src/sign-in/types.ts';
import { fakeClock } from '../support/clock.ts';
import { holdLock } from '../support/held-lock.ts';
import { killedLogin, list, newStore, saidOf, signIn, tokensIn } from './stage.ts';

/** A store whose lock another svc holds; `letGo` gives it back. */
async function lockedStore(first: CredentialRecord) {
  const staged = newStore({ clock: fakeClock(new Date().toISOString()) });
  await staged.store.save(first);
  const giveBack = holdLock(staged.place.folder, 'credentials.json');
  const letGo = () => {
    giveBack();
    rmSync(join(staged.place.folder, 'credentials.json.lock'), { recursive: true });
  };
  return { ...staged, letGo };
}

test('a token that is stored for another address is used at once where a lock keeps it in its journal, and stays', async () => {
  const { store, place, letGo } = await lockedStore(signIn('a', 1));
  expect(await store.save(signIn('b', 1))).toMatchObject({ kind: 'journaled' });
  expect(store.read()).toMatchObject({ current: 'b', unmerged: 1 });
  letGo();
  await store.use('a');
  expect(tokensIn(store.read())).toEqual([
    ['a', 'svc_CANARY_1'],
    ['b', 'svc_CANARY_1'],
  ]);
  expect(list(place.folder)).toEqual(['credentials.json']);
});

test('a sign-in that gives way while it is only in a journal is named by the one that takes its place', async () => {
  const { store, letGo } = await lockedStore(signIn('home', 9));
  expect(await store.save(signIn('work', 1))).toMatchObject({ kind: 'journaled', replaced: [] });
  expect(await store.save(signIn('work', 2))).toMatchObject({ kind: 'journaled', replaced: [{ tokenId: 'tok_1' }] });
  letGo();
  const saved = await store.save(signIn('work', 3));
  const tokens = saved.replaced.map(({ tokenId }) => tokenId);
  expect([saved.kind, tokens.sort()]).toEqual(['stored', ['tok_1', 'tok_2']]);
});

test('a sign-in whose journal another svc has merged names the one that it displaced', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 'former'));
  const reserved = store.reserve();
  const save = reserved.keep(signIn('work', 1));
  await newStore(place).store.settle();
  expect(await save()).toMatchObject({ kind: 'stored', replaced: [{ tokenId: 'tok_former' }] });
  reserved.release();
});

test('a sign-in that another svc merges while this one waits in vain for the lock is said to be stored', async () => {
  const clock = fakeClock(new Date().toISOString());
  const { store, place } = newStore({ clock });
  const reserved = store.reserve();
  onTestFinished(holdLock(place.folder, 'credentials.json'));
  const record = signIn('work', 1);
  clock.onSleep(() => {
    writeFileSync(store.path, JSON.stringify({ version: 1, current: 'work', credentials: [record] }), { mode: 0o600 });
    rmSync(reserved.path(), { force: true });
  });
  expect(await reserved.keep(record)()).toMatchObject({ kind: 'stored', path: store.path });
  reserved.release();
});

test('a sign-in that another svc has merged and forgotten is not stored again, and that is said', async () => {
  const { store, place } = newStore();
  const reserved = store.reserve();
  const record = signIn('work', 1);
  const save = reserved.keep(record);
  await newStore(place).store.remove(() => true);
  const saved = await save();
  reserved.release();
  const reason = 'another svc signed in to this profile, or out of it, at the same time';
  expect(saved).toEqual({ kind: 'not_saved', reason, replaced: [] });
  expect([store.read().credentials, list(place.folder)]).toEqual([[], ['credentials.json']]);
});

test('of two logins to one profile the later one stays, whichever merges first; the other names its own token', async () => {
  const { store, place } = newStore();
  killedLogin(place, signIn('work', 'later', { createdAt: '2999-01-01T00:00:00.000Z' }));
  const record = signIn('work', 'earlier');
  const saved = await store.save(record);
  expect(saidOf(saved, record)).toContain('Token tok_earlier ');
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_later']]);
});

test('every sign-in that is displaced along with a login is named, once', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 1));
  for (const second of [2, 3]) {
    killedLogin(place, signIn('work', second, { createdAt: `2026-03-01T12:00:0${second}.000Z` }));
  }
  const record = signIn('work', 4);
  const named = saidOf(await store.save(record), record).match(/tok_\d/g);
  expect(named?.sort()).toEqual(['tok_1', 'tok_2', 'tok_3']);
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_4']]);
});
