import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

interface Export {
  readonly file: string;
  readonly name: string;
  readonly hasSentence: boolean;
}

const exported = ['src', 'sandbox']
  .filter((folder) => existsSync(join(ROOT, folder)))
  .flatMap(filesIn)
  .flatMap(exportsOf);

test('every export has a sentence of TSDoc, except for the literal of a command, which describes itself', () => {
  expect(exported.length).toBeGreaterThan(500);
  const bare = exported.filter(({ hasSentence }) => !hasSentence);
  expect(
    bare.map(({ file, name }) => `${file}: ${name}`),
    'say above these what their names cannot: units, errors, the operation or RFC',
  ).toEqual([]);
});

test('no two files export the same name', () => {
  const twice = exported.filter(({ name, file }) => exported.some((one) => one.name === name && one.file !== file));
  expect(
    twice.map(({ file, name }) => `${name}: ${file}`).sort(),
    'give each a name that says what sets it apart',
  ).toEqual([]);
});

test.each([
  ['a sentence', '/** The address. */\nexport const ADDRESS = 1;', []],
  ['a paragraph', '/**\n * The address.\n */\nexport async function find() {}', []],
  ['none', 'export interface Address {}', ['Address']],
  ['a comment that is no TSDoc', '// The address.\nexport type Address = string;', ['Address']],
  ['a comment above something else', '/** The other. */\nconst other = 1;\nexport class Address {}', ['Address']],
  ['overloads, of which the first has one', '/** Finds. */\nexport function a(): 1;\nexport function a(): 2;', []],
  ['the literal of a command', 'export default defineCommand({});', []],
])('%s', (_title, text, names) => {
  expect(exportsIn(text).flatMap(({ name, hasSentence }) => (hasSentence ? [] : [name]))).toEqual(names);
});

function filesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => join(folder, name));
}

function exportsOf(file: string): Export[] {
  return exportsIn(readFileSync(join(ROOT, file), 'utf8')).map((one) => ({ file, ...one }));
}

/** The named exports that a text declares, each once. */
function exportsIn(text: string): Array<Omit<Export, 'file'>> {
  const lines = text.split('\n');
  const all = lines.flatMap((line, index) => {
    const [, name] = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, hasSentence: lines[index - 1]?.endsWith('*/') === true }];
  });
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}
