import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fillFile, LockLost, writeDurably } from '../../src/store/write.ts';
import { temporaryFolder } from '../support/svc.ts';
import { diskCallsOf } from './disk-calls.ts';

async function newFile() {
  const folder = await temporaryFolder();
  return { folder, path: join(folder, 'file') };
}

test('a file is replaced as a whole, private, with nothing left beside it', async () => {
  const { folder, path } = await newFile();
  writeFileSync(path, 'old', { mode: 0o644 });
  writeFileSync(`${path}.tmp`, 'svc_CANARY_1 half', { mode: 0o644 });
  const before = statSync(path).ino;
  const bytes = Buffer.alloc(3_000_000, 'new ');
  writeDurably(path, bytes);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect([statSync(path).ino === before, statSync(path).mode & 0o777]).toEqual([false, 0o600]);
  expect(readdirSync(folder)).toEqual(['file']);
});

test('bytes that a disk takes and does not keep are noticed', () => {
  // Every write to it succeeds, and its size stays 0.
  const descriptor = openSync('/dev/null', 'r+');
  onTestFinished(() => closeSync(descriptor));
  expect(() => fillFile(descriptor, Buffer.from('token'))).toThrow(
    expect.objectContaining({ code: 'EIO' }),
  );
});

test('a writer that lost its lock replaces nothing, nor puts the unfinished file of its successor in place', async () => {
  const { folder, path } = await newFile();
  writeFileSync(path, 'old');
  expect(() => writeDurably(path, 'new', { isMine: () => false })).toThrow(LockLost);
  expect(readFileSync(path, 'utf8')).toBe('old');
  writeFileSync(join(folder, 'theirs'), 'of the successor');
  const exchange = () => {
    renameSync(join(folder, 'theirs'), `${path}.tmp`);
    return true;
  };
  expect(() => writeDurably(path, 'new', { isMine: exchange })).toThrow(LockLost);
  expect([path, `${path}.tmp`].map((name) => readFileSync(name, 'utf8'))).toEqual([
    'old',
    'of the successor',
  ]);
});

test('the bytes are on the disk before the name stands for them, and the name itself right after', async () => {
  const calls = diskCallsOf('write', await temporaryFolder(), 'new');
  const written = ['write', 'fsync', 'rename', 'open', 'fsync'];
  expect(calls.filter((name) => written.includes(name))).toEqual(written);
});

test('a file that was longer has nothing of its old content', async () => {
  const { path } = await newFile();
  writeFileSync(path, 'the old content');
  const descriptor = openSync(path, 'r+');
  onTestFinished(() => closeSync(descriptor));

  fillFile(descriptor, Buffer.from('new'));

  expect(readFileSync(path, 'utf8')).toBe('new');
});
