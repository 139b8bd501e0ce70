import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { once } from '../../src/once.ts';
import { needs } from '../support/needs.ts';
import { builtProgram, madeOnce } from '../support/program.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/release.mjs');
const PROGRAMS = [needs('dpkg-deb', 'dpkg'), needs('xz', 'xz-utils'), needs('zip')] as const;

/** Of the programs that make a release, the first that is missing, or one that is there. */
export const archiver = PROGRAMS.find(({ missing }) => missing) ?? PROGRAMS[0];

/**
 * Names of executables, in a folder of their own, which are scripts of a line: a real one has a
 * hundred megabytes.
 */
const standIns = once(() =>
  madeOnce('stand-ins', async (folder) => {
    const { command } = await builtProgram();
    for (const target of [
      'linux-x64',
      'linux-arm64',
      'darwin-x64',
      'darwin-arm64',
      'windows-x64.exe',
    ]) {
      const text = `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`;
      await writeFile(join(folder, `svc-${target}`), text, { mode: 0o755 });
    }
  }),
);

/** Runs `npm run release -- <words>`, or the script of another clone. */
export async function runRelease(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  script = SCRIPT,
) {
  const options = { env, all: true, reject: false, stripFinalNewline: false } as const;
  const { exitCode, all } = await execa(process.execPath, [script, ...words], options);
  return { code: exitCode, output: all };
}

/** A release of the stand-ins, which no test may change. */
export const aRelease = once(() => madeOnce('release', (folder) => makeRelease(folder)));

/** Makes a release of the stand-ins in a folder that is not there yet. */
export async function makeRelease(
  output: string,
  words: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const all = ['--executables', await standIns(), '--output', output, '--fast', ...words];
  const { code, output: said } = await runRelease(all, { SOURCE_DATE_EPOCH: '1772600768', ...env });
  if (code !== 0) throw new Error(said);
}
