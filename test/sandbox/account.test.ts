import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

const STUDIO = { id: 'org_6f3t9mzk2x', slug: 'kola-studio', name: 'Kola Studio', role: 'owner' };
const CLIENT = { id: 'org_1q7r5vhc8d', slug: 'baobab-travel', name: 'Baobab Travel', role: 'member' };

test('a token sees its user, both organizations, and itself', async () => {
  const { signedIn } = await visitSandbox();
  const { json } = await signedIn('GET', '/v1/user');
  expect(json).toEqual({
    user: expect.objectContaining({ email: 'amina@kola-studio.example', name: 'Amina Diallo' }),
    organization: STUDIO,
    organizations: [STUDIO, CLIENT],
    authMethod: 'api_token',
    token: {
      id: expect.stringMatching(/^tok_/),
      name: 'svc sandbox',
      createdAt: '2026-03-01T12:00:00.000Z',
      expiresAt: '2026-05-30T12:00:00.000Z',
    },
  });
});

test('an order with enableAutopay saves its number, masked, for its organization alone', async () => {
  const { signedIn, sandbox, lines } = await visitSandbox();
  const body = {
    items: [{ planId: 'plan_wp_pro' }],
    mobileMoneyNetwork: 'orange',
    mobileMoneyPhone: '+221770000017',
    currency: 'USD',
    enableAutopay: true,
  };
  const organization = { 'X-Service-Org': CLIENT.slug };
  expect((await signedIn('POST', '/v1/checkout', body, organization)).status).toBe(201);
  expect((await signedIn('GET', '/v1/billing/autopay', undefined, organization)).json).toEqual({
    enabled: true,
    phoneMasked: '+221*******17',
    provider: 'orange',
    currency: 'USD',
  });
  expect((await signedIn('GET', '/v1/billing/autopay')).json.provider).toBe('mtn');
  expect(JSON.stringify([sandbox.snapshot(), lines])).not.toContain('221770000017');
});
