import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where programs are looked for. */
export interface ProgramPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/**
 * The absolute path of the first of these programs on `PATH`. Entries that are empty or relative are left out, so that
 * nothing in the current folder is ever run in place of a program.
 */
export function findProgram(names: readonly string[], { env, platform }: ProgramPlaces): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const endings = platform === 'win32' ? ['.exe', '.com'] : [''];
  return names
    .flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
