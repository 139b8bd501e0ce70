import { expect, test } from 'vitest';
import { createAssume } from '../../src/contract/assumptions.ts';
import { CliError } from '../../src/errors.ts';
import { sendOrder } from '../../src/orders/send.ts';
import { draftOf } from './orders.ts';

test.each([
  ['a mistake of svc', new TypeError('x is not a function')],
  ['an answer of no known kind', new CliError('unexpected', 'What?', { status: 600 })],
])('%s while an order is on its way leaves the order in doubt', async (_what, error) => {
  const entry = draftOf('blog', { key: 'k1' });
  const ready = { entry, isRecorded: true };
  const commands = { resume: 'svc buy --resume k1', placed: '', notPlaced: '' };

  const sent = await sendOrder(
    () => Promise.reject(error),
    ready,
    createAssume(new Map()),
    () => commands,
  );

  expect(sent).toMatchObject({
    outcome: 'unknown',
    failure: { code: 'unavailable', details: { outcome: 'unknown', idempotencyKey: 'k1' } },
  });
});

test('an order whose key is too old is looked up and settled, and nothing says to send it again', async () => {
  const entry = draftOf('blog', { key: 'k1' });
  const ready = { entry, isRecorded: true, firstSentAt: '2026-03-01T12:00:00.000Z' };
  const placed = 'svc orders settle k1 --placed <orderId>';
  const commands = { resume: undefined, placed, notPlaced: '' };
  const refusal = new CliError('unauthenticated', 'No.', { hint: 'svc login' });
  const send = (error: CliError) =>
    sendOrder(
      () => Promise.reject(error),
      ready,
      createAssume(new Map()),
      () => commands,
    );

  const refused = await send(refusal);
  const lost = await send(new CliError('unavailable', 'Lost.', { outcome: 'unknown' }));

  const lines = [refused, lost].map(({ failure }) => failure?.details.lines?.join(' '));
  for (const text of lines) {
    expect(text).toContain(placed);
    expect(text).not.toMatch(/send it again|not place the order twice/);
  }
});
