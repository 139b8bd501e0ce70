import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { newStore, signIn, tokensIn } from './stage.ts';

// What any damaged document comes to is the subject of test/store/document.test.ts.
test.each([
  [
    'with a sign-in without a token',
    '{"version":1,"credentials":[{"profile":"w","baseUrl":"https://x.example"}]}',
  ],
  ['of zero bytes after a power cut', '\0'.repeat(4096)],
])(
  'a file that is %s is an error that names it, and set aside by the next login',
  async (_what, content) => {
    const { store, place, list } = newStore({ clock: fakeClock() });
    mkdirSync(place.folder, { recursive: true, mode: 0o700 });
    writeFileSync(store.path, content, { mode: 0o644 });
    const error = { message: `The credentials file is damaged: ${store.path}`, exitCode: 4 };
    expect(store.read).toThrow(expect.objectContaining(error));
    for (const change of [store.remove(() => true), store.use('work')])
      await expect(change).rejects.toMatchObject(error);
    expect(list()).toEqual(['credentials.json']);
    const saved = await store.save(signIn('work', 1));
    expect(tokensIn(store.read())).toEqual([['work', 'svc_CANARY_1']]);
    const aside = join(place.folder, String(list()[1]));
    expect(saved).toMatchObject({ kind: 'stored', asidePath: aside });
    expect([readFileSync(aside, 'utf8'), statSync(aside).mode & 0o777]).toEqual([content, 0o600]);
    // A second one, in the same millisecond, is kept beside it.
    writeFileSync(store.path, 'second');
    await store.save(signIn('work', 2));
    expect(list()).toHaveLength(3);
  },
);

test('the file of a newer svc that came while a login was under way is left alone; the journal is used', async () => {
  const { store } = newStore();
  await store.save(signIn('other', 1));
  const reserved = store.reserve();
  const newer = JSON.stringify({
    version: 2,
    current: 'work',
    credentials: [signIn('work')],
    vault: {},
  });
  writeFileSync(store.path, newer, { mode: 0o600 });
  expect(await reserved.keep(signIn('home', 2))()).toMatchObject({
    kind: 'journaled',
    replaced: [],
  });
  reserved.release();
  expect(readFileSync(store.path, 'utf8')).toBe(newer);
  rmSync(store.path);
  expect(store.read()).toMatchObject({ current: 'home', unmerged: 1 });
});
