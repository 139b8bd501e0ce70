import { expect, test } from 'vitest';
import { type Buyer, buyer, editJournal, ORDER } from '../../support/buyer.ts';

const TROUBLE = { orderId: 'ord_1', checks: { fraud: { status: 'failed' } } };

/** An order that exists, and whose answer shows trouble in a place that svc does not know. */
async function troubled(): Promise<Buyer & { readonly key: string }> {
  const one = await buyer();
  one.checkout().reply(201, TROUBLE);
  const run = await one.buy(...ORDER, '--json');
  const key = one.keys()[0] ?? '';
  expect(run).toMatchObject({ exitCode: 8, stdout: `${JSON.stringify(TROUBLE)}\n` });
  expect(run.error).toMatchObject({
    error: expect.stringContaining('Order ord_1 exists, but its answer shows trouble: checks.fraud.status is failed.'),
    outcome: 'unknown',
    orderId: 'ord_1',
    idempotencyKey: key,
    next: [`svc orders settle ${key} --placed ord_1`],
    nextBy: 'person',
  });
  return { ...one, key };
}

test('the same order is stopped until a person settles it, however it is asked for', async () => {
  const { run, buy, key, wire, clock, checkout } = await troubled();
  for (const days of [0, 400]) {
    clock.advance(days * 24 * 3_600_000);
    const lines = [ORDER, [...ORDER, '--idempotency-key', key], ['--resume', key], [...ORDER, '--quantity', '2']];
    for (const argv of lines) {
      const stopped = await buy(...argv, '--json');
      expect(stopped, argv.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
      expect(stopped.error).toMatchObject({
        error: expect.stringMatching(/order(?:ed)? on 2026-03-01T.*: order ord_1, whose answer shows trouble/),
        orderId: 'ord_1',
        idempotencyKey: key,
        next: [`svc orders settle ${key} --placed ord_1`],
      });
    }
  }
  expect(wire.requests).toHaveLength(1);
  expect(await run(['orders', 'settle', key, '--placed', 'ord_1', '--yes'])).toMatchObject({ exitCode: 0 });
  checkout().reply(201, { orderId: 'ord_2' });
  expect((await buy(...ORDER)).exitCode).toBe(0);
});

test('it is listed as in doubt with its id, without the number, and cannot be resumed', async () => {
  const { run, key, pending, journal } = await troubled();
  expect(await pending()).toMatchObject([
    {
      orderId: 'ord_1',
      state: 'in_doubt',
      resume: null,
      placed: `svc orders settle ${key} --placed ord_1`,
      notPlaced: `svc orders settle ${key} --not-placed`,
    },
  ]);
  const { stdout } = await run(['orders']);
  expect(stdout).toContain('  Id       ord_1\n');
  expect(stdout).toContain(
    `Look the order up, and settle it: svc orders settle ${key} --placed ord_1 (or --not-placed)`,
  );
  editJournal(journal, ([entry]) => {
    expect(entry).toMatchObject({ state: 'doubtful', orderId: 'ord_1' });
    expect(JSON.stringify(entry)).not.toContain('670000042');
  });
});

test('without a journal, the error says to look the order up', async () => {
  const { checkout, run } = await buyer();
  checkout().reply(201, TROUBLE);
  const env = { SVC_CONFIG_DIR: '/dev/null/svc' };
  const once = await run(['buy', '--yes', ...ORDER, '--idempotency-key', 'mine', '--json'], { env });
  expect(once).toMatchObject({ exitCode: 8, error: { orderId: 'ord_1', outcome: 'unknown' } });
  expect(once.error['error']).toContain('Look the order up before you repeat the command.');
});
