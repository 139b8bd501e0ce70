import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../src/contract/operations.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  );

const GUIDES = ['CONTRIBUTING.md', 'sandbox/README.md', 'test/README.md', 'docs/design.md'];

test('what the guides name is there', () => {
  const folders = ['bin', 'src', 'sandbox', 'test', 'scripts', '.ci', '.github'];
  const files = folders.filter((folder) => existsSync(join(ROOT, folder))).flatMap(filesIn);
  const guide = GUIDES.map(read).join('\n');
  const named = guide.matchAll(/`((?:bin|src|test|scripts|\.\w+)\/[^`<*\s]+|[\w-]+\.(?:ts|mjs))`/g);
  const names = [...named].map(([, name = '']) => name.replace(/\/$/, ''));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual(
    [],
  );
});

test('each operation is sent once, answered by the sandbox and described', () => {
  const client = ['src/api', 'src/sign-in'].flatMap(filesIn).filter((file) => file.endsWith('.ts'));
  const routes = filesIn('sandbox/routes').map(read).join();
  for (const [name, { command }] of Object.entries(OPERATIONS)) {
    // Comparing and unwrapping is not sending.
    const sending = new RegExp(`(?<![=!]== |unwrap\\(answer, )OPERATIONS\\.${name}\\b`);
    expect(
      client.filter((file) => sending.test(read(file))),
      name,
    ).toHaveLength(1);
    expect(routes).toContain(`OPERATIONS.${name}`);
    expect(read('docs/commands.md')).toContain(`## svc ${command}`);
  }
});
