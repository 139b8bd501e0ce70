import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { temporaryFolder } from '../support/svc.ts';
import { visitSandbox } from './visit.ts';

const ORDER = { items: [{ planId: 'plan_wp_free' }] };
const KEY = { 'Idempotency-Key': 'a-key' };

let folder: string;
let dataFile: string;
beforeEach(async () => {
  folder = join(await temporaryFolder(), 'data');
  mkdirSync(folder);
  dataFile = join(folder, 'sandbox.json');
});

test('what was done is there after a new start', async () => {
  const first = await visitSandbox({ dataFile });
  const order = await first.signedIn('POST', '/v1/checkout', ORDER, KEY);
  expect(readFileSync(dataFile, 'utf8')).toContain(order.json.orderId);
  const { deviceCode, userCode } = (await first.open('POST', '/v1/auth/device', { clientName: 'kept' })).json;
  first.sandbox.approve(userCode);
  const actions = '/v1/services/svc_wp_7k2m9qx4/actions';
  const { jobId } = (await first.signedIn('POST', actions, { action: 'backup.create' })).json;
  await first.sandbox.close();

  const second = await visitSandbox({ dataFile });
  second.clock.advance(60_000);
  const again = await second.signedIn('POST', '/v1/checkout', ORDER, KEY);
  expect([again.json, again.headers['idempotent-replayed']]).toEqual([order.json, 'true']);
  const { json } = await second.open('POST', '/v1/auth/device/token', { deviceCode });
  expect(json.token).toMatch(/^svc_sandbox_/);
  expect((await second.signedIn('GET', `${actions}/${jobId}`)).json.status).toBe('completed');
});

test('the file is private, has no secret, and leaves no other file behind', async () => {
  const { sandbox, signedIn, open } = await visitSandbox({ dataFile });
  const phone = '+237600000042';
  const paid = { items: [{ planId: 'plan_wp_pro' }], mobileMoneyNetwork: 'mtn', mobileMoneyPhone: phone };
  await signedIn('POST', '/v1/checkout', { ...paid, enableAutopay: true });
  const { deviceCode } = (await open('POST', '/v1/auth/device', { clientName: 'x' })).json;
  expect([statSync(dataFile).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['sandbox.json']]);
  const text = readFileSync(dataFile, 'utf8');
  for (const secret of [sandbox.token, sandbox.sessionToken, deviceCode, phone]) expect(text).not.toContain(secret);
});

test('what cannot be written does not count', async () => {
  const { sandbox, signedIn, lines } = await visitSandbox({ dataFile });
  const before = sandbox.snapshot();
  rmSync(folder, { recursive: true });
  const { status, json } = await signedIn('POST', '/v1/checkout', ORDER, KEY);
  expect([status, json]).toEqual([500, { error: 'The sandbox failed; the reason is in its log.' }]);
  expect(lines[0]).toContain('ENOENT');
  expect(sandbox.snapshot()).toBe(before);
});

test('a data file that another sandbox has taken over is not written any more', async () => {
  let isMine = true;
  const { sandbox, signedIn } = await visitSandbox({ dataFile, mayWrite: () => isMine });
  const before = [sandbox.snapshot(), readFileSync(dataFile, 'utf8')];
  isMine = false;
  expect((await signedIn('POST', '/v1/checkout', ORDER, KEY)).status).toBe(500);
  expect([sandbox.snapshot(), readFileSync(dataFile, 'utf8')]).toEqual(before);
});

test.each(['', '{}', '{"version":1,"startedAt":0}', 'null'])('a file that holds %j is not touched', async (text) => {
  writeFileSync(dataFile, text);
  const message = `${dataFile} is not a data file of the sandbox.`;
  await expect(startSandbox({ port: 0, dataFile })).rejects.toMatchObject({ code: 'usage', message });
  expect(readFileSync(dataFile, 'utf8')).toBe(text);
});

test('a file that cannot be read fails the start, not the first order', async () => {
  const error = { code: 'usage', message: expect.stringContaining('EISDIR') };
  await expect(startSandbox({ port: 0, dataFile: folder })).rejects.toMatchObject(error);
});
