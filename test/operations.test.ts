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

test('there are twelve, numbered as the service numbers them', () => {
  expect(operations.map(([, { number }]) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

describe.each(operations)('%s', (name, { command, path }) => {
  const file = `src/commands/${command.replace(' ', '/')}.ts`;

  test('is sent by one function of the client', () => {
    const senders = [...textsOf('src/service'), ...textsOf('src/login')].filter((text) =>
      text.includes(`OPERATIONS.${name}`),
    );
    expect(senders).toHaveLength(1);
  });

  test('is answered by the sandbox', () => {
    const routes = textsOf('src/sandbox/routes').filter((text) => text.includes(`OPERATIONS.${name}`));
    expect(routes).not.toHaveLength(0);
  });

  test('has a command in the file of its path', () => {
    expect(existsSync(join(ROOT, file)), file).toBe(true);
  });

  test('has tests of its command', () => {
    const words = `'${command.split(' ').join("', '")}'`;
    expect(textsOf('test/commands').some((text) => text.includes(words))).toBe(true);
  });

  test('has a row in the README and in the reference', () => {
    expect(read('README.md')).toContain(`svc ${command}`);
    expect(read('docs/commands.md')).toContain(`## svc ${command}`);
  });

  test('is in the part of the path that the service versions', () => {
    expect(path).toMatch(/^\/v1\//);
  });
});
