import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConf } from '../../src/store/conf.ts';
import { temporaryFolder } from '../support/svc.ts';

test('conf hands its content to svc to write, and touches the disk nowhere', async () => {
  const folder = join(await temporaryFolder(), 'missing');
  const written: unknown[] = [];
  const write = await loadConf();
  write(join(folder, 'config.json'), { version: 1, 'a.b': [] }, (text) => written.push(JSON.parse(text)));
  expect(written).toEqual([{ version: 1, 'a.b': [] }]);
  expect(existsSync(folder)).toBe(false);
});

test('conf is pinned to the version whose hooks these are', () => {
  const conf = JSON.parse(readFileSync('node_modules/conf/package.json', 'utf8'));
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(own.devDependencies.conf).toBe(conf.version);
});

test('the bytes of the file that was there do not matter, not even a byte order mark', async () => {
  const path = join(await temporaryFolder(), 'credentials.json');
  const write = await loadConf();
  for (const mark of ['', '\uFEFF']) {
    writeFileSync(path, `${mark}{"version":1,"current":"work"}`);
    const written: string[] = [];
    write(path, { version: 1 }, (text) => written.push(text));
    expect(written).toEqual(['{\n  "version": 1\n}\n']);
  }
});
