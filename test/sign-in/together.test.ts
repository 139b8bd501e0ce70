import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { holdLock } from '../support/held-lock.ts';
import { killedLogin, newStore, saidOf, signIn, tokensIn } from './stage.ts';

test('a sign-in that a lock keeps in its journal is used at once, and named by the one that takes its place', async () => {
  const { store, place, list } = newStore({ clock: fakeClock(new Date().toISOString()) });
  await store.save(signIn('home', 1));
  const giveBack = holdLock(place.folder, 'credentials.json');
  // Its token is that of another address, which goes nowhere.
  expect(await store.save(signIn('work', 1))).toMatchObject({ kind: 'journaled', replaced: [] });
  expect(store.read()).toMatchObject({ current: 'work', unmerged: 1 });
  expect(await store.save(signIn('work', 2))).toMatchObject({ kind: 'journaled', replaced: [] });
  const third = signIn('work', 3);
  const journaled = await store.save(third);
  expect(journaled).toMatchObject({ kind: 'journaled', replaced: [{ tokenId: 'tok_2' }] });
  expect(saidOf(journaled, third)).toMatch(
    /^The sign-in is kept in \S+ and used from there; .*\(Another svc keeps/,
  );
  giveBack();
  rmSync(join(place.folder, 'credentials.json.lock'), { recursive: true });
  const saved = await store.save(signIn('work', 4));
  expect([saved.kind, saved.replaced.map(({ tokenId }) => tokenId).sort()]).toEqual([
    'stored',
    ['tok_2', 'tok_3'],
  ]);
  expect(tokensIn(store.read()).join()).toBe('home,svc_CANARY_1,work,svc_CANARY_4');
  expect(list()).toEqual(['credentials.json']);
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
  const { store, place, list } = newStore({ clock });
  const reserved = store.reserve();
  const journal = join(place.folder, String(list()[0]));
  onTestFinished(holdLock(place.folder, 'credentials.json'));
  const record = signIn('work', 1);
  clock.onSleep(() => {
    writeFileSync(
      store.path,
      JSON.stringify({ version: 1, current: 'work', credentials: [record] }),
      { mode: 0o600 },
    );
    rmSync(journal, { force: true });
  });
  expect(await reserved.keep(record)()).toMatchObject({ kind: 'stored', path: store.path });
  reserved.release();
});

test('a sign-in that another svc has merged and forgotten is not stored again, and that is said', async () => {
  const { store, place, list } = newStore();
  const reserved = store.reserve();
  const save = reserved.keep(signIn('work', 1));
  await newStore(place).store.remove(() => true);
  const reason = 'another svc signed in to this profile, or out of it, at the same time';
  expect(await save()).toEqual({ kind: 'not_saved', reason, replaced: [] });
  reserved.release();
  expect([store.read().credentials, list()]).toEqual([[], ['credentials.json']]);
});

test('of two logins to one profile the later one stays, whichever merges first; the other names its own token', async () => {
  const { store, place } = newStore();
  killedLogin(place, signIn('work', 'later', { createdAt: '2999-01-01T00:00:00.000Z' }));
  const record = signIn('work', 'earlier');
  expect(saidOf(await store.save(record), record)).toContain('Token tok_earlier ');
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_later']]);
});
