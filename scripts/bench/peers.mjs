// Tools to compare with, where the machine has them.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The run of a program, or nothing where it is not installed. */
export function installed(program, { name, words, env }) {
  const isThere = env.PATH.split(delimiter).some((folder) => isExecutable(join(folder, program)));
  return isThere ? [{ name, command: [program, ...words], env, exitCode: 0 }] : [];
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
