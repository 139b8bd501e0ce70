import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The named exports of each file, each once, except for the literal of a command, which describes itself. */
const EXPORTED = ['src', 'sandbox'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .flatMap((name) => exportsIn(join(folder, name))),
);

function exportsIn(file: string) {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const all = lines.flatMap((line, index) => {
    const [, name] = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/.exec(line) ?? [];
    return name === undefined ? [] : [{ file, name, hasSentence: lines[index - 1]?.endsWith('*/') === true }];
  });
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

test('every export has a sentence of TSDoc: units, errors, the operation or RFC, which its name cannot say', () => {
  expect(EXPORTED.length).toBeGreaterThan(500);
  expect(EXPORTED.filter(({ hasSentence }) => !hasSentence)).toEqual([]);
});

test('no two files export the same name', () => {
  const names = EXPORTED.map(({ name }) => name);
  expect(EXPORTED.filter(({ name }, index) => names.indexOf(name) !== index)).toEqual([]);
});
