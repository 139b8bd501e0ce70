import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Place } from '../../src/sign-in/read.ts';
import type { SaveResult } from '../../src/sign-in/save.ts';
import { reserveFile } from '../../src/sign-in/save.ts';
import { saveNotices, saveProblem, tokenOfLastResort } from '../../src/sign-in/save-report.ts';
import { openCredentials } from '../../src/sign-in/store.ts';
import { configDir } from '../../src/store/location.ts';
import type { Machine } from '../../src/store/machine.ts';
import { DEAD, HERE, list, newStore, signIn, tokensIn } from './stage.ts';

/** A machine of another name that shares the folder. */
const ELSEWHERE: Machine = { ...HERE, hostname: `${HERE.hostname}-other`, pid: 1 };

/** What a login leaves that was killed between writing its journal and merging it. */
function killedLogin(place: Place, profile: string, number: number, machine: Machine = DEAD): string {
  const room = reserveFile(place.folder, place.folder, machine);
  room.fill(signIn(profile, number));
  room.release();
  return room.path;
}

describe('a login that was killed before the merge', () => {
  test('is signed in, and reading changes nothing', () => {
    const { store, place, list } = newStore();
    const path = killedLogin(place, 'work', 1);
    expect(store.read()).toMatchObject({ current: 'work', unmerged: 1, credentials: [{ token: 'svc_CANARY_1' }] });
    expect(list()).toEqual([basename(path)]);
  });

  test('is merged by the next command that writes', async () => {
    const { store, place, list } = newStore();
    await store.save(signIn('home', 2));
    killedLogin(place, 'work', 1);
    await store.use('home');
    expect(list()).toEqual(['credentials.json']);
    expect(tokensIn(store.read())).toEqual([
      ['home', 'svc_CANARY_2'],
      ['work', 'svc_CANARY_1'],
    ]);
    expect(store.read()).toMatchObject({ current: 'home', unmerged: 0 });
  });

  test('is merged by request', async () => {
    const { store, place, list } = newStore();
    killedLogin(place, 'work', 1);
    await store.settle();
    expect([list(), store.read().unmerged]).toEqual([['credentials.json'], 0]);
  });

  test('gives way to a later login of the same profile, which names it', async () => {
    const { store, place, list } = newStore();
    killedLogin(place, 'work', 1);
    expect(await store.save(signIn('work', 2))).toMatchObject({ kind: 'stored', replaced: [{ tokenId: 'tok_1' }] });
    expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_2']]);
    expect(list()).toEqual(['credentials.json']);
  });

  test('is forgotten with its profile', async () => {
    const { store, place, list } = newStore();
    killedLogin(place, 'work', 1);
    expect(await store.remove(({ profile }) => profile === 'work')).toMatchObject([{ tokenId: 'tok_1' }]);
    expect([store.read().credentials, list()]).toEqual([[], ['credentials.json']]);
    expect(readFileSync(store.path, 'utf8')).not.toContain('CANARY');
  });

  test('of several, the last one wins', () => {
    const { store, place } = newStore();
    for (const [number, minute] of [
      [3, 3],
      [1, 1],
      [2, 2],
    ] as const) {
      const room = reserveFile(place.folder, place.folder, DEAD);
      room.fill(signIn('work', number, { createdAt: `2026-03-01T12:0${minute}:00.000Z` }));
      room.release();
    }
    expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_3']]);
  });

  test('after the merge but before its journal was removed, is not merged over a later change', async () => {
    const { store, place } = newStore();
    const record = signIn('work', 1);
    await store.save(record);
    const leftover = reserveFile(place.folder, place.folder, DEAD);
    leftover.fill(record);
    leftover.release();
    await store.setOrg('work', 'org_2');
    await store.save(signIn('home', 2));
    expect(store.read()).toMatchObject({ current: 'home', credentials: [{ org: 'org_2' }, {}], unmerged: 0 });
  });
});

describe('what a login left that was killed before the token', () => {
  test('goes with the next command that writes', async () => {
    const { store, place, list } = newStore();
    reserveFile(place.folder, place.folder, DEAD);
    await store.save(signIn('work', 1));
    expect(list()).toEqual(['credentials.json']);
  });

  test('stays while its process lives', async () => {
    const { store, list } = newStore();
    const reserved = store.reserve();
    await store.save(signIn('work', 1));
    expect(list()).toContain(basename(reserved.path));
    reserved.release();
  });

  test('stays for a day where another machine made it, whose processes nobody here knows', async () => {
    const { store, place, list } = newStore();
    const { path } = reserveFile(place.folder, place.folder, ELSEWHERE);
    await store.save(signIn('work', 1));
    expect(list()).toContain(basename(path));
    const longAgo = Date.now() / 1000 - 25 * 3600;
    utimesSync(path, longAgo, longAgo);
    await store.save(signIn('work', 2));
    expect(list()).toEqual(['credentials.json']);
  });

  test('is set aside where it is half a journal', async () => {
    const { store, place, list } = newStore();
    const { path } = reserveFile(place.folder, place.folder, DEAD);
    writeFileSync(path, '{"version":1,"credential":{"token":"svc_CAN');
    expect(store.read().credentials).toEqual([]);
    await store.save(signIn('work', 1));
    expect(list()).toEqual(['credentials.json', expect.stringMatching(/^login-.*\.json\.corrupt-/)]);
  });

  test('is a whole journal already where only the cutting to length is missing', () => {
    const { store, place } = newStore();
    const path = killedLogin(place, 'work', 1);
    appendFileSync(path, ' '.repeat(8192));
    expect(store.read()).toMatchObject({ unmerged: 1, current: 'work' });
  });
});

test('a journal that another svc merged first is not merged again, and not reported as stored', async () => {
  const { store, place } = newStore();
  const reserved = store.reserve();
  // The other svc finds the journal as soon as it is filled; the user even signs out before this process continues.
  const fill = reserved.fill;
  const racing = {
    ...reserved,
    fill(record: Parameters<typeof fill>[0]) {
      fill(record);
      rmSync(reserved.path);
    },
  };
  const record = signIn('work', 1);
  const saved = await store.save(record, racing);
  expect(saved).toMatchObject({ kind: 'displaced', replaced: [] });
  expect(saveProblem(saved, record)).toMatchObject({
    exitCode: 9,
    message: expect.stringContaining('This sign-in is not stored.'),
    details: { lines: [expect.stringMatching(/^Token tok_1 \("laptop"\) stays valid at work\.example\.com until/)] },
  });
  expect(store.read().credentials).toEqual([]);
  expect(list(place.folder)).not.toContain(basename(reserved.path));
});

describe('where the reserved room does not take the token', () => {
  const failing = (place: Place, times: number) => {
    const room = reserveFile(place.folder, place.folder, HERE);
    let left = times;
    return {
      ...room,
      fill(record: Parameters<typeof room.fill>[0]) {
        left -= 1;
        if (left >= 0) throw Object.assign(new Error('no'), { code: 'EIO' });
        room.fill(record);
      },
    };
  };

  test('it is tried a second time', async () => {
    const { store, place, list } = newStore();
    expect(await store.save(signIn('work', 1), failing(place, 1))).toMatchObject({ kind: 'stored' });
    expect(list()).toEqual(['credentials.json']);
  });

  test('another place keeps it until it is merged', async () => {
    const { store, place, list: names } = newStore();
    expect(await store.save(signIn('work', 1), failing(place, 2))).toMatchObject({ kind: 'stored' });
    expect([names(), list(place.stateDir ?? '')]).toEqual([['credentials.json'], []]);
  });

  test('and the credentials file does not either, the state folder keeps it, where every svc of this folder finds it', async () => {
    const { store, place } = newStore();
    const room = failing(place, 2);
    mkdirSync(store.path);
    const saved = await store.save(signIn('work', 1), room);
    rmSync(store.path, { recursive: true });
    expect(saved).toMatchObject({ kind: 'elsewhere', isUsed: true, path: expect.stringContaining('/state/login-') });
    expect(store.read()).toMatchObject({ current: 'work', unmerged: 1 });
    expect(newStore({ stateDir: place.stateDir }).store.read().credentials).toEqual([]);
    await store.settle();
    expect([list(place.folder), list(place.stateDir ?? '')]).toEqual([['credentials.json'], []]);
  });

  test('the state folder keeps it for every spelling of SVC_CONFIG_DIR', async () => {
    const { place } = newStore();
    const spelled = (folder: string) =>
      openCredentials({ ...place, folder: configDir({ SVC_CONFIG_DIR: folder }, place.machine.platform) });
    const store = spelled(`${place.folder}/`);
    const room = failing(place, 2);
    mkdirSync(store.path);
    expect(await store.save(signIn('work', 1), room)).toMatchObject({ kind: 'elsewhere', isUsed: true });
    rmSync(store.path, { recursive: true });
    expect(spelled(place.folder).read()).toMatchObject({ current: 'work', unmerged: 1 });
  });

  test('and no state folder, a temporary folder keeps it and the path is shown', async () => {
    const { store, place } = newStore({ stateDir: undefined });
    const room = failing(place, 2);
    mkdirSync(store.path);
    const record = signIn('work', 1);
    const saved = await store.save(record, room);
    if (saved.kind !== 'elsewhere') throw new Error(saved.kind);
    expect(saved).toMatchObject({ isUsed: false, reason: 'the disk reports an error (EIO)' });
    expect(JSON.parse(readFileSync(saved.path, 'utf8'))).toMatchObject({ credential: { token: 'svc_CANARY_1' } });
    expect(saveProblem(saved, record)).toMatchObject({ exitCode: 1, message: expect.stringContaining(saved.path) });
    expect(list(place.folder)).toEqual(['credentials.json']);
  });

  test('and no other place either, that is said, and nothing is left behind', async () => {
    const { store, place } = newStore({ stateDir: '/proc/svc-state', tempDir: '/proc' });
    const room = failing(place, 2);
    mkdirSync(store.path);
    const record = signIn('work', 1);
    const saved: SaveResult = await store.save(record, room);
    expect(saved).toEqual({ kind: 'not_saved', reason: 'the disk reports an error (EIO)' });
    const problem = saveProblem(saved, record);
    expect(problem).toMatchObject({
      exitCode: 1,
      details: { lines: [expect.stringContaining('Token tok_1 ("laptop")')] },
    });
    expect(`${problem?.message}${problem?.details.lines?.join()}`).not.toContain('CANARY');
    expect(tokenOfLastResort(record)[1]).toBe('export SVC_TOKEN=svc_CANARY_1');
    expect(list(place.folder)).toEqual(['credentials.json']);
  });
});

test('journals of somebody else, and files that only look like journals, are left alone', async () => {
  const { store, place, list } = newStore();
  mkdirSync(place.folder, { recursive: true });
  const names = ['login-x.json', 'login-00000000-1-zz.json', 'login.json', 'login-00000000-12-ab.json.bak'];
  for (const name of names)
    writeFileSync(join(place.folder, name), '{"credential":{"token":"svc_x","baseUrl":"https://x"}}');
  await store.save(signIn('work', 1));
  expect(list()).toEqual([...names, 'credentials.json'].sort());
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_1']]);
});

test('what the user should know is said in words', async () => {
  const { store } = newStore();
  await store.save(signIn('work', 1));
  expect(saveNotices(await store.save(signIn('work', 2)))).toEqual([
    'Token tok_1 ("laptop") stays valid at work.example.com until 30 May 2026; revoke it in Settings > API tokens to end it.',
  ]);
  writeFileSync(store.path, 'x');
  expect(saveNotices(await store.save(signIn('work', 3)))).toEqual([
    expect.stringMatching(/^The credentials file was damaged; it is now .*corrupt-/),
  ]);
  const journaled: SaveResult = {
    kind: 'journaled',
    path: '/x/login-1.json',
    reason: 'the disk is full (ENOSPC)',
    replaced: [],
  };
  expect(saveNotices(journaled)).toEqual([
    'The sign-in is kept in /x/login-1.json and used from there; it moves on as soon as it can (the disk is full (ENOSPC)).',
  ]);
  expect(saveProblem(journaled, signIn('work'))).toBeUndefined();
});
