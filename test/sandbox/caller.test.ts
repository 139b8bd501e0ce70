import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { visitSandbox } from './visit.ts';

const SERVICE = '/v1/services/svc_wp_7k2m9qx4';
/** Existing addresses, and bodies, for the operations that need one. */
const GIVEN: Readonly<Record<string, { readonly path?: string; readonly body?: unknown }>> = {
  createOrder: { body: { items: [{ planId: 'plan_wp_free' }] } },
  scanDomain: { body: { domain: 'kola-studio.example' } },
  stageDomain: {
    path: `${SERVICE}/domains/kola-studio.example/import`,
    body: { records: [{ subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 }] },
  },
  runAction: { path: `${SERVICE}/actions`, body: { action: 'cache.flush', params: {} } },
  getMetricsHistory: {
    path: `${SERVICE}/metrics/history?start=2026-03-01T11:00:00Z&end=2026-03-01T12:00:00Z&step=60`,
  },
  getDeployment: { path: `${SERVICE}/deployments/dep_9m4kx7q2tz` },
  restartService: { path: `${SERVICE}/restart` },
  getDatabase: { path: '/v1/databases/db_pg_5t9w2kqe' },
};

const REQUESTS = Object.values(OPERATIONS)
  .filter(({ credentials }) => credentials !== 'none')
  .map(({ name, method, path }) => ({ name, method, path, body: undefined, ...GIVEN[name] }));

test.each(REQUESTS)('$name answers who may ask, and does nothing for others', async ({ name, method, path, body }) => {
  const { sandbox, clock, open, signedIn } = await visitSandbox();
  const before = sandbox.snapshot();
  for (const headers of [
    {},
    { Authorization: sandbox.token },
    { Authorization: `Bearer ${sandbox.token}x` },
    { Authorization: `Bearer ${sandbox.sessionToken}` },
    { Cookie: `svc.session-token=${sandbox.token}` },
  ]) {
    const answer = await open(method, path, body, headers);
    expect([answer.status, answer.headers['www-authenticate']], JSON.stringify(headers)).toEqual([401, 'Bearer']);
  }
  const stranger = await signedIn(method, path, body, { 'X-Service-Org': 'org_someone_else' });
  expect([stranger.status, stranger.json.error]).toEqual([403, 'You are not a member of this organization.']);
  expect(sandbox.snapshot()).toBe(before);
  const session = await open(method, path, body, { Cookie: `a=b; svc.session-token=${sandbox.sessionToken}` });
  expect(session.status < 300).toBe(name !== 'createOrder');
  expect((await signedIn(method, path, body)).status).toBeLessThan(300);
  clock.advance(90 * 24 * 60 * 60 * 1000);
  const late = await signedIn(method, path, body);
  expect([late.status, late.json]).toEqual([401, { error: 'This token has expired.' }]);
});

test('a token that is not the sandbox’s own is named as such, and is not repeated or logged', async () => {
  const { open, lines } = await visitSandbox();
  const { json } = await open('GET', '/v1/user', undefined, { Authorization: 'Bearer svc_live_0123456789abcdef' });
  expect(json.error).toContain('not made by the sandbox');
  expect(JSON.stringify([json, lines])).not.toContain('0123456789abcdef');
});

test('a database is seen from the second organization, without its credentials', async () => {
  const { signedIn } = await visitSandbox();
  const look = (headers = {}) => signedIn('GET', '/v1/databases/db_pg_5t9w2kqe', undefined, headers);
  expect((await look()).json).toMatchObject({ credentialsIncluded: true, password: expect.any(String) });
  const { json, text } = await look({ 'X-Service-Org': 'baobab-travel' });
  expect(json.credentialsIncluded).toBe(false);
  expect(text).not.toMatch(/"(?:connectionUrl|username|password)"|not-a-secret/);
});
