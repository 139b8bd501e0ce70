import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reserveJournal } from '../../src/sign-in/journal.ts';
import { saveNotices, tokenLost, tokenOfLastResort } from '../../src/sign-in/texts.ts';
import type { Machine } from '../../src/store/machine.ts';
import { diskCallsOf } from '../store/disk-calls.ts';
import { HERE, killedLogin, list, newStore, signIn, tokensIn } from './stage.ts';

/** A machine of another name that shares the folder. */
const ELSEWHERE: Machine = { ...HERE, hostname: `${HERE.hostname}-other`, pid: 1 };

describe('a journal', () => {
  test('takes 16 KiB for the user alone before anything is asked for', () => {
    const { store, list: names } = newStore();
    const reserved = store.reserve();
    const { size, mode } = statSync(reserved.path());
    expect([size, mode & 0o777]).toEqual([16_384, 0o600]);
    expect(readFileSync(reserved.path(), 'utf8').trim()).toBe('');
    expect(names()).toEqual([basename(reserved.path())]);
    reserved.release();
    expect(names()).toEqual([]);
  });

  test('has room for the longest token', () => {
    const { place, store } = newStore();
    const path = killedLogin(place, signIn('work', 'x'.repeat(4000), { email: 'é'.repeat(512) }));
    expect(statSync(path).size).toBeLessThan(16_384);
    expect(store.read().credentials).toHaveLength(1);
  });

  test('is private whatever the umask is', () => {
    const { place } = newStore();
    const before = process.umask(0o777);
    try {
      const path = killedLogin(place);
      expect([statSync(path).mode & 0o777, statSync(place.folder).mode & 0o777]).toEqual([0o600, 0o700]);
    } finally {
      process.umask(before);
    }
  });

  test('is on disk once it is filled, and is read back without its name', () => {
    const calls = diskCallsOf('journal', newStore().place.folder, JSON.stringify(signIn('work')));
    expect(calls.slice(0, 6)).toEqual(['write', 'fstat', 'ftruncate', 'fsync', 'read', 'close']);
  });

  test('that another svc merges the moment it is filled is no error', () => {
    const { place } = newStore();
    const journal = reserveJournal(place.folder, place.machine);
    rmSync(journal.path);
    journal.fill(signIn('work'));
    journal.close();
    expect([journal.isThere(), list(place.folder)]).toEqual([false, []]);
  });
});

describe('a login that was killed before the merge', () => {
  test('is signed in, and reading changes nothing', () => {
    const { store, place, list: names } = newStore();
    const path = killedLogin(place, signIn('work', 1));
    expect(store.read()).toMatchObject({ current: 'work', unmerged: 1, credentials: [{ token: 'svc_CANARY_1' }] });
    expect(names()).toEqual([basename(path)]);
  });

  test('is merged by the next command that writes', async () => {
    const { store, place, list: names } = newStore();
    await store.save(signIn('home', 2));
    killedLogin(place, signIn('work', 1));
    await store.use('home');
    expect(names()).toEqual(['credentials.json']);
    expect(tokensIn(store.read())).toEqual([
      ['home', 'svc_CANARY_2'],
      ['work', 'svc_CANARY_1'],
    ]);
    expect(store.read()).toMatchObject({ current: 'home', unmerged: 0 });
  });

  test('is merged by request', async () => {
    const { store, place, list: names } = newStore();
    killedLogin(place, signIn('work', 1));
    await store.settle();
    expect([names(), store.read().unmerged]).toEqual([['credentials.json'], 0]);
  });

  test('gives way to a later login of the same profile, which names it', async () => {
    const { store, place, list: names } = newStore();
    killedLogin(place, signIn('work', 1));
    expect(await store.save(signIn('work', 2))).toMatchObject({ kind: 'stored', replaced: [{ tokenId: 'tok_1' }] });
    expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_2']]);
    expect(names()).toEqual(['credentials.json']);
  });

  test('is forgotten with its profile', async () => {
    const { store, place, list: names } = newStore();
    killedLogin(place, signIn('work', 1));
    expect(await store.remove(({ profile }) => profile === 'work')).toMatchObject([{ tokenId: 'tok_1' }]);
    expect([store.read().credentials, names()]).toEqual([[], ['credentials.json']]);
    expect(readFileSync(store.path, 'utf8')).not.toContain('CANARY');
  });

  test('of several, the last one wins', () => {
    const { store, place } = newStore();
    for (const number of [3, 1, 2]) {
      killedLogin(place, signIn('work', number, { createdAt: `2026-03-01T12:0${number}:00.000Z` }));
    }
    expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_3']]);
  });

  test('after the merge but before its journal was removed, is not merged over a later change', async () => {
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
});

describe('what a login left that was killed before the token', () => {
  test('goes with the next command that writes', async () => {
    const { store, place, list: names } = newStore();
    killedLogin(place);
    await store.save(signIn('work', 1));
    expect(names()).toEqual(['credentials.json']);
  });

  test('stays while its process lives', async () => {
    const { store, list: names } = newStore();
    const reserved = store.reserve();
    await store.save(signIn('work', 1));
    expect(names()).toContain(basename(reserved.path()));
    reserved.release();
  });

  test('stays for a day where another machine made it, whose processes nobody here knows', async () => {
    const { store, place, list: names } = newStore();
    const path = killedLogin(place, undefined, ELSEWHERE);
    await store.save(signIn('work', 1));
    expect(names()).toContain(basename(path));
    const longAgo = Date.now() / 1000 - 25 * 3600;
    utimesSync(path, longAgo, longAgo);
    await store.save(signIn('work', 2));
    expect(names()).toEqual(['credentials.json']);
  });

  test('is set aside where it is half a journal', async () => {
    const { store, place, list: names } = newStore();
    const half = '{"version":1,"credential":{"token":"svc_CAN';
    writeFileSync(killedLogin(place), half);
    expect(store.read().credentials).toEqual([]);
    await store.save(signIn('work', 1));
    expect(names()).toEqual(['credentials.json', expect.stringMatching(/^login-.*\.json\.corrupt-/)]);
    expect(readFileSync(join(place.folder, String(names()[1])), 'utf8')).toBe(half);
  });

  test('is a whole journal already where only the cutting to length is missing', () => {
    const { store, place } = newStore();
    appendFileSync(killedLogin(place, signIn('work', 1)), ' '.repeat(8192));
    expect(store.read()).toMatchObject({ unmerged: 1, current: 'work' });
  });
});

describe('while a login waits, its folder', () => {
  test.each<[what: string, happens: (folder: string) => void]>([
    ['is removed', (folder) => rmSync(folder, { recursive: true })],
    ['is emptied', (folder) => rmSync(join(folder, String(list(folder)[0])))],
    ['is moved away', (folder) => renameSync(folder, `${folder}-old`)],
  ])('%s: the token goes into a new one', async (_what, happens) => {
    const { store, place, list: names } = newStore();
    const reserved = store.reserve();
    happens(place.folder);
    const save = reserved.keep(signIn('work', 1));
    expect(store.read()).toMatchObject({ current: 'work', unmerged: 1 });
    expect(await save()).toMatchObject({ kind: 'stored', path: store.path });
    reserved.release();
    expect([tokensIn(store.read()), names()]).toEqual([[['work', 'svc_CANARY_1']], ['credentials.json']]);
  });

  test('becomes a file: the token is nowhere, which is said, with the token to revoke', async () => {
    const { store, place } = newStore();
    const reserved = store.reserve();
    rmSync(place.folder, { recursive: true });
    writeFileSync(place.folder, 'mine');
    const record = signIn('work', 1);
    const saved = await reserved.keep(record)();
    reserved.release();
    expect(saved).toEqual({ kind: 'not_saved', reason: 'a part of the path is not a folder (ENOTDIR)', replaced: [] });
    expect(readFileSync(place.folder, 'utf8')).toBe('mine');
  });

  test('gets a folder where the credentials file belongs: the token stays in its journal, and is used', async () => {
    const { store } = newStore();
    const reserved = store.reserve();
    mkdirSync(store.path);
    const saved = await reserved.keep(signIn('work', 1))();
    reserved.release();
    expect(saved).toMatchObject({ kind: 'journaled', reason: expect.stringContaining('not a plain file') });
    expect(existsSync(saved.kind === 'journaled' ? saved.path : '')).toBe(true);
  });
});

test('journals of somebody else, and files that only look like journals, are left alone', async () => {
  const { store, place, list: names } = newStore();
  mkdirSync(place.folder, { recursive: true });
  const others = ['login-x.json', 'login-00000000-1-zz.json', 'login.json', 'login-00000000-12-ab.json.bak'];
  for (const name of others)
    writeFileSync(join(place.folder, name), '{"credential":{"token":"svc_x","baseUrl":"https://x"}}');
  await store.save(signIn('work', 1));
  expect(names()).toEqual([...others, 'credentials.json'].sort());
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_1']]);
});

test('what the user should know is said in words', async () => {
  const { store } = newStore();
  const noticesOf = async (number: number) => {
    const saved = await store.save(signIn('work', number));
    if (saved.kind === 'not_saved') throw new Error(saved.reason);
    return saveNotices(saved);
  };
  expect(await noticesOf(1)).toEqual([]);
  expect(await noticesOf(2)).toEqual([
    'Token tok_1 ("laptop") stays valid at work.example.com until 30 May 2026; revoke it in Settings > API tokens to end it.',
  ]);
  writeFileSync(store.path, 'x');
  expect(await noticesOf(3)).toEqual([
    expect.stringMatching(/^The credentials file was damaged; it is now .*corrupt-/),
  ]);
  const journaled = { path: '/x/login-1.json', reason: 'the disk is full (ENOSPC)', replaced: [] };
  expect(saveNotices({ kind: 'journaled', ...journaled })).toEqual([
    'The sign-in is kept in /x/login-1.json and used from there; it moves on as soon as it can (the disk is full (ENOSPC)).',
  ]);
  const lost = tokenLost('The token could not be saved', signIn('work', 1));
  expect(lost).toMatchObject({ exitCode: 9, details: { lines: [expect.stringContaining('Token tok_1 ("laptop")')] } });
  expect(`${lost.message}${lost.details.lines?.join()}`).not.toContain('CANARY');
  expect(tokenOfLastResort(signIn('work', 1))[1]).toBe('export SVC_TOKEN=svc_CANARY_1');
});
