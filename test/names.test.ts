import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const DECLARED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;

/** The names that a file exports, each once, but for the overloads of one. */
function namesIn(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...new Set(Array.from(text.matchAll(DECLARED), ([, name = '']) => name))];
}

test('no two files export the same name', () => {
  const files = ['src', 'sandbox'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  );
  const names = files.filter((file) => /(?<!\.d)\.ts$/.test(file)).flatMap(namesIn);
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
