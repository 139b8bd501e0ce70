import { createHash } from 'node:crypto';
import type { Machine } from './machine.ts';

/** The mark that a process puts into the names of its files: which machine, which process. */
export function ownerMark(machine: Machine): string {
  return `${hostMark(machine.hostname)}-${machine.pid}`;
}

/**
 * Whether the owner named by a mark has left its file behind: its process is dead, or the file is older than `staleMs`.
 * A process of another machine sharing the folder is judged by age alone, a number there means nothing here.
 */
export function isAbandoned(mark: string, ageMs: number, staleMs: number, machine: Machine): boolean {
  // A file from the future was written before the clock was set back; its age is not known, so it counts as old.
  if (Math.abs(ageMs) > staleMs) return true;
  const [host, pid] = mark.split('-');
  return host === hostMark(machine.hostname) && /^\d{1,10}$/.test(pid ?? '') && !machine.isAlive(Number(pid));
}

function hostMark(hostname: string): string {
  return createHash('sha256').update(hostname).digest('hex').slice(0, 8);
}
