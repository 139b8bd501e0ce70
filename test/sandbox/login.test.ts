import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/svc.ts';
import { type Visitor, visitSandbox } from './visit.ts';

async function startLogin({ open }: Visitor) {
  return (await open('POST', '/v1/auth/device', { clientName: 'marie-laptop' })).json;
}

function poll({ open }: Visitor, deviceCode: string) {
  return open('POST', '/v1/auth/device/token', { deviceCode });
}

test.each([
  ['/v1/auth/device', {}, { clientName: 'is required' }],
  ['/v1/auth/device', { clientName: null }, { clientName: 'must be a string' }],
  ['/v1/auth/device', { clientName: 'x'.repeat(101) }, { clientName: 'must be at most 100 characters long' }],
  ['/v1/auth/device/token', {}, { deviceCode: 'is required' }],
  ['/v1/auth/device/token', { deviceCode: 'dvc_sandbox_0' }, 'invalid_grant'],
])('%s with %j is refused, and the answer names the field', async (path, body, error) => {
  const { sandbox, open } = await visitSandbox();
  const { status, json } = await open('POST', path, body);
  expect([status, json, sandbox.snapshot().logins]).toEqual([400, { error }, []]);
});

test('polls are pending until the approval, then give the token once, whatever comes at the same moment', async () => {
  const visitor = await visitSandbox();
  const { deviceCode, userCode } = await startLogin(visitor);
  expect((await poll(visitor, deviceCode)).json).toEqual({ error: 'authorization_pending' });
  expect(visitor.sandbox.approve(userCode)).toBe(true);
  const answers = await Promise.all(Array.from({ length: 8 }, () => poll(visitor, deviceCode)));
  const [issued, ...others] = answers.toSorted((one, other) => one.status - other.status);
  expect([issued?.status, issued?.json]).toEqual([
    200,
    {
      token: expect.stringMatching(/^svc_sandbox_fake_token_[0-9a-f]{24}$/),
      tokenId: expect.stringMatching(/^tok_/),
      expiresAt: '2026-05-30T12:00:00.000Z',
      organizationId: 'org_6f3t9mzk2x',
      user: expect.objectContaining({ email: 'amina@kola-studio.example' }),
    },
  ]);
  expect(new Set(others.map(({ json }) => json.error))).toEqual(new Set(['invalid_grant']));
  const whoami = await visitor.open('GET', '/v1/user', undefined, { Authorization: `Bearer ${issued?.json.token}` });
  expect(whoami.json.token).toMatchObject({ id: issued?.json.tokenId, name: 'marie-laptop' });
  const kept = JSON.stringify([visitor.sandbox.snapshot(), visitor.lines]);
  for (const secret of [deviceCode, issued?.json.token, visitor.sandbox.token]) expect(kept).not.toContain(secret);
});

test('polling too fast is answered with slow_down, and each time the interval grows by 5 seconds for good', async () => {
  const visitor = await visitSandbox({ intervalSeconds: 2 });
  const { deviceCode } = await startLogin(visitor);
  const error = async (afterSeconds: number) => {
    visitor.clock.advance(afterSeconds * 1_000);
    return (await poll(visitor, deviceCode)).json.error;
  };
  const errors = [];
  for (const seconds of [0, 2, 1.9, 6.9, 12, 11, 17, 17]) errors.push(await error(seconds));
  const [pending, slow] = ['authorization_pending', 'slow_down'];
  expect(errors).toEqual([pending, pending, slow, slow, pending, slow, pending, pending]);
});

test('a login expires after 15 minutes, and cannot be approved any more', async () => {
  const visitor = await visitSandbox();
  const { deviceCode, userCode } = await startLogin(visitor);
  visitor.clock.advance(899_999);
  expect((await poll(visitor, deviceCode)).json.error).toBe('authorization_pending');
  visitor.clock.advance(1);
  expect((await poll(visitor, deviceCode)).json.error).toBe('expired_token');
  expect(visitor.sandbox.approve(userCode)).toBe(false);
});

test('a thousand logins are remembered; then the oldest is forgotten', async () => {
  const dataFile = join(await temporaryFolder(), 'sandbox.json');
  const first = await visitSandbox({ dataFile });
  const { deviceCode } = await startLogin(first);
  const state = first.sandbox.snapshot();
  await first.sandbox.close();
  const others = Array.from({ length: 999 }, (_, index) => ({ ...state.logins[0], deviceCodeHash: `${index}` }));
  writeFileSync(dataFile, JSON.stringify({ ...state, logins: [...state.logins, ...others] }));
  const visitor = await visitSandbox({ dataFile });
  expect((await poll(visitor, deviceCode)).json.error).toBe('authorization_pending');
  await startLogin(visitor);
  expect((await poll(visitor, deviceCode)).json.error).toBe('invalid_grant');
  expect(visitor.sandbox.snapshot().logins).toHaveLength(1_000);
});
