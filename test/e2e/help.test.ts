import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const [RUNNER, BIN] = PROGRAM;

/** What the built svc prints into a pipe. */
async function inPipe(...words: readonly string[]): Promise<string> {
  const { stdout } = await execa(RUNNER, [BIN, ...words], { env: {}, extendEnv: false, stripFinalNewline: false });
  return stdout;
}

test('the help that the build has prepared for pipes is that of the program', async () => {
  const whole = await inPipe('--help', '--quiet');
  expect(whole).toMatch(/^Usage: svc <command> \[options\]\n/);
  expect(readFileSync(join(ROOT, 'dist/help.txt'), 'utf8')).toBe(whole);
  expect(await Promise.all([inPipe('--help'), inPipe('-h')])).toEqual([whole, whole]);
});

test('svc --version is the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(await Promise.all([inPipe('--version'), inPipe('-V', '--quiet')])).toEqual([`${version}\n`, `${version}\n`]);
  const build = JSON.parse(await inPipe('--version', '--json'));
  expect(build).toMatchObject({ version });
  // null where the tests run without git.
  expect(String(build.commit)).toMatch(/^(?:[0-9a-f]{12,}(?:-dirty)?|null)$/);
});

test('pages of the package are there, in an executable as well', async () => {
  expect(await inPipe('help', 'changelog')).toContain('0.1.0');
  expect(await inPipe('help', 'rejected')).toContain('send the request again');
});
