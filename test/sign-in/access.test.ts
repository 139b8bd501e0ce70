import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { list, newStore, signIn, tempFolder, tokensIn } from './stage.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

test('file and folders are private, whatever the umask', async () => {
  const { store, place } = newStore({ folder: join(tempFolder(), 'a', 'svc') });
  // From all but root, the second one takes the rights to svc's own files.
  const before = process.umask(process.getuid?.() === 0 ? 0o777 : 0);
  try {
    await store.save(signIn('work'));
  } finally {
    process.umask(before);
  }
  expect([modeOf(store.path), modeOf(place.folder), modeOf(dirname(place.folder))]).toEqual([
    0o600, 0o700, 0o700,
  ]);
});

test('a credentials file that is a link stays one: its target is replaced, or set aside where it is damaged', async () => {
  const { store, place, list: names } = newStore();
  const target = join(tempFolder(), 'svc.json');
  mkdirSync(place.folder);
  symlinkSync(target, store.path);
  writeFileSync(target, '{"version":1,"credentials":[]}', { mode: 0o644 });
  expect(await store.save(signIn('work'))).toMatchObject({ kind: 'stored' });
  expect([modeOf(target), tokensIn(store.read())]).toEqual([0o600, [['work', 'svc_CANARY_1']]]);
  expect([names(), list(dirname(target))]).toEqual([['credentials.json'], ['svc.json']]);
  writeFileSync(target, 'damaged');
  const asidePath = expect.stringContaining('svc.json.corrupt-');
  expect(await store.save(signIn('home'))).toMatchObject({ kind: 'stored', asidePath });
  expect([lstatSync(store.path).isSymbolicLink(), store.read().current]).toEqual([true, 'home']);
});

test.each<[what: string, make: (path: string) => unknown, said: string]>([
  ['pipe', (path) => execFileSync('mkfifo', [path]), 'it is not a plain file'],
  ['link to nowhere', (path) => symlinkSync('/nowhere', path), 'it is a link that leads nowhere'],
])('a %s in place of the file is an error, not a wait, and stays', (_what, make, said) => {
  const { store, place, list: names } = newStore();
  mkdirSync(place.folder);
  make(store.path);
  const error = expect.objectContaining({
    message: `Cannot read ${store.path}: ${said}.`,
    exitCode: 2,
  });
  for (const work of [store.read, store.reserve]) expect(work).toThrow(error);
  expect(names()).toEqual(['credentials.json']);
});
