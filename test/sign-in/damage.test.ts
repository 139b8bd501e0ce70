import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newStore, signIn, tokensIn } from './stage.ts';

/** A store whose file holds exactly this. */
function storeWith(content: string | Uint8Array) {
  const staged = newStore();
  mkdirSync(staged.place.folder, { recursive: true, mode: 0o700 });
  writeFileSync(staged.store.path, content, { mode: 0o600 });
  return staged;
}

const DAMAGES: ReadonlyArray<readonly [what: string, content: string | Uint8Array]> = [
  ['empty', ''],
  ['cut off', '{"version":1,"credentials":[{"profile":"w'],
  ['a list', '[1,2]'],
  ['a text', '"hi"'],
  ['null', 'null'],
  ['without a list of sign-ins', '{"version":1,"credentials":{}}'],
  ['of no known version', '{"version":"1","credentials":[]}'],
  ['with a sign-in without a token', '{"version":1,"credentials":[{"profile":"w","baseUrl":"https://x.example"}]}'],
  ['with a sign-in that is none', '{"version":1,"credentials":["svc_CANARY_1"]}'],
  ['of zero bytes after a power cut', new Uint8Array(4096)],
];

test.each(DAMAGES)(
  'a file that is %s is an error that names it, and set aside by the next login',
  async (_what, content) => {
    const { store, place, list } = storeWith(content);
    const error = { message: `The credentials file is damaged: ${store.path}`, exitCode: 4 };
    expect(() => store.read()).toThrow(expect.objectContaining(error));
    await expect(store.remove(() => true)).rejects.toMatchObject(error);
    await expect(store.use('work')).rejects.toMatchObject(error);
    expect(list()).toEqual(['credentials.json']);
    expect(readFileSync(store.path)).toEqual(Buffer.from(content));
    chmodSync(store.path, 0o644);
    const saved = await store.save(signIn('work', 1));
    expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_1']]);
    const [, aside = ''] = readdirSync(place.folder).sort();
    expect(aside).toMatch(/^credentials\.json\.corrupt-\d{8}T\d{6}\.\d{3}Z$/);
    expect(saved).toMatchObject({ kind: 'stored', setAside: join(place.folder, aside) });
    expect(readFileSync(join(place.folder, aside))).toEqual(Buffer.from(content));
    expect(statSync(join(place.folder, aside)).mode & 0o777).toBe(0o600);
  },
);

test('two files that are set aside, one soon after the other, are both kept', async () => {
  const { store, list, place } = storeWith('first');
  await store.save(signIn('work', 1));
  for (const name of list().slice(1)) expect(readFileSync(join(place.folder, name), 'utf8')).toBe('first');
  writeFileSync(store.path, 'second');
  await store.save(signIn('work', 2));
  expect(list()).toHaveLength(3);
});

test('a byte order mark is no damage', async () => {
  const { store } = storeWith(
    `\uFEFF${JSON.stringify({ version: 1, current: 'work', credentials: [signIn('work')] })}`,
  );
  expect(store.read().current).toBe('work');
  await store.save(signIn('home', 2));
  expect(store.read().credentials).toHaveLength(2);
});

test('optional fields of a sign-in may be missing or odd', () => {
  const odd = { baseUrl: 'https://x.example/', token: 'svc_1', email: 5, expiresAt: null, org: '', profile: null };
  const { store } = storeWith(JSON.stringify({ credentials: [odd] }));
  expect(store.read().credentials).toMatchObject([
    { profile: 'x.example', email: '5', expiresAt: undefined, org: undefined },
  ]);
});

const NEWER = JSON.stringify({ version: 2, current: 'work', credentials: [signIn('work')], vault: {} });

test('the file of a newer svc is left as it is, and does not sign in', async () => {
  const { store, list } = storeWith(NEWER);
  const error = { exitCode: 2, message: expect.stringContaining('newer svc') };
  for (const work of [() => store.read(), () => store.reserve()]) expect(work).toThrow(expect.objectContaining(error));
  for (const change of [store.setOrg('work', 'org_2'), store.forgetAll()]) {
    await expect(change).rejects.toMatchObject(error);
  }
  expect([list(), readFileSync(store.path, 'utf8')]).toEqual([['credentials.json'], NEWER]);
});

test('one that came while a login was under way leaves the token in its journal, where it is used', async () => {
  const { store, list } = newStore();
  const reserved = store.reserve();
  writeFileSync(store.path, NEWER, { mode: 0o600 });
  const saved = await reserved.keep(signIn('home', 2))();
  reserved.release();
  expect(saved).toMatchObject({ kind: 'journaled', path: reserved.path() });
  expect([list().length, readFileSync(store.path, 'utf8')]).toEqual([2, NEWER]);
  rmSync(store.path);
  expect(store.read()).toMatchObject({ current: 'home', unmerged: 1 });
});
