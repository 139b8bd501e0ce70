import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';

const PATH = 'GET /v1/billing/autopay';
const ENABLED = { enabled: true, phoneMasked: '+225*****00', provider: 'mtn', currency: 'XOF', since: '2026-01-01' };
const TEXT = '{"enabled":true,"limit":10.00}';
const PAID = '✓ Renewals are paid automatically.';
const NOT_PAID = 'Renewals are not paid automatically.';

test('automatic renewals are shown with the number that pays them', async () => {
  const run = await against('billing autopay', { [PATH]: [ENABLED] });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatchInlineSnapshot(`
    "✓ Renewals are paid automatically.

      Phone     +225*****00
      Provider  mtn
      Currency  XOF

    More
      Since     2026-01-01
    "
  `);
});

test.each([
  [{ enabled: false, phoneMasked: null, provider: null, currency: 'USD' }, `${NOT_PAID}\n\n  Currency  USD\n`],
  [{ enabled: 'true' }, expect.stringContaining(PAID)],
  [{ data: { enabled: true } }, `${PAID}\n`],
  [{ autopay: { enabled: false } }, `${NOT_PAID}\n`],
  [{}, 'The platform did not say whether renewals are paid automatically.\n'],
  [{ enabled: 'maybe', provider: [] }, expect.stringContaining('did not say')],
])('%j is read', async (answer, stdout) => {
  expect(await against('billing autopay', { [PATH]: [answer] })).toMatchObject({ exitCode: 0, stdout, stderr: '' });
});

test('--json prints the bytes of the answer; without permission it is exit 5', async () => {
  expect(await against('billing autopay --json', { [PATH]: [TEXT] })).toMatchObject({
    exitCode: 0,
    stdout: `${TEXT}\n`,
  });
  const refused = await against('billing autopay --json', { [PATH]: [[403, { error: 'Owners only' }]] });
  expect(refused).toMatchObject({ exitCode: 5, stdout: '', error: { error: 'Owners only', code: 'forbidden' } });
});
