import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';

const PATH = 'GET /v1/billing/autopay';
const TEXT = '{"enabled":true,"limit":10.00}';
const PAID = '✓ Renewals are paid automatically.\n';
const NOT_PAID = 'Renewals are not paid automatically.\n';

test.each([
  [
    { enabled: false, phoneMasked: null, provider: null, currency: 'USD' },
    `${NOT_PAID}  Currency  USD\n`,
  ],
  [{ data: { enabled: 'true' } }, PAID],
  [{ autopay: { enabled: false } }, NOT_PAID],
  [{ enabled: 1 }, PAID],
  [{ enabled: 'maybe' }, 'The platform did not say'],
])('%j is read', async (answer, says) => {
  const run = await against('billing autopay', { [PATH]: [answer] });
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(says), stderr: '' });
});

test('--json prints the bytes of the answer; without permission it is exit 5', async () => {
  const stdout = `${TEXT}\n`;
  expect(await against('billing autopay --json', { [PATH]: [TEXT] })).toMatchObject({
    exitCode: 0,
    stdout,
  });
  const refused = await against('billing autopay --json', {
    [PATH]: [[403, { error: 'Owners only' }]],
  });
  expect(refused).toMatchObject({
    exitCode: 5,
    stdout: '',
    error: { error: 'Owners only', code: 'forbidden' },
  });
});

test('--all-orgs asks once for each organization', async () => {
  const organizations = [{ id: 'org_1', slug: 'kola' }, { id: 'org_2' }];
  const run = await against('billing autopay --all-orgs --json', {
    'GET /v1/user': [{ organizations }],
    [PATH]: [TEXT],
  });
  expect(run.exitCode).toBe(0);
  const asked = run.sent.slice(1).map(({ headers }) => headers['x-service-org']);
  expect(asked.sort()).toEqual(['kola', 'org_2']);
});
