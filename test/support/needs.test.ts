import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, needs } from './needs.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-needs-'));
  mkdirSync(join(folder, 'first'));
  mkdirSync(join(folder, 'second'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a program is found in the first folder that has it as an executable file', () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  mkdirSync(join(first, 'a-folder'));
  writeFileSync(join(first, 'a-text'), '');
  for (const name of ['a-folder', 'a-text']) {
    writeFileSync(join(second, name), '');
    chmodSync(join(second, name), 0o755);
    expect(findProgram(name, [first, second].join(delimiter))).toBe(join(second, name));
  }
});

test('a missing program is detected, and the title names the package to install', () => {
  const missing = needs('svc-no-such-program', 'some-package');
  expect(missing.missing).toBe(true);
  expect(missing.title('it works')).toBe('it works (skipped: install some-package)');
});

test('a program that is there leaves the title as it is', () => {
  const node = needs('node');
  expect(node.missing).toBe(false);
  expect(node.path).toMatch(/node$/);
  expect(node.title('it works')).toBe('it works');
});
