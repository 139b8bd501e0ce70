import { truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlainFile, readPrivateFile } from '../../src/store/files.ts';
import { machineOf } from '../../src/store/machine.ts';
import { temporaryFolder } from '../support/svc.ts';

const MIB = 1024 * 1024;
const here = machineOf(process, hostname());

/** A file of this many bytes that takes no room on the disk. */
async function fileOf(size: number): Promise<string> {
  const path = join(await temporaryFolder(), 'file');
  writeFileSync(path, '', { mode: 0o600 });
  truncateSync(path, size);
  return path;
}

test('a file of 8 MiB is read, and a larger one is none of svc', async () => {
  const [largest, larger] = [await fileOf(8 * MIB), await fileOf(8 * MIB + 1)];
  expect(readPlainFile(largest)?.length).toBe(8 * MIB);
  expect(readPrivateFile(largest, here)?.text.length).toBe(8 * MIB);
  const tooLarge = 'it is too large to be one of svc';
  expect(() => readPlainFile(larger)).toThrow(tooLarge);
  expect(() => readPrivateFile(larger, here)).toThrow(`Cannot read ${larger}: ${tooLarge}.`);
});
