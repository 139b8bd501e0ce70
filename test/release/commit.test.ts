import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitOfBuild } from '../../scripts/bundle.mjs';
import { temporaryFolder } from '../support/svc.ts';

test('a build names its commit, and says so if a file of it has changed', async () => {
  const folder = await temporaryFolder();
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  writeFileSync(join(folder, 'file'), 'one');
  git('add', 'file');
  git('commit', '--quiet', '-m', 'one');
  // A tag, as a release has one, changes nothing.
  git('tag', 'v1.0.0');
  const commit = git('rev-parse', 'HEAD').slice(0, 12);
  expect(commitOfBuild(folder)).toBe(commit);
  writeFileSync(join(folder, 'file'), 'two');
  expect(commitOfBuild(folder)).toBe(`${commit}-dirty`);
});

test('without git it is what a distributor sets, or nothing', async () => {
  const folder = await temporaryFolder();
  expect(commitOfBuild(folder)).toBe('');
  process.env['SVC_COMMIT'] = '0123456789ab';
  onTestFinished(() => void delete process.env['SVC_COMMIT']);
  expect(commitOfBuild(folder)).toBe('0123456789ab');
});
