import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toUtf8 } from '../../src/store/files.ts';
import { isFileName, readUpTo, writeNamedFile } from '../../src/store/named-file.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';

const { signal } = new AbortController();

async function newPipe(): Promise<string> {
  const path = join(await temporaryFolder(), 'pipe.json');
  execFileSync('mkfifo', [path]);
  return path;
}

test('a file is read up to its limit, and not beyond', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, 'twelve bytes');
  expect((await readUpTo(path, 12, signal))?.toString()).toBe('twelve bytes');
  expect(await readUpTo(path, 11, signal)).toBeUndefined();
  expect(await readUpTo('/dev/zero', 1_000_000, signal)).toBeUndefined();
});

test('a pipe that nobody reads is an error, not a wait; text longer than its buffer passes whole', async () => {
  const path = await newPipe();
  await expect(writeNamedFile(path, 'x', false, signal)).rejects.toMatchObject({ code: 'ENXIO' });
  const text = 'x'.repeat(1_000_000);
  const reader = readFile(path, 'utf8');
  // The reader opens it in a thread of its own.
  const isWritten = () => writeNamedFile(path, text, false, signal).then(() => true);
  await until(() => isWritten().catch(() => false));
  expect(await reader).toBe(text);
});

test('a command that waits for a pipe ends on a signal', async () => {
  const argv = ['buy', '--yes', '--items', await newPipe()];
  // Whenever the signal comes, before the waiting or in it, the end is the same.
  const onStart = (send: (name: 'SIGTERM') => void) => void setTimeout(() => send('SIGTERM'), 100);
  const run = await svc(argv, { url: 'http://127.0.0.1:9', stdin: null, onStart });
  expect(run).toMatchObject({
    exitCode: 143,
    stdout: '',
    stderr: expect.stringContaining('Interrupted.'),
  });
});

test('UTF-16 with a byte order mark is text', () => {
  expect(toUtf8(Buffer.from('\uFEFFZo\u00eb', 'utf16le')).toString()).toBe('Zo\u00eb');
});

test.each([
  ['NUL', false],
  ['com1.txt', false],
  ['a:b', false],
  ['ends in a dot.', false],
  ['ends in a blank ', false],
  ['plan.v2.json', true],
  ['console.txt', true],
])('on Windows a file may be called %j: %s', (name, isPossible) => {
  expect(isFileName(name, 'win32')).toBe(isPossible);
  expect(isFileName(name, 'linux')).toBe(true);
});
