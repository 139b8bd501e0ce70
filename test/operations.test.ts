import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../src/spec/operations.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const textsOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join(folder, file)));

const [client, routes, tests] = [
  [...textsOf('src/service'), ...textsOf('src/sign-in')],
  textsOf('sandbox/routes'),
  textsOf('test/commands'),
];
const operations = Object.entries(OPERATIONS);

test('the operations are in the order of their numbers, without a gap', () => {
  expect(operations.map(([, { number }]) => number)).toEqual(operations.map((_, index) => index + 1));
});

test.each(operations)('%s is sent once, answered by the sandbox, tested and described', (name, { command, path }) => {
  // Comparing is not sending.
  const sending = new RegExp(`(?<![=!]== )OPERATIONS\\.${name}\\b`);
  expect(
    client.filter((text) => sending.test(text)),
    'src/service/operations.ts needs one function',
  ).toHaveLength(1);
  expect(
    routes.some((text) => text.includes(`OPERATIONS.${name}`)),
    'a file in sandbox/routes needs it',
  ).toBe(true);
  const file = `src/commands/${command.replace(' ', '/')}.ts`;
  expect(existsSync(join(ROOT, file)), file).toBe(true);
  const words = [`'${command.split(' ').join("', '")}'`, `'${command}`, `\`${command}`];
  expect(
    tests.some((text) => words.some((one) => text.includes(one))),
    'a test in test/commands runs it',
  ).toBe(true);
  expect(read('docs/commands.md')).toContain(`## svc ${command}`);
  expect(path).toMatch(/^\/v1\//);
});
