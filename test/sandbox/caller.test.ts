import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { visitSandbox } from './visit.ts';

/** Existing addresses, and bodies, for the operations that need one. */
const GIVEN: Readonly<Record<string, { readonly path?: string; readonly body?: unknown }>> = {
  createOrder: { body: { items: [{ planId: 'plan_wp_free' }] } },
  scanDomain: { body: { domain: 'kola-studio.example' } },
  stageDomain: {
    path: '/v1/services/svc_wp_7k2m9qx4/domains/kola-studio.example/import',
    body: { records: [{ subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 }] },
  },
  runAction: { path: '/v1/services/svc_wp_7k2m9qx4/actions', body: { action: 'cache.flush', params: {} } },
  getMetricsHistory: {
    path: '/v1/services/svc_wp_7k2m9qx4/metrics/history?start=2026-03-01T11:00:00Z&end=2026-03-01T12:00:00Z&step=60',
  },
  getDeployment: { path: '/v1/services/svc_wp_7k2m9qx4/deployments/dep_9m4kx7q2tz' },
  restartService: { path: '/v1/services/svc_wp_7k2m9qx4/restart' },
  getDatabase: { path: '/v1/databases/db_pg_5t9w2kqe' },
};

const REQUESTS = Object.values(OPERATIONS)
  .filter(({ credentials }) => credentials !== 'none')
  .map(({ name, method, path }) => ({ name, method, path, body: undefined, ...GIVEN[name] }));

describe.each(REQUESTS)('$name', ({ name, method, path, body }) => {
  test('answers a token, and refuses without one, with an unknown one and with one in another form', async () => {
    const { sandbox, open, signedIn } = await visitSandbox();
    const before = sandbox.snapshot();
    const refused = [
      {},
      { Authorization: '' },
      { Authorization: 'Bearer' },
      { Authorization: sandbox.token },
      { Authorization: `Basic ${sandbox.token}` },
      { Authorization: `Bearer ${sandbox.token}x` },
      { Authorization: `Bearer ${sandbox.sessionToken}` },
      { Authorization: 'Bearer svc_live_0123456789abcdef', Cookie: `svc.session-token=${sandbox.sessionToken}` },
      { Cookie: `svc.session-token=${sandbox.token}` },
      { Cookie: 'svc.session-token=' },
      { Cookie: `session-token=${sandbox.sessionToken}` },
    ];
    for (const headers of refused) {
      const answer = await open(method, path, body, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(401);
      expect(answer.json).toEqual({ error: expect.stringMatching(/./) });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect(sandbox.snapshot()).toBe(before);
    expect((await signedIn(method, path, body)).status).toBeLessThan(300);
  });

  test('takes a session where the platform takes one', async () => {
    const { sandbox, open } = await visitSandbox();
    const answer = await open(method, path, body, { Cookie: `a=b; svc.session-token=${sandbox.sessionToken}` });
    if (name !== 'createOrder') return expect(answer.status).toBeLessThan(300);
    expect(answer.status).toBe(401);
    expect(answer.json.error).toContain('a session is not enough');
    return expect(sandbox.snapshot().orders).toEqual([]);
  });

  test('refuses an organization that is not the user’s', async () => {
    const { sandbox, signedIn } = await visitSandbox();
    const before = sandbox.snapshot();
    for (const organization of ['org_someone_else', 'Kola-Studio', '']) {
      const answer = await signedIn(method, path, body, { 'X-Service-Org': organization });
      expect([answer.status, answer.json]).toEqual([403, { error: 'You are not a member of this organization.' }]);
    }
    expect(sandbox.snapshot()).toBe(before);
  });

  test('refuses a token that is 90 days old', async () => {
    const { clock, signedIn } = await visitSandbox();
    clock.advance(90 * 24 * 60 * 60 * 1000);
    const answer = await signedIn(method, path, body);
    expect([answer.status, answer.json]).toEqual([401, { error: 'This token has expired.' }]);
  });
});

test('a token that is not the sandbox’s own is named as such, and is not repeated or logged', async () => {
  const { open, lines } = await visitSandbox();
  const { json } = await open('GET', '/v1/user', undefined, { Authorization: 'Bearer svc_live_0123456789abcdef' });
  expect(json.error).toContain('not made by the sandbox');
  expect(JSON.stringify([json, lines])).not.toContain('0123456789abcdef');
  expect(lines).toEqual(['GET /v1/user 401']);
});

test('the scheme of the Authorization header may be written in any case', async () => {
  const { open, sandbox } = await visitSandbox();
  const { status } = await open('GET', '/v1/user', undefined, { Authorization: `bEARER ${sandbox.token}` });
  expect(status).toBe(200);
});
