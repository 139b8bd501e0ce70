import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../../../src/commands/shared/programs.ts';
import { temporaryFolder } from '../../support/svc.ts';

async function folderWith(name: string, mode = 0o755): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, name), '#!/bin/sh\n');
  await chmod(join(folder, name), mode);
  return folder;
}

const find = (names: string[], ...folders: string[]) =>
  findProgram(names, { env: { PATH: folders.join(delimiter) }, platform: 'linux' });

test('the first folder that has the program gives it', async () => {
  const [empty, one, two] = [await temporaryFolder(), await folderWith('psql'), await folderWith('psql')];
  expect(find(['psql'], empty, one, two)).toBe(join(one, 'psql'));
});

test('the first program wins over the first folder', async () => {
  const [one, two] = [await folderWith('mariadb'), await folderWith('mysql')];
  expect(find(['mysql', 'mariadb'], one, two)).toBe(join(two, 'mysql'));
});

test('the current folder and other relative entries are never searched', async () => {
  const folder = await folderWith('psql');
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(find(['psql'], '', '.', './', '..', 'bin')).toBeUndefined();
  } finally {
    process.chdir(before);
  }
});

test('folders, broken links and files that are not executable are skipped', async () => {
  const plain = await folderWith('psql', 0o644);
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'psql'));
  const dangling = await temporaryFolder();
  await symlink('/nowhere', join(dangling, 'psql'));
  expect(find(['psql'], plain, folder, dangling, '/does/not/exist')).toBeUndefined();
});

test('nothing is found without a PATH', () => {
  expect(findProgram(['sh'], { env: {}, platform: 'linux' })).toBeUndefined();
});

test('on Windows a program ends in .exe or .com', async () => {
  const folder = await folderWith('psql.exe');
  expect(findProgram(['psql'], { env: { PATH: folder }, platform: 'win32' })).toBe(join(folder, 'psql.exe'));
});
