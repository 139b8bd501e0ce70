import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

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
