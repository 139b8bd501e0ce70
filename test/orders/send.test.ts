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
  const ready = { entry, body: entry.body, isRecorded: true, firstSentAt: undefined };
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
