import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConf } from '../../src/sign-in/change.ts';
import { list, newStore, signIn, tempFolder } from './stage.ts';

test('conf writes through our hook alone, and makes its folder through the other', async () => {
  const folder = join(tempFolder(), 'missing');
  const calls: string[] = [];
  const open = await loadConf();
  const conf = open(folder, {
    ensureFolder: () => calls.push('folder'),
    write: (bytes) => calls.push(`write ${JSON.stringify(JSON.parse(bytes.toString()))}`),
  });
  expect(calls).toEqual(['folder']);
  conf.store = { version: 1, credentials: [] };
  expect(calls).toEqual(['folder', 'folder', 'write {"version":1,"credentials":[]}']);
  expect(list(folder)).toEqual([]);
});

test('conf is pinned to the version whose hooks these are', () => {
  const conf = JSON.parse(readFileSync('node_modules/conf/package.json', 'utf8'));
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(own.devDependencies.conf).toBe(conf.version);
});

test('opening a file that is there writes nothing, with and without a byte order mark', async () => {
  const folder = tempFolder();
  const open = await loadConf();
  const never = () => {
    throw new Error('wrote');
  };
  for (const mark of ['', '\uFEFF']) {
    writeFileSync(join(folder, 'credentials.json'), `${mark}{"version":1,"current":"work"}`);
    expect({ ...open(folder, { ensureFolder: never, write: never }).store }).toEqual({ version: 1, current: 'work' });
  }
});

test('fields of the file and of a sign-in that this version does not know are kept', async () => {
  const { store } = newStore();
  await store.save(signIn('work', 1));
  const file = JSON.parse(readFileSync(store.path, 'utf8'));
  file['a.b'] = { note: 1 };
  file.credentials[0].scopes = ['all'];
  writeFileSync(store.path, JSON.stringify(file), { mode: 0o600 });
  await store.save(signIn('home', 2));
  expect(JSON.parse(readFileSync(store.path, 'utf8'))).toMatchObject({
    'a.b': { note: 1 },
    credentials: [{ profile: 'work', scopes: ['all'] }, { profile: 'home' }],
  });
});
