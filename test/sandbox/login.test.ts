import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/svc.ts';
import { type Visitor, visitSandbox } from './visit.ts';

async function startLogin({ open }: Visitor, clientName = 'marie-laptop') {
  const { status, json } = await open('POST', '/v1/auth/device', { clientName });
  expect(status).toBe(200);
  return json;
}

function poll({ open }: Visitor, deviceCode: string) {
  return open('POST', '/v1/auth/device/token', { deviceCode });
}

test.each([
  [{}, 'is required'],
  [{ clientName: '' }, 'must not be empty'],
  [{ clientName: 7 }, 'must be a string'],
  [{ clientName: null }, 'must be a string'],
  [{ clientName: 'x'.repeat(101) }, 'must be at most 100 characters long'],
])('a login with %j is refused, and the answer names the field', async (body, fault) => {
  const { sandbox, open } = await visitSandbox();
  const { status, json } = await open('POST', '/v1/auth/device', body);
  expect(status).toBe(400);
  expect(json).toEqual({ error: { clientName: fault } });
  expect(sandbox.snapshot().logins).toEqual([]);
});

test('polls are pending until the approval, then give the token once, and never again', async () => {
  const visitor = await visitSandbox();
  const { deviceCode, userCode } = await startLogin(visitor);
  const pending = await poll(visitor, deviceCode);
  expect([pending.status, pending.json]).toEqual([400, { error: 'authorization_pending' }]);
  expect(visitor.sandbox.approve(userCode)).toBe(true);

  const { status, json } = await poll(visitor, deviceCode);
  expect(status).toBe(200);
  expect(json).toEqual({
    token: expect.stringMatching(/^svc_sandbox_fake_token_[0-9a-f]{24}$/),
    tokenId: expect.stringMatching(/^tok_/),
    expiresAt: '2026-05-30T12:00:00.000Z',
    organizationId: 'org_6f3t9mzk2x',
    user: expect.objectContaining({ email: 'amina@kola-studio.example' }),
  });
  visitor.clock.advance(60_000);
  const again = await poll(visitor, deviceCode);
  expect([again.status, again.json]).toEqual([400, { error: 'invalid_grant' }]);

  const whoami = await visitor.open('GET', '/v1/user', undefined, { Authorization: `Bearer ${json.token}` });
  expect(whoami.json.token).toMatchObject({ id: json.tokenId, name: 'marie-laptop' });
});

test('two polls at the same moment get one token between them', async () => {
  const visitor = await visitSandbox();
  const { deviceCode, userCode } = await startLogin(visitor);
  visitor.sandbox.approve(userCode);
  const answers = await Promise.all(Array.from({ length: 8 }, () => poll(visitor, deviceCode)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ json }) => json.error === 'invalid_grant')).toHaveLength(7);
});

test('polling too fast is answered with slow_down, and each time the interval grows by 5 seconds for good', async () => {
  const visitor = await visitSandbox({ intervalSeconds: 2 });
  const { deviceCode } = await startLogin(visitor);
  const error = async (afterSeconds: number) => {
    visitor.clock.advance(afterSeconds * 1_000);
    return (await poll(visitor, deviceCode)).json.error;
  };
  expect(await error(0)).toBe('authorization_pending');
  expect(await error(2)).toBe('authorization_pending');
  expect(await error(1.9)).toBe('slow_down');
  expect(await error(6.9)).toBe('slow_down');
  expect(await error(12)).toBe('authorization_pending');
  expect(await error(11)).toBe('slow_down');
  expect(await error(17)).toBe('authorization_pending');
  expect(await error(17)).toBe('authorization_pending');
});

test('a login expires after 15 minutes, and cannot be approved any more', async () => {
  const visitor = await visitSandbox();
  const { deviceCode, userCode } = await startLogin(visitor);
  visitor.clock.advance(899_999);
  expect((await poll(visitor, deviceCode)).json.error).toBe('authorization_pending');
  visitor.clock.advance(1);
  expect((await poll(visitor, deviceCode)).json.error).toBe('expired_token');
  expect(visitor.sandbox.approve(userCode)).toBe(false);
  expect((await poll(visitor, deviceCode)).json.error).toBe('expired_token');
});

test('a device code that was never given out is not accepted', async () => {
  const visitor = await visitSandbox();
  const { json } = await poll(visitor, 'dvc_sandbox_0');
  expect(json).toEqual({ error: 'invalid_grant' });
  const missing = await visitor.open('POST', '/v1/auth/device/token', {});
  expect([missing.status, missing.json]).toEqual([400, { error: { deviceCode: 'is required' } }]);
});

test('neither the device code nor the token is kept, only their hashes', async () => {
  const visitor = await visitSandbox();
  const { deviceCode, userCode } = await startLogin(visitor);
  visitor.sandbox.approve(userCode);
  const { token } = (await poll(visitor, deviceCode)).json;
  const kept = JSON.stringify(visitor.sandbox.snapshot());
  for (const secret of [deviceCode, token, visitor.sandbox.token, visitor.sandbox.sessionToken]) {
    expect(kept).not.toContain(secret);
    expect(visitor.lines.join('\n')).not.toContain(secret);
  }
});

test('a thousand logins are remembered; then the oldest is forgotten', async () => {
  const dataFile = join(await temporaryFolder(), 'sandbox.json');
  const first = await visitSandbox({ dataFile });
  const { deviceCode } = await startLogin(first);
  const state = first.sandbox.snapshot();
  await first.sandbox.close();
  const others = Array.from({ length: 998 }, (_, index) => ({ ...state.logins[0], deviceCodeHash: `${index}` }));
  writeFileSync(dataFile, JSON.stringify({ ...state, logins: [...state.logins, ...others] }));

  const visitor = await visitSandbox({ dataFile });
  await startLogin(visitor);
  expect((await poll(visitor, deviceCode)).json.error).toBe('authorization_pending');
  await startLogin(visitor);
  expect((await poll(visitor, deviceCode)).json.error).toBe('invalid_grant');
  expect(visitor.sandbox.snapshot().logins).toHaveLength(1_000);
});
