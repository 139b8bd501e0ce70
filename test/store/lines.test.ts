import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addLines, openLines, readLines } from '../../src/store/lines.ts';
import { temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { diskCallsOf } from './disk-calls.ts';

const newPath = async () => join(await temporaryFolder(), 'past.ndjson');

test('a file of lines is private, and has a line for each entry, also after one that was cut', async () => {
  const path = await newPath();
  expect(readLines(path)).toEqual([]);
  addLines(path, { n: 1 }, { n: 2 });
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([
    '{"n":1}\n{"n":2}\n',
    0o600,
  ]);
  writeFileSync(path, '{"n":1}\n{"n":2');
  addLines(path, { n: 3 });
  expect(readLines(path)).toEqual(['{"n":1}', '{"n":2', '{"n":3}']);
});

test('a file that is full becomes the old one, in place of that', async () => {
  const path = await newPath();
  for (const n of [1, 2, 3]) {
    addLines(path, { n });
    appendFileSync(path, `${' '.repeat(16 * 1024 * 1024)}\n`);
  }
  addLines(path, { n: 4 });
  expect(readLines(path).filter((line) => line.trim() !== '')).toEqual(['{"n":3}', '{"n":4}']);
});

test('lines are written through no link, and no pipe is waited for', async () => {
  const folder = await temporaryFolder();
  const [victim, link, pipe] = ['victim', 'link', 'pipe'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(victim, 'mine');
  symlinkSync(victim, link);
  execFileSync('mkfifo', [pipe]);
  for (const path of [link, pipe]) expect(() => addLines(path, { n: 1 })).toThrow();
  expect([readFileSync(victim, 'utf8'), readLines(pipe)]).toEqual(['mine', []]);
});

test.runIf(CAN_MOUNT)(
  'a full disk that took only a part is an error, and spoils no other line (needs the right to mount one)',
  () => {
    const disk = mountTmpfs('size=16k');
    try {
      const path = join(disk.folder, 'past.ndjson');
      const file = openLines(path);
      file.add({ n: 1 });
      expect(() => file.add({ n: 2, pad: 'x'.repeat(64 * 1024) })).toThrow(
        expect.objectContaining({ code: 'ENOSPC' }),
      );
      truncateSync(path, 20);
      file.add({ n: 3 });
      file.close();
      expect(readLines(path)).toEqual(['{"n":1}', '{"n":2,"pad"', '{"n":3}']);
    } finally {
      disk.remove();
    }
  },
);

test('a flush that fails does not fail those after it', async () => {
  const path = await newPath();
  const lines = openLines(path);
  lines.close();
  await expect(lines.flush()).rejects.toMatchObject({ code: 'EBADF' });

  // The system gives the number of the closed file to the one that is opened next.
  const successor = openLines(path);

  await expect(lines.flush()).resolves.toBeUndefined();
  successor.close();
});

test('each line is on the disk before the next one is added', async () => {
  const calls = diskCallsOf('lines', await temporaryFolder(), '');

  const written = ['write', 'fdatasync'];
  expect(calls.filter((name) => written.includes(name))).toEqual([...written, ...written]);
});
