import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlainFile, readPrivateFile } from '../../src/store/files.ts';
import { machineOf } from '../../src/store/machine.ts';
import { temporaryFolder } from '../support/svc.ts';

test('a file of 8 MiB is read, and a larger one is none of svc', async () => {
  const here = machineOf(process, 'here');
  const largest = 8 * 1024 * 1024;
  const path = join(await temporaryFolder(), 'file');
  writeFileSync(path, '', { mode: 0o600 });
  truncateSync(path, largest);
  expect(readPlainFile(path)?.length).toBe(largest);
  expect(readPrivateFile(path, here)?.text.length).toBe(largest);
  truncateSync(path, largest + 1);
  const tooLarge = 'it is too large to be one of svc';
  expect(() => readPlainFile(path)).toThrow(tooLarge);
  expect(() => readPrivateFile(path, here)).toThrow(`Cannot read ${path}: ${tooLarge}.`);
});
