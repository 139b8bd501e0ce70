import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { machineOf } from '../../src/store/machine.ts';
import { CREATE_NEW, fillFile, LockLost, setAside, withLockedFile, writeDurably } from '../../src/store/write.ts';
import { diskCallsOf } from './disk-calls.ts';

const HERE = machineOf(process, hostname());

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-write-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a file is replaced as a whole, private, with nothing left beside it', () => {
  const folder = newFolder();
  const path = join(folder, 'file');
  writeFileSync(path, 'old', { mode: 0o644 });
  // A killed writer left it.
  writeFileSync(`${path}.tmp`, 'svc_CANARY_1 half', { mode: 0o644 });
  const before = statSync(path).ino;
  const bytes = Buffer.alloc(3_000_000, 'new ');
  writeDurably(path, bytes);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect([statSync(path).ino === before, statSync(path).mode & 0o777]).toEqual([false, 0o600]);
  writeDurably(path, Buffer.alloc(0));
  expect(statSync(path).size).toBe(0);
  expect(readdirSync(folder)).toEqual(['file']);
});

test('bytes that a disk takes and does not keep are noticed', () => {
  // Every write to it succeeds, and its size stays 0.
  const descriptor = openSync('/dev/null', 'r+');
  onTestFinished(() => closeSync(descriptor));
  const lost = expect.objectContaining({ code: 'EIO', message: expect.stringContaining('shorter') });
  expect(() => fillFile(descriptor, Buffer.from('token'))).toThrow(lost);
});

test('a file may keep its mode instead, and a new one gets the usual one', () => {
  const folder = newFolder();
  const path = join(folder, 'file');
  writeDurably(path, 'new', { keepsMode: true });
  expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
  chmodSync(path, 0o666);
  writeDurably(path, 'newer', { keepsMode: true });
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['newer', 0o666]);
});

test('a writer that lost its lock replaces nothing, nor puts the unfinished file of its successor in place', () => {
  const folder = newFolder();
  const path = join(folder, 'file');
  writeFileSync(path, 'old');
  expect(() => writeDurably(path, Buffer.from('new'), { isMine: () => false })).toThrow(LockLost);
  expect(readFileSync(path, 'utf8')).toBe('old');
  writeFileSync(join(folder, 'theirs'), 'of the successor');
  const exchange = () => {
    renameSync(join(folder, 'theirs'), `${path}.tmp`);
    return true;
  };
  expect(() => writeDurably(path, Buffer.from('new'), { isMine: exchange })).toThrow(LockLost);
  expect([path, `${path}.tmp`].map((name) => readFileSync(name, 'utf8'))).toEqual(['old', 'of the successor']);
});

test('a change that loses its lock again and again is an error', async () => {
  const path = join(newFolder(), 'file');
  const change = withLockedFile(path, HERE, systemClock, (file) => {
    rmSync(`${path}.lock`, { recursive: true });
    file.write(Buffer.from('new'));
  });
  await expect(change).rejects.toMatchObject({ exitCode: 2 });
  expect(() => statSync(path)).toThrow('ENOENT');
});

test('the bytes are on the disk before the name stands for them, and the name itself right after', () => {
  const written = diskCallsOf('write', newFolder(), 'new').filter((name) => /^(write|fsync|rename|open)$/.test(name));
  expect(written).toEqual(['write', 'fsync', 'rename', 'open', 'fsync']);
});

test('a file that is set aside is closed to others', () => {
  const path = join(newFolder(), 'file');
  writeFileSync(path, 'svc_CANARY_1', { mode: 0o644 });
  const aside = setAside(path, Date.parse('2026-03-01T12:00:00Z'));
  expect([aside, statSync(aside).mode & 0o777]).toEqual([`${path}.corrupt-20260301T120000.000Z`, 0o600]);
});

test('a private file is never made through a link', () => {
  const folder = newFolder();
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'file'));
  expect(() => openSync(join(folder, 'file'), CREATE_NEW, 0o600)).toThrow(/EEXIST|ELOOP/);
  expect(readdirSync(folder)).toEqual(['file']);
});
