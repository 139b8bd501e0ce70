import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that a test works with, if this machine has it. */
export interface Need {
  /** Whether the program is not there; for `test.skipIf` and `describe.skipIf`. */
  readonly missing: boolean;
  /** Where it is; empty where it is missing. */
  readonly path: string;
  /** The title of the test; where the program is missing, with what to install. */
  title(text: string): string;
}

/**
 * Looks for a program on the `PATH`, without running anything.
 * `install` names the package that brings it, where that is not the program's own name.
 */
export function needs(program: string, install = program): Need {
  const path = findProgram(program);
  return {
    missing: path === undefined,
    path: path ?? '',
    title: (text) => (path === undefined ? `${text} (skipped: install ${install})` : text),
  };
}

/** The first executable file of this name in the folders of a `PATH`; administrators' folders are looked at as well. */
export function findProgram(program: string, searchPath = process.env['PATH'] ?? ''): string | undefined {
  const folders = [...searchPath.split(delimiter), '/usr/sbin', '/sbin'].filter((folder) => folder !== '');
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
