import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../src/spec/operations.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const textsOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join(folder, file)));

const operations = Object.entries(OPERATIONS);

test('they are in the order of their numbers, without a gap', () => {
  expect(operations.map(([, { number }]) => number)).toEqual(operations.map((_, index) => index + 1));
});

describe.each(operations)('%s', (name, { command, path }) => {
  const file = `src/commands/${command.replace(' ', '/')}.ts`;

  test('is sent by one function of the client', () => {
    const senders = [...textsOf('src/service'), ...textsOf('src/sign-in')].filter((text) =>
      // Comparing is not sending.
      new RegExp(`(?<![=!]== )OPERATIONS\\.${name}\\b`).test(text),
    );
    expect(senders, `src/service/operations.ts needs one function that sends OPERATIONS.${name}`).toHaveLength(1);
  });

  test('is answered by the sandbox', () => {
    const routes = textsOf('sandbox/routes').filter((text) => text.includes(`OPERATIONS.${name}`));
    expect(routes, `a file in sandbox/routes needs OPERATIONS.${name}`).not.toHaveLength(0);
  });

  test('has a command in the file of its path', () => {
    expect(existsSync(join(ROOT, file)), file).toBe(true);
  });

  test('has tests of its command', () => {
    const words = `'${command.split(' ').join("', '")}'`;
    const isTested = textsOf('test/commands').some((text) => text.includes(words));
    expect(isTested, `a test in test/commands needs svc([${words}])`).toBe(true);
  });

  test('has a section in the reference', () => {
    expect(read('docs/commands.md')).toContain(`## svc ${command}`);
  });

  test('is in the part of the path that the platform versions', () => {
    expect(path).toMatch(/^\/v1\//);
  });
});
