import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** 22 November 2026, as a service may write it; test/contract/instant.test.ts has other spellings. */
const TIME = '1795362483';
const TEXT = '2026-11-22T15:48:03';
const before = fakeClock('2026-11-20T16:00:00Z');

test('a time in seconds is shown as a time, and the token that it ends is judged by it', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const user = { user: { email: 'a@b.c', createdAt: TIME }, token: { expiresAt: TIME } };
  const deployment = { id: 'd', status: 'live', createdAt: TIME, queuedAt: Number(TIME) + 1 };
  wire.on('GET', '/v1/user').always(200, user);
  wire.on('GET', '/v1/billing/autopay').always(200, {});
  wire.on('GET', '/v1/services/s/metrics/history').always(200, []);
  wire.on('GET', '/v1/services/s/deployments/d').always(200, { deployment });
  const run = (line: string, clock = before) =>
    svc(line.split(' '), { url: wire.url, configDir, clock });
  expect((await run('whoami')).stdout).toMatch(new RegExp(`Token expires +${TEXT}`));
  const after = await run('whoami', fakeClock('2026-12-01T00:00:00Z'));
  expect(after.stdout).toMatch(new RegExp(`Token expired +${TEXT}`));
  const { stdout } = await run('deployments inspect d --service s');
  expect(stdout).toMatch(new RegExp(`Created +${TEXT}[^]*Queued +2026-11-22T15:48:04`));
  const expected = {
    token: { expiresAt: `${TEXT}.000Z`, daysLeft: 1 },
    deployment: { createdAt: `${TEXT}.000Z` },
  };
  expect((await run('status --service s --json')).json).toMatchObject(expected);
});

test.each([
  ['a day that its month does not have', '2026-11-31', ['svc metrics s --since 2026-11-30 --json']],
  [
    'such a day with a time',
    '2026-02-30T10:00:00Z',
    ['svc metrics s --since 2026-02-28T10:00:00Z --json'],
  ],
  ['a month that there is not', '2026-13-01', undefined],
  ['a time that there is not', '2026-03-01T25:00:00Z', undefined],
  ['an offset that there is not', '2026-03-01T12:00:00+25:00', undefined],
])('what follows %s is that time, or nothing', async (_what, since, next) => {
  const run = await svc(['metrics', 's', '--since', since, '--json'], {
    url: 'http://127.0.0.1:9',
  });

  expect(run.exitCode).toBe(2);
  expect(run.error['next']).toEqual(next);
});
