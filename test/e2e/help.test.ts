import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/program.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const [RUNNER, BIN] = PROGRAM;

/** What the built svc prints into a pipe. */
async function inPipe(...words: readonly string[]): Promise<string> {
  const { stdout } = await execa(RUNNER, [BIN, ...words], {
    env: {},
    extendEnv: false,
    stripFinalNewline: false,
  });
  return stdout;
}

test('the help and the version that the build has prepared for pipes are those of the program', async () => {
  const whole = await inPipe('--help', '--quiet');
  expect(whole).toMatch(/^Usage: svc <command> \[options\]\n/);
  expect([await inPipe('-h'), read('dist/help.txt')]).toEqual([whole, whole]);
  const { version } = JSON.parse(read('package.json'));
  expect([await inPipe('--version'), await inPipe('-V', '--quiet')]).toEqual([
    `${version}\n`,
    `${version}\n`,
  ]);
  const build = JSON.parse(await inPipe('--version', '--json'));
  // null where the tests run without git.
  expect(build).toMatchObject({ version });
  expect(String(build.commit)).toMatch(/^(?:[0-9a-f]{12,}(?:-dirty)?|null)$/);
});
