import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { Journal } from '../../src/sign-in/journal.ts';
import { diskCallsOf } from '../store/disk-calls.ts';
import { HERE, killedLogin, list, newStore, signIn, tokensIn } from './stage.ts';

const at = (second: number) => ({ createdAt: `2026-03-01T12:00:0${second}.000Z` });

test('a journal takes 16 KiB for the user alone before anything is asked for, and has room for the longest token', () => {
  const { store, place, list: names } = newStore();
  const reserved = store.reserve();
  const { size, mode } = statSync(join(place.folder, String(names()[0])));
  expect([size, mode & 0o777]).toEqual([16_384, 0o600]);
  reserved.release();
  expect(names()).toEqual([]);
  const longest = killedLogin(place, signIn('work', 'x'.repeat(4000), { email: 'é'.repeat(512) }));
  expect(statSync(longest).size).toBeLessThan(16_384);
});

test('a journal is on disk once it is filled, and read back without its name: another svc may have merged it', () => {
  const { place } = newStore();
  const calls = diskCallsOf('journal', place.folder, JSON.stringify(signIn('work')));
  const reserved = ['write', 'fstat', 'fsync', 'open', 'fstat', 'fsync', 'close', 'lstat', 'fstat'];
  expect(calls.slice(0, 15)).toEqual([
    ...reserved,
    'write',
    'fstat',
    'ftruncate',
    'fsync',
    'read',
    'close',
  ]);
  rmSync(place.folder, { recursive: true });
  const journal = new Journal(place.folder, place.machine);
  rmSync(journal.path);
  journal.fill(signIn('work'));
  journal.close();
  expect([journal.isThere(), list(place.folder)]).toEqual([false, []]);
});

test('a login that was killed before the merge is signed in, and reading changes nothing', () => {
  const { store, place, list: names } = newStore();
  const path = killedLogin(place, signIn('work', 1));
  // Only the cutting to length is missing.
  appendFileSync(path, ' '.repeat(8192));
  expect(store.read()).toMatchObject({
    current: 'work',
    unmerged: 1,
    credentials: [{ token: 'svc_CANARY_1' }],
  });
  expect(names()).toEqual([basename(path)]);
});

test('of several killed logins to a profile, the last one wins, also over an older one that is merged', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 1, at(1)));
  for (const number of [3, 1, 2]) killedLogin(place, signIn('work', number, at(number)));
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_3']]);
  // The same token, kept anew later, comes back to the front.
  await store.settle();
  await store.save(signIn('home', 4, at(4)));
  killedLogin(place, signIn('work', 3, at(5)));
  expect(store.read()).toMatchObject({ current: 'work', unmerged: 1 });
});

test('a journal that was merged but not removed undoes no later change', async () => {
  const { store, place } = newStore();
  const record = signIn('work', 1);
  await store.save(record);
  await store.save(signIn('home', 2));
  await store.setOrg('work', 'org_2');
  killedLogin(place, record);
  const after = { current: 'home', credentials: [{ org: 'org_2' }, {}], unmerged: 0 };
  expect(store.read()).toMatchObject(after);
  await store.use('home');
  expect(store.read()).toMatchObject(after);
});

test('a blank journal goes with its process; one of another machine, whose processes nobody knows, after a day', async () => {
  const { store, place, list: names } = newStore();
  const reserved = store.reserve();
  const own = String(names()[0]);
  killedLogin(place);
  const foreign = killedLogin(place, undefined, {
    ...HERE,
    hostname: `${HERE.hostname}-other`,
    pid: 1,
  });
  const saveAfter = async (hours: number) => {
    const time = Date.now() / 1000 - hours * 3600;
    utimesSync(foreign, time, time);
    await store.save(signIn('work', hours));
  };
  await saveAfter(23);
  expect(names()).toEqual(['credentials.json', own, basename(foreign)].sort());
  reserved.release();
  await saveAfter(25);
  expect(names()).toEqual(['credentials.json']);
});

test('while a login waits, its folder is moved away: the token goes into a new one', async () => {
  const { store, place, list: names } = newStore();
  const reserved = store.reserve();
  renameSync(place.folder, `${place.folder}-old`);
  const save = reserved.keep(signIn('work', 1));
  expect(store.read()).toMatchObject({ current: 'work', unmerged: 1 });
  expect(await save()).toMatchObject({ kind: 'stored', path: store.path });
  reserved.release();
  expect(names()).toEqual(['credentials.json']);
});

test('while a login waits, its folder becomes a file: the token is nowhere, which is said', async () => {
  const { store, place } = newStore();
  const reserved = store.reserve();
  rmSync(place.folder, { recursive: true });
  writeFileSync(place.folder, 'mine');
  const reason = 'a part of the path is not a folder (ENOTDIR)';
  expect(await reserved.keep(signIn('work', 1))()).toEqual({
    kind: 'not_saved',
    reason,
    replaced: [],
  });
  reserved.release();
  expect(readFileSync(place.folder, 'utf8')).toBe('mine');
});

test.runIf(process.getuid?.() === 0)(
  'a disk that gives the journal to root is refused before anybody is asked: svc would not read it later (needs root)',
  () => {
    const { place, list: names } = newStore();
    const user = { ...place.machine, uid: 1_001 };

    expect(() => new Journal(place.folder, user)).toThrow(/keeps no owners/);
    expect(names()).toEqual([]);
  },
);

test('the journal of a newer svc is left to it', async () => {
  const { store, place, list: names } = newStore();
  await store.save(signIn('work', 1));
  const path = killedLogin(place, signIn('home', 2));
  const newer = { ...JSON.parse(readFileSync(path, 'utf8')), version: 2 };
  writeFileSync(path, JSON.stringify(newer));

  await store.save(signIn('work', 3));

  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_3']]);
  expect(names()).toContain(basename(path));
});
