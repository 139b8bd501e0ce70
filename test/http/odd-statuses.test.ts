import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { BUY, RESTART, sendTo, WHOAMI } from '../support/client.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const HTML = { 'content-type': 'text/html' };

test.each([600, 777, 999, 300, 304])('a %i to a change leaves it in doubt', async (status) => {
  const { error, sent } = await sendTo([[status]], RESTART);
  expect(error.code).toBe('unavailable');
  expect(error.details.outcome).toBe('unknown');
  expect(sent).toHaveLength(1);
});

test.each([600, 999])('a %i to a read is trouble of the platform, as a 500 is', async (status) => {
  const { error } = await sendTo([[status]], WHOAMI, { retry: false });
  expect(error.code).toBe('unavailable');
  expect(error.details.outcome).toBeUndefined();
});

test.each([300, 304])('a %i to a read says that it is no answer', async (status) => {
  const { error } = await sendTo([[status]], WHOAMI);
  expect(error.code).toBe('unexpected');
  expect(error.message).toMatch(/sent a status that answers no request of svc \(30[04]\)\.$/);
  expect(error.details.outcome).toBeUndefined();
});

test.each(['000', '099'])('a status below 100, %s, leaves a restart in doubt', async (status) => {
  const wire = await testWire();
  wire
    .on('POST', '/v1/services/svc_1/restart')
    .raw(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`);

  const run = await svc(['restart', 'svc_1', '--yes', '--json'], { url: wire.url });

  expect(run.exitCode).toBe(8);
  expect(run.error).toMatchObject({
    outcome: 'unknown',
    error: expect.stringContaining('sent a status that answers no request'),
  });
  expect(wire.requests).toHaveLength(1);
});

test.each([
  ['a restart', RESTART],
  ['an order', BUY],
  ['a read', WHOAMI],
])('a 511 is of a network: %s did not reach the platform', async (_what, call) => {
  const { error, sent } = await sendTo([[511, '<html>', HTML]], call);
  expect(error.code).toBe('unavailable');
  expect(error.message).toMatch(/^Your network wants you to sign in/);
  expect(error.details.outcome).toBeUndefined();
  expect(sent).toHaveLength(1);
});

test('a 401 with a page is of a gateway, and does not blame the token', async () => {
  const { error } = await sendTo([[401, '<html>', HTML]], RESTART);
  expect(error.code).toBe('unauthenticated');
  expect(error.message).toMatch(/answered with a web page instead of the API \(401\)\.$/);
  expect(error.details.hint).toMatchObject({ say: expect.stringContaining('gateway') });
});

test('of a list, a service whose restart was answered 999 is not restarted again', async () => {
  const folder = await temporaryFolder();
  const list = join(folder, 'list');
  const log = join(folder, 'log');
  writeFileSync(list, 's1\ns2\n');
  const wire = await testWire();
  wire.on('POST', '/v1/services/s1/restart').reply(999, { error: 'odd' });
  wire.on('POST', '/v1/services/s2/restart').reply(200, { success: true });
  const run = (...words: string[]) =>
    svc(['restart', ...words, '--yes', '--json'], { url: wire.url });

  await run('--services', list, '--log', log);

  expect(readFileSync(log, 'utf8')).toContain('"inDoubt":true');
  await run('--services', list, '--resume', log);
  expect(wire.requests).toHaveLength(2);
});

test.each([
  ['402', 402, 'rejected', undefined],
  ['404', 404, 'not_found', undefined],
  ['500', 500, 'unavailable', 'unknown'],
])('of a %s whose body is cut, the status decides', async (_what, status, code, outcome) => {
  const run = await against(
    'buy --plan p1 --network mtn --phone +22501020304 --yes --json --no-retry',
    {},
    {
      ...(await cutAnswer(status)),
    },
  );
  expect(run.error).toMatchObject({ code, status });
  expect(run.error['outcome']).toBe(outcome);
});

async function cutAnswer(status: number) {
  const wire = await testWire();
  wire.on('POST', '/v1/checkout').cut(status, { error: 'x'.repeat(300) }, 24);
  return { url: wire.url };
}

test.each([
  ['whoami', '/v1'],
  ['whoami', '/v1/'],
  ['whoami', '/api/v1'],
  ['login', '/v1'],
])('%s at an address that ends in %s proposes the one without', async (line, path) => {
  const wire = await testWire();
  const base = path.replace(/\/$/, '');
  const [method, operation] = line === 'login' ? ['POST', '/v1/auth/device'] : ['GET', '/v1/user'];
  wire.on(method ?? '', base + operation).reply(404, { error: 'Not found' });

  const run = await svc([line, '--json'], {
    url: wire.url + path,
    ...(line === 'login' && { token: null }),
  });

  expect(run.exitCode).toBe(6);
  expect(run.error['hint']).toContain(`${wire.url}${base.replace(/\/v1$/, '')}`);
});

test('doctor proposes the address without /v1', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/v1/user').always(404, { error: 'Not found' });

  const run = await svc(['doctor', '--json'], { url: `${wire.url}/v1` });

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toContain(`Use ${wire.url} as the address`);
});
