import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/svc.ts';

const ROOT = join(import.meta.dirname, '..');

interface Override {
  readonly includes: readonly string[];
  readonly linter: { readonly rules: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

const config = JSON.parse(readFileSync(join(ROOT, 'biome.jsonc'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));

/** Each rule that is off for files by name, with these files. */
const exceptions = (config.overrides as readonly Override[])
  .flatMap(({ includes, linter }) =>
    Object.entries(linter.rules).flatMap(([group, rules]) =>
      Object.keys(rules).map((rule) => ({ group, rule, files: includes.filter((file) => !file.includes('*')) })),
    ),
  )
  .filter(({ rule }) => rule.startsWith('noExcessive') || rule === 'noNestedTernary');

test('functions are short, and their branches few', () => {
  expect(config.linter.rules).toMatchObject({
    complexity: {
      noExcessiveCognitiveComplexity: { level: 'error', options: { maxAllowedComplexity: 20 } },
      noExcessiveLinesPerFunction: { level: 'error', options: { maxLines: 40 } },
    },
    style: { noNestedTernary: 'error' },
  });
});

test.each(exceptions.filter(({ files }) => files.length > 0))(
  'no file is excepted from $rule in vain',
  async ({ group, rule, files }) => {
    const folder = await temporaryFolder();
    const {
      [group]: { [rule]: setting },
    } = config.linter.rules;
    const rules = { preset: 'none', [group]: { [rule]: setting } };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, linter: { rules } }));
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const words = ['lint', '--reporter=json', '--max-diagnostics=none', `--config-path=${folder}`, ...files];
    const { stdout } = await execa(process.execPath, [biome, ...words], { cwd: ROOT, reject: false });
    const found = JSON.parse(stdout).diagnostics.map(({ location }: { location: { path: string } }) => location.path);
    expect(
      files.filter((file) => !found.includes(file)),
      `take these off the list of ${rule} in biome.jsonc`,
    ).toEqual([]);
  },
);
