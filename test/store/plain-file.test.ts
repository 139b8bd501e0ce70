import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUpTo } from '../../src/store/plain-file.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

test('a file is read up to its limit, and not beyond', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, 'twelve bytes');
  expect((await readUpTo(path, 12))?.toString()).toBe('twelve bytes');
  expect(await readUpTo(path, 11)).toBeUndefined();
  await expect(readUpTo(`${path}x`, 11)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a pipe is read to its end', async () => {
  const path = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const [bytes] = await Promise.all([readUpTo(path, 100), writeFile(path, 'through the pipe')]);
  expect(bytes?.toString()).toBe('through the pipe');
});

test.each([
  ['buy', '--items', '/dev/zero', '--yes'],
  ['api', '/v1/checkout', '--input', '/dev/zero'],
  ['domains', 'add', 'example.com', '--service', 's1', '--import', '--records', '/dev/zero', '--yes'],
])('svc %s ends where a file does not', async (...argv) => {
  const run = await svc(argv, { url: 'http://127.0.0.1:9' });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('/dev/zero');
});
