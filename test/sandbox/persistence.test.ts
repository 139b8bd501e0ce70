import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { temporaryFolder } from '../support/svc.ts';
import { type Visitor, visitSandbox } from './visit.ts';

let folder: string;
let dataFile: string;
beforeEach(async () => {
  folder = join(await temporaryFolder(), 'data');
  mkdirSync(folder);
  dataFile = join(folder, 'sandbox.json');
});

function order({ signedIn }: Visitor, more = {}) {
  const body = { items: [{ planId: 'plan_wp_free' }], ...more };
  return signedIn('POST', '/v1/checkout', body, { 'Idempotency-Key': 'a-key' });
}

test('what was done is there after a new start', async () => {
  const first = await visitSandbox({ dataFile });
  const { json } = await order(first);
  const { deviceCode, userCode } = (
    await first.open('POST', '/v1/auth/device', { clientName: 'kept' })
  ).json;
  first.sandbox.approve(userCode);
  await first.sandbox.close();

  const second = await visitSandbox({ dataFile });
  const again = await order(second);
  expect([again.json, again.headers['idempotent-replayed']]).toEqual([json, 'true']);
  const { token } = (await second.open('POST', '/v1/auth/device/token', { deviceCode })).json;
  expect(token).toMatch(/^svc_sandbox_/);
});

test('the file is private, has no secret, and leaves no other file behind', async () => {
  const visitor = await visitSandbox({ dataFile });
  const mobileMoneyPhone = '+237600000042';
  const more = {
    items: [{ planId: 'plan_wp_pro' }],
    mobileMoneyNetwork: 'mtn',
    enableAutopay: true,
  };
  expect((await order(visitor, { ...more, mobileMoneyPhone })).status).toBe(201);
  const { deviceCode } = (await visitor.open('POST', '/v1/auth/device', { clientName: 'x' })).json;
  expect([statSync(dataFile).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['sandbox.json']]);
  const text = readFileSync(dataFile, 'utf8');
  const { token, sessionToken } = visitor.sandbox;
  for (const secret of [token, sessionToken, deviceCode, mobileMoneyPhone])
    expect(text).not.toContain(secret);
});

test('a data file that cannot be written fails the request, which does not count', async () => {
  const visitor = await visitSandbox({ dataFile });
  const before = visitor.sandbox.snapshot();
  rmSync(folder, { recursive: true });

  expect((await order(visitor)).status).toBe(500);
  expect(visitor.sandbox.snapshot()).toBe(before);
});

test.each(['', '{"version":1,"startedAt":0}', 'null'])(
  'a file that holds %j is not touched',
  async (text) => {
    writeFileSync(dataFile, text);
    await expect(startSandbox({ port: 0, dataFile })).rejects.toMatchObject({ code: 'usage' });
    expect(readFileSync(dataFile, 'utf8')).toBe(text);
  },
);
