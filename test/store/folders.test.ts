import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, removeFolders } from '../../src/store/files.ts';
import { temporaryFolder } from '../support/svc.ts';
import { diskCallsOf } from './disk-calls.ts';

test('new folders are removed from the inside out, and those with something in them stay', async () => {
  const folder = await temporaryFolder();
  const newFolders: string[] = [];
  makeFolder(join(folder, 'a', 'b', 'c'), 0o700, (path) => newFolders.push(path));

  removeFolders(newFolders);
  expect(newFolders).toHaveLength(3);
  expect(readdirSync(folder)).toEqual([]);

  makeFolder(join(folder, 'a', 'b'));
  writeFileSync(join(folder, 'a', 'file'), '');
  removeFolders([join(folder, 'a'), join(folder, 'a', 'b')]);
  expect(readdirSync(join(folder, 'a'))).toEqual(['file']);
});

test('a new folder is closed to others, and its name on the disk, before anything is in it', async () => {
  const calls = diskCallsOf('folder', await temporaryFolder(), '');

  const ordered = ['mkdir', 'chmod', 'open', 'fsync'];
  expect(calls.filter((name) => ordered.includes(name))).toEqual(ordered);
});

test('a folder that another process makes at the same time is used', async () => {
  const folder = await temporaryFolder();
  const inner = join(folder, 'a', 'b');

  makeFolder(inner, 0o700, (path) => {
    if (path === join(folder, 'a')) mkdirSync(inner);
  });

  expect(existsSync(inner)).toBe(true);
});

test('a file in place of a folder is an error', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'a'), '');

  expect(() => makeFolder(join(folder, 'a', 'b'))).toThrow(
    expect.objectContaining({ code: 'ENOTDIR' }),
  );
});
