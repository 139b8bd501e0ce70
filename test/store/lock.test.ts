import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { acquireLock, getOwnerMark } from '../../src/store/lock.ts';
import { createMachine, type Machine } from '../../src/store/machine.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/svc.ts';

const HERE = createMachine(process, hostname());
const DEAD: Machine = { ...HERE, pid: 4_194_305 };
const LIVING: Machine = { ...HERE, pid: process.ppid };

async function newFile() {
  const folder = await temporaryFolder();
  const file = join(folder, 'file');
  /** Makes what is in the lock so many seconds old. */
  const age = (seconds: number): void => {
    const [claim = ''] = readdirSync(`${file}.lock`);
    const then = Date.now() / 1000 - seconds;
    utimesSync(join(`${file}.lock`, claim), then, then);
  };
  return {
    file,
    age,
    names: () => readdirSync(folder).sort(),
    /** A lock that its owner took so many seconds ago and never gave back. */
    left(machine: Machine, ageSeconds = 0): void {
      mkdirSync(`${file}.lock`);
      writeFileSync(join(`${file}.lock`, `${getOwnerMark(machine)}-abc`), '');
      age(ageSeconds);
    },
  };
}

test('one process locks, the next waits, and no file is left', async () => {
  const { file, names } = await newFile();
  const first = await acquireLock(file, HERE, systemClock);
  const clock = fakeClock();
  clock.onSleep(() => {
    if (clock.waits.length === 3) first.release();
    else expect(first.isHeld()).toBe(clock.waits.length < 3);
  });
  (await acquireLock(file, HERE, clock)).release();
  expect([clock.waits.length, names()]).toEqual([3, []]);
});

test.each([
  ['a dead owner', DEAD, 0],
  ['an owner that seems to live, older than 10 seconds', LIVING, 10.5],
  ['an owner that seems to live, from the future: the clock was set back', LIVING, -3600],
])('the lock of %s is taken over at once', async (_what, owner, ageSeconds) => {
  const { file, names, left } = await newFile();
  left(owner, ageSeconds);
  const clock = fakeClock();
  (await acquireLock(file, HERE, clock)).release();
  expect([clock.waits, names()]).toEqual([[], []]);
});

test.each([
  ['that lives', LIVING],
  [
    'of another machine, whose process numbers mean nothing here',
    { ...DEAD, hostname: `${HERE.hostname}-other` },
  ],
])('an owner %s is waited for, 5 seconds at most', async (_who, owner) => {
  const { file, names, left } = await newFile();
  left(owner);
  const clock = fakeClock();
  const busy = { exitCode: 2, message: `Another svc keeps ${file} locked.` };
  await expect(acquireLock(file, HERE, clock)).rejects.toMatchObject(busy);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(5000);
  expect(clock.monotonic()).toBeLessThan(5100);
  expect(names()).toEqual(['file.lock']);
});

test('an owner that was stopped for too long knows that it lost the lock, and does not end that of its successor', async () => {
  const { file, age } = await newFile();
  const stopped = await acquireLock(file, HERE, systemClock);
  age(11);
  const successor = await acquireLock(file, HERE, systemClock);
  stopped.release();
  expect([stopped.isHeld(), successor.isHeld()]).toEqual([false, true]);
});

test('removing a dead owner never removes a faster process that has the lock now', async () => {
  const { file, left } = await newFile();
  left(DEAD);
  const living = `${getOwnerMark(LIVING)}-abc`;
  writeFileSync(join(`${file}.lock`, living), '');
  await expect(acquireLock(file, HERE, fakeClock())).rejects.toMatchObject({ exitCode: 2 });
  expect(readdirSync(`${file}.lock`)).toEqual([living]);
});

test('what a dead process has prepared for a lock goes with the next one', async () => {
  const { file, names } = await newFile();
  mkdirSync(`${file}.lock-${getOwnerMark(DEAD)}-abc`);
  mkdirSync(`${file}.lock-${getOwnerMark(LIVING)}-abc`);

  (await acquireLock(file, HERE, systemClock)).release();

  expect(names()).toEqual([`file.lock-${getOwnerMark(LIVING)}-abc`]);
});

test('a lock is as old as the time since it was taken: the wait before does not count', async () => {
  const { file } = await newFile();
  const first = await acquireLock(file, HERE, systemClock);
  const clock = fakeClock();
  clock.onSleep(() => {
    if (clock.waits.length === 1) clock.advance(4_000);
    else first.release();
  });

  const lock = await acquireLock(file, HERE, clock);

  const [owner = ''] = readdirSync(`${file}.lock`);
  expect(Math.abs(statSync(join(`${file}.lock`, owner)).mtimeMs - lock.fileTime())).toBeLessThan(
    10,
  );
});

test('a process that was stopped while it waited takes the lock, though others removed what it prepared', async () => {
  const { file, names } = await newFile();
  const first = await acquireLock(file, HERE, systemClock);
  const clock = fakeClock();
  clock.onSleep(() => {
    for (const name of names().filter((other) => other.startsWith('file.lock-'))) {
      rmSync(`${file}${name.slice('file'.length)}`, { recursive: true });
    }
    if (clock.waits.length === 2) first.release();
  });

  const second = await acquireLock(file, HERE, clock);

  expect(second.isHeld()).toBe(true);
});
