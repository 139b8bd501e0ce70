// Tools to compare with, where the machine has them.

import { spawnSync } from 'node:child_process';

/**
 * The run of a program; none if it is not installed, or its version cannot do this.
 * @param {string} program
 * @param {{ name: string, words: readonly string[], env: Readonly<Record<string, string>> }} run
 * @returns {import('./measure.mjs').Run[]}
 */
export function installed(program, { name, words, env }) {
  const { status } = spawnSync(program, words, { env, stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? [{ name, command: [program, ...words], env, exitCode: 0 }] : [];
}
