import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from './folder.ts';
import type { Machine } from './machine.ts';
import { writeDurably } from './write.ts';

/** Where a secret may be kept that has no place of its own. */
export interface KeepingPlaces {
  /** The folders to try, best first; one that is undefined or throws is passed over. */
  readonly folders: ReadonlyArray<() => string | undefined>;
  /** The parent of a new folder, the last resort. */
  readonly tempDir: string;
  readonly machine: Machine;
}

/** Writes a private file in the first place that takes it, and returns its path; undefined if none does. */
export function keepPrivately(name: string, text: string, places: KeepingPlaces): string | undefined {
  const { folders, machine } = places;
  for (const open of folders) {
    const path = attempt(() => {
      const folder = open();
      return folder === undefined ? undefined : written(folder, name, text, machine);
    });
    if (path !== undefined) return path;
  }
  return attempt(() => keepInNewFolder(name, text, places));
}

function keepInNewFolder(name: string, text: string, { tempDir, machine }: KeepingPlaces): string {
  const folder = mkdtempSync(join(tempDir, 'svc-'));
  try {
    return written(folder, name, text, machine);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function written(folder: string, name: string, text: string, machine: Machine): string {
  makePrivateFolder(folder, machine);
  const path = join(folder, name);
  writeDurably(path, text);
  return path;
}

function attempt(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
