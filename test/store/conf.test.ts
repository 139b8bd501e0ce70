import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConf } from '../../src/store/conf.ts';
import { temporaryFolder } from '../support/svc.ts';

test('conf hands its content to svc to write, reads nothing that is there, and touches the disk nowhere', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'config.json'), '\uFEFF{"version":1,"current":"work"}');
  const written: string[] = [];
  const write = await loadConf();
  for (const path of ['config.json', 'missing/config.json']) {
    write(join(folder, path), { version: 1, 'a.b': [] }, (text) => written.push(text));
  }
  expect(written).toEqual(Array(2).fill('{\n  "version": 1,\n  "a.b": []\n}\n'));
  expect(readdirSync(folder)).toEqual(['config.json']);
});

test('conf is pinned to the version whose hooks these are', () => {
  const conf = JSON.parse(readFileSync('node_modules/conf/package.json', 'utf8'));
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(own.devDependencies.conf).toBe(conf.version);
});
