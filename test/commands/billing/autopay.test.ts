import { expect, test } from 'vitest';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

async function autopay(answer: unknown, argv: readonly string[] = [], status = 200) {
  const wire = await testWire();
  wire.on('GET', '/v1/billing/autopay').reply(status, answer);
  return await svc(['billing', 'autopay', ...argv], { url: wire.url });
}

const ENABLED = { enabled: true, phoneMasked: '+225*****00', provider: 'mtn', currency: 'XOF', since: '2026-01-01' };

test('automatic renewals are shown with the number that pays them', async () => {
  const run = await autopay(ENABLED);
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

test('without automatic renewals it says so', async () => {
  const run = await autopay({ enabled: false, phoneMasked: null, provider: null, currency: 'USD' });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatchInlineSnapshot(`
    "Renewals are not paid automatically.

      Currency  USD
    "
  `);
});

test.each([
  ['nothing', {}],
  ['other types', { enabled: 'yes', phoneMasked: 5, provider: [], currency: {} }],
])('an answer with %s does not pretend to know', async (_name, answer) => {
  const run = await autopay(answer);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('did not say');
});

test('--json prints the bytes of the answer', async () => {
  const text = '{"enabled":true,"limit":10.00}';
  expect(await autopay(text, ['--json'])).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
});

test('an account without permission is exit 5', async () => {
  const run = await autopay({ error: 'Owners only' }, ['--json'], 403);
  expect(run).toMatchObject({ exitCode: 5, stdout: '', error: { error: 'Owners only', code: 'forbidden' } });
});

test.each([
  [{ enabled: 'true' }, 'Renewals are paid automatically.'],
  [{ data: { enabled: true } }, 'Renewals are paid automatically.'],
  [{ autopay: { enabled: false } }, 'Renewals are not paid automatically.'],
])('%j is read', async (answer, said) => {
  const wire = await testWire();
  wire.on('GET', '/v1/billing/autopay').reply(200, answer);
  expect((await svc(['billing', 'autopay'], { url: wire.url })).stdout).toContain(said);
});
