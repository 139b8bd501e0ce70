import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { acquireLock, ownerMark } from '../../src/store/lock.ts';
import { type Machine, machineOf } from '../../src/store/machine.ts';
import { fakeClock } from '../support/clock.ts';

const HERE = machineOf(process, hostname());
const DEAD: Machine = { ...HERE, pid: 4_194_305 };
const LIVING: Machine = { ...HERE, pid: process.ppid };

function newFile(): { file: string; names: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { file: join(folder, 'file'), names: () => readdirSync(folder).sort() };
}

/** Makes what is in a lock so many seconds old. */
function age(file: string, seconds: number): void {
  const [claim = ''] = readdirSync(`${file}.lock`);
  const then = Date.now() / 1000 - seconds;
  utimesSync(join(`${file}.lock`, claim), then, then);
}

/** A lock that its owner took so many seconds ago and never gave back. */
function leftLock(file: string, machine: Machine, ageSeconds = 0): void {
  mkdirSync(`${file}.lock`);
  writeFileSync(join(`${file}.lock`, `${ownerMark(machine)}-abc`), '');
  age(file, ageSeconds);
}

test('one process locks, the next waits, and no file is left', async () => {
  const { file, names } = newFile();
  const first = await acquireLock(file, HERE, systemClock);
  const clock = fakeClock();
  clock.onSleep(() => {
    if (clock.waits.length === 3) first.release();
    else expect(first.isHeld()).toBe(clock.waits.length < 3);
  });
  (await acquireLock(file, HERE, clock)).release();
  expect(clock.waits).toHaveLength(3);
  expect(names()).toEqual([]);
});

test.each([
  ['a dead owner', DEAD, 0],
  ['an owner that seems to live, older than 10 seconds', LIVING, 10.5],
  ['an owner that seems to live, from the future: the clock was set back', LIVING, -3600],
])('the lock of %s is taken over at once', async (_what, owner, ageSeconds) => {
  const { file, names } = newFile();
  leftLock(file, owner, ageSeconds);
  const clock = fakeClock();
  (await acquireLock(file, HERE, clock)).release();
  expect([clock.waits, names()]).toEqual([[], []]);
});

test.each([
  ['that lives', LIVING],
  ['of another machine, whose process numbers mean nothing here', { ...DEAD, hostname: `${HERE.hostname}-other` }],
])('an owner %s is waited for, 5 seconds at most', async (_who, owner) => {
  const { file, names } = newFile();
  leftLock(file, owner);
  const clock = fakeClock();
  const busy = { exitCode: 2, message: `Another svc keeps ${file} locked.` };
  await expect(acquireLock(file, HERE, clock)).rejects.toMatchObject(busy);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(5000);
  expect(clock.monotonic()).toBeLessThan(5100);
  expect(names()).toEqual(['file.lock']);
});

test('an owner that was stopped for too long knows that it lost the lock, and does not end that of its successor', async () => {
  const { file } = newFile();
  const stopped = await acquireLock(file, HERE, systemClock);
  age(file, 11);
  const successor = await acquireLock(file, HERE, systemClock);
  stopped.release();
  expect([stopped.isHeld(), successor.isHeld()]).toEqual([false, true]);
});

test('many processes that find the same dead owner get the lock one at a time', async () => {
  const { file, names } = newFile();
  leftLock(file, DEAD);
  let holders = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const lock = await acquireLock(file, HERE, systemClock);
      holders += 1;
      most = Math.max(most, holders);
      await Promise.resolve();
      if (!lock.isHeld()) most = Number.POSITIVE_INFINITY;
      holders -= 1;
      lock.release();
    }),
  );
  expect(most).toBe(1);
  expect(names()).toEqual([]);
});

test('removing a dead owner never removes a faster process that has the lock now', async () => {
  const { file, names } = newFile();
  leftLock(file, DEAD);
  const living = `${ownerMark(LIVING)}-abc`;
  writeFileSync(join(`${file}.lock`, living), '');
  await expect(acquireLock(file, HERE, fakeClock())).rejects.toMatchObject({ exitCode: 2 });
  expect(names()).toEqual(['file.lock']);
  expect(readdirSync(`${file}.lock`)).toEqual([living]);
});

test('a lock that is renewed is not taken over, however long it is held', async () => {
  const { file } = newFile();
  const lock = await acquireLock(file, HERE, fakeClock());
  age(file, 11);
  lock.renew();
  await expect(acquireLock(file, HERE, fakeClock(), 500)).rejects.toMatchObject({ exitCode: 2 });
  expect(lock.isHeld()).toBe(true);
});

test('the time of waiting does not count towards the age of a lock', async () => {
  const { file } = newFile();
  const clock = fakeClock();
  leftLock(file, LIVING);
  clock.onSleep(() => {
    if (clock.monotonic() > 4_000) rmSync(`${file}.lock`, { recursive: true, force: true });
  });
  const startedAt = Date.now();
  await acquireLock(file, HERE, clock);
  const [owner = ''] = readdirSync(`${file}.lock`);
  expect(statSync(join(`${file}.lock`, owner)).mtimeMs - startedAt).toBeGreaterThan(3_900);
});

test('what a killed waiter prepared goes with the next owner, that of a living one stays', async () => {
  const { file, names } = newFile();
  for (const machine of [DEAD, LIVING]) mkdirSync(`${file}.lock-${ownerMark(machine)}-abc`);
  (await acquireLock(file, HERE, systemClock)).release();
  expect(names()).toEqual([`file.lock-${ownerMark(LIVING)}-abc`]);
});

test('a waiter whose preparation was swept away prepares anew', async () => {
  const { file, names } = newFile();
  leftLock(file, LIVING);
  const clock = fakeClock();
  clock.onSleep(() => {
    if (clock.waits.length === 3)
      for (const name of names()) if (name.includes('.lock-')) rmSync(`${file}${name.slice(4)}`, { recursive: true });
    if (clock.waits.length === 6) rmSync(`${file}.lock`, { recursive: true });
  });
  (await acquireLock(file, HERE, clock)).release();
  expect(names()).toEqual([]);
});

test('an empty lock folder is no lock, a file in its place is an error', async () => {
  const { file } = newFile();
  mkdirSync(`${file}.lock`);
  (await acquireLock(file, HERE, systemClock)).release();
  writeFileSync(`${file}.lock`, '');
  await expect(acquireLock(file, HERE, systemClock)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('file times come from the file system, not from the machine’s clock', async () => {
  const { file } = newFile();
  const clock = fakeClock('2001-01-01T00:00:00Z');
  const lock = await acquireLock(file, HERE, clock);
  clock.advance(1000);
  expect(Math.abs(lock.fileTime() - Date.now() - 1000)).toBeLessThan(60_000);
});
