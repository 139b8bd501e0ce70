import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buyer, editJournal, loser, ORDER, SENDER_ELSEWHERE } from '../../support/buyer.ts';
import { wordsOf } from '../../support/command-line.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';

test('an order that was found is closed with its id, and is then one that was placed', async () => {
  const { run, buy, checkout, keys, key, pending, journal } = await loser();
  const settled = await run(['orders', 'settle', key, '--placed', 'ord_42', '--yes', '--json']);
  expect(settled).toMatchObject({ exitCode: 0, stderr: '' });
  expect(settled.json).toEqual({
    schemaVersion: 1,
    idempotencyKey: key,
    placed: true,
    orderId: 'ord_42',
    createdAt: '2026-03-01T12:00:00.000Z',
    summary: 'plan plan_wp_pro; mobile money, network mtn, from +237*******42',
  });
  expect(await pending()).toEqual([]);
  expect(readFileSync(journal, 'utf8'), 'the number is no longer needed').not.toContain(
    '670000042',
  );
  expect((await buy(...ORDER, '--json')).error).toMatchObject({
    code: 'already_placed',
    orderId: 'ord_42',
  });
  checkout().reply(200, { orderId: 'ord_43' });
  expect(await buy(...ORDER, '--new-order', '--json')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(new Set(keys()).size).toBe(2);
});

test.each<[string, (key: string) => string[], string]>([
  [
    'an unknown key',
    () => ['6c3f', '--not-placed', '--yes'],
    'No order in doubt has the key 6c3f.\nTry: svc orders',
  ],
  ['no end', (key) => [key, '--yes'], 'Use --placed <orderId>'],
  [
    'two ends',
    (key) => [key, '--placed', 'o', '--not-placed'],
    '--placed and --not-placed cannot be used together',
  ],
  ['an empty id', (key) => [key, '--placed', ' ', '--yes'], '--placed is empty'],
  ['nobody to ask', (key) => [key, '--not-placed'], 'svc cannot ask for one here'],
])('%s is refused, and the entry stays', async (_what, argv, says) => {
  const { run, key, pending } = await loser();
  const refused = await run(['orders', 'settle', ...argv(key)]);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(says) });
  expect(await pending()).toHaveLength(1);
});

test('the commands that svc orders prints settle the entry, whatever the key', async () => {
  for (const ownKey of ["it's mine", '-x']) {
    const { run, pending } = await loser(...ORDER, `--idempotency-key=${ownKey}`);
    const [entry] = await pending();
    const [, ...words] = wordsOf(entry?.['notPlaced'] ?? '');
    expect(await run([...words.slice(0, 2), '--yes', ...words.slice(2)])).toMatchObject({
      exitCode: 0,
    });
    expect(await pending()).toEqual([]);
  }
});

test('of several accounts with one key, that of the sign-in in use is settled', async () => {
  const { run, wire, checkout, configDir, pending } = await buyer({
    env: { SVC_TOKEN: undefined },
  });
  writeSignIns(configDir, ...['a', 'b', 'c'].map((profile) => storedSignIn(profile, wire.url)));
  checkout().reset().reset();
  for (const profile of ['a', 'b']) {
    const keyed = ['--idempotency-key', 'row-1', '--profile', profile, '--no-retry'];
    expect(await run(['buy', '--yes', ...ORDER, ...keyed])).toMatchObject({ exitCode: 8 });
  }
  const settle = ['orders', 'settle', 'row-1', '--not-placed', '--yes', '--profile'];
  const refused = await run([...settle, 'c']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('Try: svc orders settle row-1 --not-placed --profile b');
  expect(await run([...settle, 'b'])).toMatchObject({ exitCode: 0 });
  expect(await pending()).toMatchObject([{ account: 'profile a (a@example.com)' }]);
});

test('an order that is being sent is not settled', async () => {
  const { run, key, journal } = await loser();
  editJournal(journal, ([one]) =>
    Object.assign(one ?? {}, { state: 'sending', sender: SENDER_ELSEWHERE }),
  );

  const refused = await run(['orders', 'settle', key, '--not-placed', '--yes']);

  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Nothing was changed.'),
  });
  editJournal(journal, (orders) => expect(orders).toHaveLength(1));
});
