import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PYTHON = ['python3', '-c', 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'] as const;
const canReadYaml = parse('a: 1') !== undefined;
const withYaml = (title: string) => (canReadYaml ? title : `${title} (skipped: install python3-yaml)`);

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The value of a YAML text; undefined if it is none, or nothing here reads YAML. */
function parse(text: string) {
  const { status, stdout } = spawnSync(PYTHON[0], PYTHON.slice(1), { input: text, encoding: 'utf8' });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

const forms = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

test.skipIf(!canReadYaml).each(forms)(withYaml('the form %s has a name, and a label for each field'), (name) => {
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const fields: readonly Field[] = form.body;
  const asked = fields.filter(({ type }) => type !== 'markdown');
  expect(asked.every(({ type }) => ['textarea', 'input', 'dropdown', 'checkboxes'].includes(type))).toBe(true);
  expect(asked.filter(({ attributes }) => typeof attributes['label'] !== 'string')).toEqual([]);
  expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
});

test.skipIf(!canReadYaml)(withYaml('updates leave out what needs a newer Node than svc'), () => {
  const { version, updates } = parse(read('.github/dependabot.yml'));
  expect(version).toBe(2);
  const { devDependencies } = JSON.parse(read('package.json'));
  const ignored: string[] = updates[0].ignore.map((one: Record<string, string>) => one['dependency-name']);
  expect(ignored.filter((name) => !(name in devDependencies))).toEqual([]);
});

test('an editor formats as Biome does', () => {
  const { formatter } = JSON.parse(read('biome.jsonc').replaceAll(/^\s*\/\/.*$/gm, ''));
  const [, all = ''] = read('.editorconfig').split(/^\[.*\]$/m);
  expect(all).toContain(`indent_style = ${formatter.indentStyle}\nindent_size = ${formatter.indentWidth}\n`);
  expect(all).toContain(`max_line_length = ${formatter.lineWidth}\n`);
});

test('what the guide names is there', () => {
  const files = ['bin', 'src', 'sandbox', 'test', 'scripts', '.ci', '.github']
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
    );
  const guide = read('CONTRIBUTING.md');
  const names = [...guide.matchAll(/`((?:bin|src|test|scripts|\.\w+)\/[^`<*\s]+|[\w-]+\.(?:ts|mjs))`/g)].map(
    ([, name = '']) => name,
  );
  expect(names.length).toBeGreaterThan(50);
  const gone = names.filter((name) => !files.some((file) => file.endsWith(`/${name.replace(/\/$/, '')}`)));
  expect(gone, 'CONTRIBUTING.md names these').toEqual([]);
  const { scripts } = JSON.parse(read('package.json'));
  const missing = [...guide.matchAll(/npm run ([\w:]+)/g)].filter(([, script = '']) => !(script in scripts));
  expect(missing.map(([line]) => line)).toEqual([]);
});

test("the other end is called the platform or the API, and a service is always a user's own", () => {
  const words = [
    /[Tt]he service (?:itself )?(?:accept|answer|ask|confirm|did|does|has|is busy|may have|refuse|require|sa(?:id|y)|sen[dt]|wrote)/,
    /[Tt]he service's (?:answer|document|own|words)/,
    /(?:address|answers?|dashboard|text|words) of the service\b/,
    /[Ss]ervice address|hosting service|real service|service that honours/,
  ];
  const folders = ['src', 'sandbox', 'docs', 'test', 'scripts', 'skills', 'completions', '.github'];
  const files = [
    ...readdirSync(ROOT).filter((file) => /\.(?:md|json|yml)$/.test(file)),
    ...folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    ),
  ].filter((file) => /\.(?:\d|ts|mjs|md|txt|json|yml|sh)$/.test(file) && file !== 'test/house.test.ts');
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, at) => (words.some((one) => one.test(line)) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found, 'see "Voice" in docs/design.md').toEqual([]);
});
