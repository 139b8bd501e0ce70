import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Looks on the `PATH` for a program that a test works with. `title` adds to the title of a test
 * what to install.
 * @param install the package that brings it
 */
export function needs(program: string, install = program) {
  const path = findProgram(program);
  const missing = path === undefined;
  const title = (text: string) => (missing ? `${text} (skipped: install ${install})` : text);
  return { missing, path: path ?? '', title };
}

/** Looks into the folders of administrators as well. */
export function findProgram(
  program: string,
  searchPath = process.env['PATH'] ?? '',
): string | undefined {
  const folders = [...searchPath.split(delimiter), '/usr/sbin', '/sbin'].filter(
    (folder) => folder !== '',
  );
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
