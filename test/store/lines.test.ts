import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addLines, openLines, readLines } from '../../src/store/lines.ts';
import { temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';

const newPath = async () => join(await temporaryFolder(), 'past.ndjson');

describe('a file of lines', () => {
  test('is private, and has a line for each entry, the oldest first', async () => {
    const path = await newPath();
    expect(readLines(path)).toEqual([]);
    addLines(path, { n: 1 }, { n: 2 });
    addLines(path, { n: 3 });
    expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
    expect(readLines(path)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('goes on after a line that was cut, whoever cut it', async () => {
    const path = await newPath();
    writeFileSync(path, '{"n":1}\n{"n":2');
    addLines(path, { n: 3 });
    expect(readLines(path)).toEqual(['{"n":1}', '{"n":2', '{"n":3}']);
  });

  test('is on disk after a flush, and several that come together share one', async () => {
    const path = await newPath();
    const file = openLines(path);
    const flushes = Array.from({ length: 50 }, (_, n) => {
      file.add({ n });
      return file.flush();
    });
    expect(new Set(flushes).size).toBe(1);
    await Promise.all(flushes);
    file.close();
    await expect(file.flush()).rejects.toThrow();
    expect(readLines(path)).toHaveLength(50);
  });

  test('that is full becomes the old one, in place of that', async () => {
    const path = await newPath();
    for (const n of [1, 2, 3]) {
      addLines(path, { n });
      appendFileSync(path, `${' '.repeat(16 * 1024 * 1024)}\n`);
    }
    addLines(path, { n: 4 });
    expect(readLines(path).filter((line) => line.trim() !== '')).toEqual(['{"n":3}', '{"n":4}']);
    truncateSync(`${path}.old`);
    expect(readLines(path)).toEqual(['{"n":4}']);
  });

  test('is written through no link, waits for no pipe, and reads past what is no file', async () => {
    const folder = await temporaryFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    for (const name of ['link', 'pipe', 'folder']) expect(() => addLines(join(folder, name), { n: 1 })).toThrow();
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    for (const name of ['pipe', 'folder']) expect(readLines(join(folder, name))).toEqual([]);
  });

  test.runIf(CAN_MOUNT)('says that a full disk took only a part, and spoils no other line', () => {
    const disk = mountTmpfs('size=16k');
    try {
      const path = join(disk.folder, 'past.ndjson');
      const file = openLines(path);
      file.add({ n: 1 });
      expect(() => file.add({ n: 2, pad: 'x'.repeat(64 * 1024) })).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
      truncateSync(path, 20);
      file.add({ n: 3 });
      file.close();
      expect(readLines(path)).toEqual(['{"n":1}', '{"n":2,"pad"', '{"n":3}']);
    } finally {
      disk.remove();
    }
  });
});
