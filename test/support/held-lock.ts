import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { getOwnerMark } from '../../src/store/lock.ts';
import { createMachine } from '../../src/store/machine.ts';
import { until } from './until.ts';

/**
 * Takes the lock of a file as another process does that lives and never gives it back; ended by
 * what is returned.
 */
export function holdLock(folder: string, file: string, here = hostname()): () => void {
  const lock = join(folder, `${file}.lock`);
  mkdirSync(lock, { recursive: true });
  const owner = join(
    lock,
    `${getOwnerMark({ ...createMachine(process, here), pid: process.ppid })}-abc`,
  );
  const renew = (): void => {
    writeFileSync(owner, '');
    utimesSync(owner, new Date(), new Date());
  };
  renew();
  const timer = setInterval(renew, 1_000);
  return () => clearInterval(timer);
}

/** Resolves when somebody waits for the lock: what a waiter prepares is beside it. */
export async function isWaitedFor(folder: string, file: string): Promise<void> {
  await until(() => readdirSync(folder).some((name) => name.startsWith(`${file}.lock-`)));
}
