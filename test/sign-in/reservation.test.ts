import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reserveFile } from '../../src/sign-in/save.ts';
import { diskCallsOf } from '../store/disk-calls.ts';
import { HERE, list, newStore, signIn, tokensIn } from './stage.ts';

describe('a reservation', () => {
  test('takes 16 KiB for the user alone before anything is asked for', () => {
    const { store, list } = newStore();
    const reserved = store.reserve();
    const { size, mode } = statSync(reserved.path);
    expect([size, mode & 0o777]).toEqual([16_384, 0o600]);
    expect(readFileSync(reserved.path, 'utf8').trim()).toBe('');
    expect(list()).toEqual([basename(reserved.path)]);
    reserved.release();
    expect(list()).toEqual([]);
  });

  test('becomes a journal on the disk before it is merged', () => {
    const { place } = newStore();
    const room = reserveFile(place.folder, place.folder, HERE);
    const record = signIn('work');
    room.fill(record);
    expect(JSON.parse(readFileSync(room.path, 'utf8'))).toEqual({
      version: 1,
      folder: place.folder,
      credential: record,
    });
    room.release();
    expect(list(place.folder)).toEqual([basename(room.path)]);
  });

  test('has room for the longest token', () => {
    const { place, store } = newStore();
    const room = reserveFile(place.folder, place.folder, HERE);
    room.fill(signIn('work', 'x'.repeat(4000), { email: 'é'.repeat(512) }));
    expect(statSync(room.path).size).toBeLessThan(16_384);
    room.release();
    expect(store.read().credentials).toHaveLength(1);
  });

  test('is private whatever the umask is', () => {
    const { place } = newStore();
    const before = process.umask(0o777);
    try {
      const room = reserveFile(place.folder, place.folder, HERE);
      expect(statSync(room.path).mode & 0o777).toBe(0o600);
      expect(statSync(place.folder).mode & 0o777).toBe(0o700);
      room.release();
    } finally {
      process.umask(before);
    }
  });
});

test('a sign-in is on the disk once its journal is filled', () => {
  const calls = diskCallsOf('reserve', newStore().place.folder, JSON.stringify(signIn('work')));
  expect(calls.filter((name) => /^(write|ftruncate|fsync)$/.test(name))).toEqual(['write', 'ftruncate', 'fsync']);
});

test('a room that does not hold what was written into it is not taken for a journal', async () => {
  const { store, place } = newStore();
  const room = reserveFile(place.folder, place.folder, HERE);
  // Another file has its name by now, as after a restore from a backup.
  rmSync(room.path);
  writeFileSync(room.path, 'not the token');
  expect(() => room.fill(signIn('work', 1))).toThrow('does not hold what was written');
  expect(await store.save(signIn('work', 1), room)).toMatchObject({ kind: 'stored' });
  expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_1']]);
});
