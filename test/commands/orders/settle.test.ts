import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buyer, editJournal, flowing, loser, ORDER, SENDER_ELSEWHERE } from '../../support/buyer.ts';
import { wordsOf } from '../../support/command-line.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';

test('an order that was found is closed with its id, and the same command orders again, with a warning', async () => {
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
  expect(readFileSync(journal, 'utf8'), 'the number is no longer needed').not.toContain('670000042');
  checkout().reply(200, { orderId: 'ord_43' });
  const second = await buy(...ORDER);
  expect(second.exitCode).toBe(0);
  expect(second.stderr).toContain('You sent this same order on 2026-03-01T12:00:00.000Z: order ord_42.');
  expect(new Set(keys()).size).toBe(2);
});

test('an order that was not found is forgotten: the same command places it, under another key', async () => {
  const { run, buy, checkout, keys, key, pending } = await loser();
  const settled = await run(['orders', 'settle', key, '--not-placed', '--yes']);
  expect(flowing(settled.stdout)).toBe(
    '✓ Settled as not placed: plan plan_wp_pro; mobile money, network mtn, from +237*******42. ',
  );
  expect(await pending()).toEqual([]);
  checkout().reply(200, { orderId: 'ord_1' });
  expect(await buy(...ORDER)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(new Set(keys()).size).toBe(2);
});

test.each<[string, (key: string) => string[], string]>([
  ['an unknown key', () => ['6c3f', '--not-placed', '--yes'], 'No order in doubt has the key 6c3f.\nTry: svc orders'],
  ['no end', (key) => [key, '--yes'], 'Say what became of the order.\n  Use --placed <orderId>'],
  ['two ends', (key) => [key, '--placed', 'o', '--not-placed'], '--placed and --not-placed cannot be used together'],
  ['an empty id', (key) => [key, '--placed', ' ', '--yes'], '--placed is empty'],
  ['nobody to ask', (key) => [key, '--not-placed'], 'This needs a confirmation, but svc cannot ask for one here'],
])('%s is refused, and the entry stays', async (_what, argv, says) => {
  const { run, key, pending } = await loser();
  const refused = await run(['orders', 'settle', ...argv(key)]);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(says);
  expect(await pending()).toHaveLength(1);
});

test('the commands that svc orders prints settle the entry, whatever the key', async () => {
  for (const ownKey of ["it's mine", '-x']) {
    const { run, pending } = await loser(...ORDER, `--idempotency-key=${ownKey}`);
    const [entry] = await pending();
    expect(entry?.['placed']).toContain('--placed <orderId>');
    const [, ...words] = wordsOf(entry?.['notPlaced'] ?? '');
    expect(await run([...words.slice(0, 2), '--yes', ...words.slice(2)])).toMatchObject({ exitCode: 0 });
    expect(await pending()).toEqual([]);
  }
});

test('of two accounts with one key, the sign-in in use says whose order is meant', async () => {
  const { run, wire, configDir, checkout, pending } = await buyer({ env: { SVC_TOKEN: undefined } });
  writeSignIns(configDir, storedSignIn('a', wire.url), storedSignIn('b', wire.url), storedSignIn('c', wire.url));
  checkout().reset().reset().reset().reset().reset().reset();
  for (const profile of ['a', 'b']) {
    const argv = ['buy', '--yes', ...ORDER, '--idempotency-key', 'row-1', '--profile', profile];
    expect(await run(argv)).toMatchObject({ exitCode: 8 });
  }
  const settle = ['orders', 'settle', 'row-1', '--not-placed', '--yes', '--profile'];
  const refused = await run([...settle, 'c']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('2 orders in doubt have the key row-1.');
  expect(refused.stderr).toContain('Try: svc orders settle row-1 --not-placed --profile b');
  expect(await run([...settle, 'b'])).toMatchObject({ exitCode: 0 });
  expect(await pending()).toMatchObject([{ account: 'profile a (a@example.com)' }]);
});

test('an order that is being sent is not settled', async () => {
  const { run, key, journal, pending } = await loser();
  editJournal(journal, ([one]) => {
    Object.assign(one ?? {}, { sender: SENDER_ELSEWHERE });
  });
  const refused = await run(['orders', 'settle', key, '--not-placed', '--yes']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('Another svc is sending this order, or has settled it. Nothing was changed.');
  expect(await pending()).toHaveLength(1);
});
