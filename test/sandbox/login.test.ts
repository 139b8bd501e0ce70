import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

/** A sandbox in which a login has begun. */
async function startLogin(options = {}) {
  const visitor = await visitSandbox(options);
  const { deviceCode, userCode } = (
    await visitor.open('POST', '/v1/auth/device', { clientName: 'marie-laptop' })
  ).json;
  const poll = () => visitor.open('POST', '/v1/auth/device/token', { deviceCode });
  const errorAfter = async (ms: number) => {
    visitor.clock.advance(ms);
    return (await poll()).json.error;
  };
  return { ...visitor, deviceCode, userCode, poll, errorAfter };
}

test('polls are pending until the approval, then give the token once, whatever comes at the same moment', async () => {
  const { sandbox, open, lines, deviceCode, userCode, poll } = await startLogin();
  expect((await poll()).json).toEqual({ error: 'authorization_pending' });
  expect(sandbox.approve(userCode)).toBe(true);
  const answers = await Promise.all(Array.from({ length: 8 }, poll));
  const [issued, ...others] = answers.toSorted((one, other) => one.status - other.status);
  const { token, ...about } = issued?.json ?? {};
  expect(token).toMatch(/^svc_sandbox_fake_token_[0-9a-f]{24}$/);
  expect(about).toMatchObject({
    expiresAt: '2026-05-30T12:00:00.000Z',
    organizationId: 'org_6f3t9mzk2x',
  });
  expect(new Set(others.map(({ json }) => json.error))).toEqual(new Set(['invalid_grant']));
  const whoami = await open('GET', '/v1/user', undefined, { Authorization: `Bearer ${token}` });
  expect(whoami.json.token).toMatchObject({ id: about.tokenId, name: 'marie-laptop' });
  const kept = JSON.stringify([sandbox.snapshot(), lines]);
  for (const secret of [deviceCode, token, sandbox.token]) expect(kept).not.toContain(secret);
});

test('polling too fast is answered with slow_down, and each time the interval grows by 5 seconds for good', async () => {
  const { errorAfter } = await startLogin({ intervalSeconds: 2 });
  const errors = [];
  for (const seconds of [0, 2, 1.9, 6.9, 12, 11, 17])
    errors.push(await errorAfter(seconds * 1_000));
  const [pending, slow] = ['authorization_pending', 'slow_down'];
  expect(errors).toEqual([pending, pending, slow, slow, pending, slow, pending]);
});

test('a login expires after 15 minutes, and cannot be approved any more', async () => {
  const { sandbox, userCode, errorAfter } = await startLogin();
  expect(await errorAfter(899_999)).toBe('authorization_pending');
  expect(await errorAfter(1)).toBe('expired_token');
  expect(sandbox.approve(userCode)).toBe(false);
});
