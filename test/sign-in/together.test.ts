import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CredentialRecord } from '../../src/sign-in/records.ts';
import type { SaveResult } from '../../src/sign-in/save.ts';
import { reserveFile } from '../../src/sign-in/save.ts';
import { saveNotices, saveProblem } from '../../src/sign-in/save-report.ts';
import { fakeClock } from '../support/clock.ts';
import { holdLock } from '../support/held-lock.ts';
import { writers } from './processes.ts';
import { DEAD, list, newStore, signIn, tokensIn } from './stage.ts';

const start = writers();

const FOUR = Array.from({ length: 4 }, (_, index) => index);

/** Signs in once for each record, each in a process of its own, all at once. */
async function saveTogether(folder: string, records: readonly CredentialRecord[]): Promise<SaveResult[]> {
  const all = records.map((record) => start(['save-record', folder, JSON.stringify(record)]));
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => 0));
  return all.map(({ lines: [line = ''] }) => JSON.parse(line));
}

test.each([
  ['at four addresses', (index: number) => ({ baseUrl: `https://${index}.example.com` })],
  ['at one address, as four profiles', () => ({ baseUrl: 'https://example.com' })],
])('one token, four logins at once %s: all are kept', async (_where, more) => {
  const { store, place } = newStore();
  const records = FOUR.map((index) => signIn(`p${index}`, 1, more(index)));
  const saved = await saveTogether(place.folder, records);
  expect(saved.map(({ kind }) => kind)).toEqual(records.map(() => 'stored'));
  const kept = store.read().credentials.map(({ profile, baseUrl }) => `${profile} ${baseUrl}`);
  expect(kept.sort()).toEqual(records.map(({ profile, baseUrl }) => `${profile} ${baseUrl}`).sort());
  expect(list(place.folder)).toEqual(['credentials.json']);
});

test('four tokens for one profile at once: one is kept, and each of the others is named as valid still', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 'former'));
  const records = FOUR.map((index) => signIn('work', index));
  const saved = await saveTogether(place.folder, records);
  const [kept, ...others] = store.read().credentials;
  expect(others).toEqual([]);
  const said = saved.map((result, index) => {
    const problem = saveProblem(result, records[index] as CredentialRecord);
    return [...saveNotices(result), ...(problem?.details.lines ?? [])].join('\n');
  });
  const isNamed = (id: string | undefined) => said.some((text) => text.includes(`Token ${id} `));
  const unnamed = ['tok_former', ...records.map(({ tokenId }) => tokenId)].filter((id) => !isNamed(id));
  expect(unnamed).toEqual([kept?.tokenId]);
  // Who says that it is stored was right then; the one that has replaced it since has named it.
  expect(saved.filter(({ kind }) => kind !== 'stored' && kind !== 'displaced')).toEqual([]);
});

test('a token that is stored for another address is used at once where a lock keeps it in its journal, and stays', async () => {
  const clock = fakeClock(new Date().toISOString());
  const { store, place } = newStore({ clock });
  await store.save(signIn('a', 1));
  const letGo = holdLock(place.folder, 'credentials.json');
  expect(await store.save(signIn('b', 1))).toMatchObject({ kind: 'journaled' });
  expect(store.read()).toMatchObject({ current: 'b', unmerged: 1 });
  letGo();
  rmSync(join(place.folder, 'credentials.json.lock'), { recursive: true });
  await store.use('a');
  expect(tokensIn(store.read())).toEqual([
    ['a', 'svc_CANARY_1'],
    ['b', 'svc_CANARY_1'],
  ]);
  expect(list(place.folder)).toEqual(['credentials.json']);
});

test('a sign-in whose journal another svc has merged names the one that it displaced', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 'former'));
  const reserved = store.reserve();
  const merging = {
    ...reserved,
    fill(record: CredentialRecord) {
      reserved.fill(record);
      const file = { version: 1, current: 'work', credentials: [record] };
      writeFileSync(join(place.folder, 'credentials.json'), JSON.stringify(file));
      rmSync(reserved.path);
    },
  };
  const saved = await store.save(signIn('work', 1), merging);
  expect(saved).toMatchObject({ kind: 'stored', replaced: [{ tokenId: 'tok_former' }] });
});

test('a sign-in that another svc merges while this one waits in vain for the lock is said to be stored', async () => {
  const clock = fakeClock(new Date().toISOString());
  const { store, place } = newStore({ clock });
  const reserved = store.reserve();
  onTestFinished(holdLock(place.folder, 'credentials.json'));
  const record = signIn('work', 1);
  clock.onSleep(() => {
    writeFileSync(store.path, JSON.stringify({ version: 1, current: 'work', credentials: [record] }), { mode: 0o600 });
    rmSync(reserved.path, { force: true });
  });
  expect(await store.save(record, reserved)).toMatchObject({ kind: 'stored', path: store.path });
});

test('of two logins to one profile the later one stays, whichever merges first; the other names its own token', async () => {
  const { store, place } = newStore();
  const later = reserveFile(place.folder, place.folder, DEAD);
  later.fill(signIn('work', 'later', { createdAt: '2999-01-01T00:00:00.000Z' }));
  later.release();
  const record = signIn('work', 'earlier');
  const saved = await store.save(record, store.reserve());
  expect(saved).toMatchObject({ kind: 'displaced' });
  expect(saveProblem(saved, record)?.details.lines?.join()).toContain('Token tok_earlier ');
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_later']]);
});

test('every sign-in that is displaced along with a login is named, once', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 1));
  for (const [number, second] of [
    [2, 2],
    [3, 3],
  ]) {
    const room = reserveFile(place.folder, place.folder, DEAD);
    room.fill(signIn('work', number, { createdAt: `2026-03-01T12:00:0${second}.000Z` }));
    room.release();
  }
  const saved = await store.save(signIn('work', 4), store.reserve());
  const named = saveNotices(saved).map((text) => text.split(' ', 2)[1]);
  expect(named.sort()).toEqual(['tok_1', 'tok_2', 'tok_3']);
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_4']]);
});
