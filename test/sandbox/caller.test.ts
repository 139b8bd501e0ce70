import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { visitSandbox } from './visit.ts';

const PROTECTED = Object.values(OPERATIONS).filter(({ credentials }) => credentials !== 'none');

test.each(PROTECTED)('$name is for its caller alone', async ({ name, method, path }) => {
  const { sandbox, clock, open, signedIn } = await visitSandbox();
  const before = sandbox.snapshot();
  for (const headers of [
    {},
    { Authorization: sandbox.token },
    { Authorization: `Bearer ${sandbox.sessionToken}` },
    { Cookie: `svc.session-token=${sandbox.token}` },
  ]) {
    expect((await open(method, path, undefined, headers)).status, JSON.stringify(headers)).toBe(
      401,
    );
  }
  expect(
    (await signedIn(method, path, undefined, { 'X-Service-Org': 'org_someone_else' })).status,
  ).toBe(403);
  const session = await open(method, path, undefined, {
    Cookie: `a=b; svc.session-token=${sandbox.sessionToken}`,
  });
  expect(session.status === 401).toBe(name === 'createOrder');
  expect([401, 403]).not.toContain((await signedIn(method, path)).status);
  clock.advance(90 * 24 * 60 * 60 * 1000);
  expect((await signedIn(method, path)).json).toEqual({ error: 'This token has expired.' });
  expect(sandbox.snapshot()).toBe(before);
});

test('a token that is not the sandbox’s own is named as such, and is not repeated or logged', async () => {
  const { open, lines } = await visitSandbox();
  const { json } = await open('GET', '/v1/user', undefined, {
    Authorization: 'Bearer svc_live_0123456789abcdef',
  });
  expect(json.error).toContain('not made by the sandbox');
  expect(JSON.stringify([json, lines])).not.toContain('0123456789abcdef');
});
