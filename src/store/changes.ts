import { join } from 'node:path';
import { type DayHistory, openHistory } from './history.ts';
import type { Machine } from './machine.ts';

/** How long a change is remembered. */
export const CHANGES_DAYS = 90;

/** Opens what svc has changed from this machine, in a configuration folder. */
export function openChanges(folder: string, machine: Machine): DayHistory {
  return openHistory(join(folder, 'changes'), CHANGES_DAYS, machine);
}
