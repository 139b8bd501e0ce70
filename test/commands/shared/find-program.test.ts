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
  findProgram(names, {
    env: { PATH: folders.join(delimiter) },
    program: { platform: 'linux' },
  });

test('the first program wins over the first folder; what is no program is skipped', async () => {
  const [one, two, plain] = [
    await folderWith('mariadb'),
    await folderWith('mysql'),
    await folderWith('mysql', 0o644),
  ];
  const [folder, dangling] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(folder, 'mysql'));
  await symlink('/nowhere', join(dangling, 'mysql'));
  expect(find(['mysql', 'mariadb'], one, plain, folder, dangling, '/does/not/exist', two)).toBe(
    join(two, 'mysql'),
  );
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
