import { expect, test } from 'vitest';
import { tokenBucket } from '../../sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';
import { visitSandbox } from './visit.ts';

const WORDPRESS = '/v1/services/svc_wp_7k2m9qx4';
const ACTIONS = `${WORDPRESS}/actions`;
const HOUR = { start: '2026-03-01T11:00:00Z', end: '2026-03-01T12:00:00Z' };
const history = (query: Record<string, string>) => `${WORDPRESS}/metrics/history?${new URLSearchParams(query)}`;

test('every listed deployment can be looked up, and some of them failed', async () => {
  const { sandbox, signedIn } = await visitSandbox();
  const found = [];
  for (const { id, service } of sandbox.listing.deployments) {
    const { json } = await signedIn('GET', `/v1/services/${service}/deployments/${id}`);
    expect(json.deployment).toMatchObject({ id, serviceId: service });
    found.push([json.deployment.status, json.isLive]);
  }
  expect(found).toEqual([...Array(2).fill(['succeeded', true]), ...Array(2).fill(['failed', false])]);
});

test('a restart shows in the deployment; a service without a live container cannot be restarted', async () => {
  const { clock, signedIn, sandbox } = await visitSandbox();
  const restart = async (id: string) => (await signedIn('POST', `/v1/services/${id}/restart`)).json;
  clock.advance(90_000);
  expect(await restart('svc_app_3n8v5tzd')).toMatchObject({ success: true });
  const { json } = await signedIn('GET', '/v1/services/svc_app_3n8v5tzd/deployments/dep_2v8ht5nwqc');
  expect(json.deployment.lastRestartAt).toBe('2026-03-01T12:01:30.000Z');
  expect(await restart('svc_app_2c7p9xlm')).toMatchObject({ success: false });
  expect(sandbox.snapshot().restarts).toHaveLength(1);
});

test('the action "demo.slow" takes 15 s, and says how far it is; "fail" fails', async () => {
  const { clock, signedIn } = await visitSandbox();
  const queue = async (action: string) => (await signedIn('POST', ACTIONS, { action })).json.jobId;
  const jobId = await queue('demo.slow');
  const look = async (ms: number) => {
    clock.advance(ms);
    const { status, progress } = (await signedIn('GET', `${ACTIONS}/${jobId}`)).json;
    return [status, progress];
  };
  expect(await look(7_800)).toEqual(['running', 50]);
  expect(await look(7_200)).toEqual(['completed', 100]);
  const failing = await queue('fail');
  clock.advance(2_000);
  expect((await signedIn('GET', `${ACTIONS}/${failing}`)).json.status).toBe('failed');
});

test('usage comes in buckets from start to end, the same in every sandbox, and not for the future', async () => {
  const [first, second] = [await visitSandbox(), await visitSandbox()];
  const hour = await first.signedIn('GET', history({ ...HOUR, step: '60' }));
  expect([hour.json.points.length, hour.json.points[0].timestamp]).toEqual([60, '2026-03-01T11:00:00.000Z']);
  expect((await second.signedIn('GET', history({ ...HOUR, step: '60' }))).json).toEqual(hour.json);
  const years = { start: '2025-01-01', end: '2027-01-01', step: '86400' };
  const days = (await first.signedIn('GET', history(years))).json.points;
  expect([days[0].timestamp, days.at(-1).timestamp]).toEqual(['2026-01-31T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
});

test.each([
  [history({}), undefined, { start: 'is required', end: 'is required', step: 'is required' }],
  [history({ ...HOUR, step: '0' }), undefined, { step: 'must be a whole number of seconds' }],
  [history({ ...HOUR, end: HOUR.start, step: '60' }), undefined, { end: 'must be later than start' }],
  [ACTIONS, {}, { action: 'is required' }],
  [ACTIONS, { action: 5, params: 'x' }, { action: 'must be a string', params: 'must be an object' }],
  ['/v1/services/svc_vps_6h1r0wyb/actions', { action: 'backup.create' }, expect.stringContaining('kola-worker')],
])('%s with %j is refused, field by field', async (path, body, faults) => {
  const { sandbox, signedIn } = await visitSandbox();
  const { status, json } = await signedIn(body === undefined ? 'GET' : 'POST', path, body);
  expect([status, json, sandbox.snapshot().jobs]).toEqual([400, { error: faults }, []]);
});

test('it has as many services as asked for, and says how often each was restarted and how many requests came', async () => {
  const { sandbox, signedIn, open } = await visitSandbox({ services: 10_000 });
  expect(new Set(sandbox.listing.services.map(({ id }) => id)).size).toBe(10_000);
  await signedIn('POST', '/v1/services/svc_wp_00000006/restart');
  await signedIn('POST', '/v1/services/svc_wp_00000007/actions', { action: 'cache.flush' });
  await open('GET', '/v1/user');
  const { requests, refused, services } = (await open('GET', '/sandbox')).json;
  expect([requests, refused, services.length]).toEqual([3, 0, 10_000]);
  expect(services.slice(5, 7)).toMatchObject([
    { id: 'svc_wp_00000006', restarts: 1, actions: 0 },
    { id: 'svc_wp_00000007', restarts: 0, actions: 1 },
  ]);
});

test('a request above the limit is refused with a whole number of seconds, and has no effect', async () => {
  const { sandbox, clock, signedIn, open } = await visitSandbox({ requestsPerSecond: 2 });
  const restart = () => signedIn('POST', `${WORDPRESS}/restart`);
  expect([(await restart()).status, (await restart()).status]).toEqual([200, 200]);
  const refused = await restart();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect((await open('GET', '/device')).status).toBe(200);
  const report = sandbox.report();
  expect([report.requests, report.refused, report.services[0]?.restarts]).toEqual([3, 1, 2]);
  clock.advance(500);
  expect([(await restart()).status, (await restart()).status]).toEqual([200, 429]);
  // No more is saved up than one second's worth.
  clock.advance(60_000);
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await restart()).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test.each([1, 50])('in any ten seconds a bucket of %s/s gives out eleven seconds’ worth at most', (rate) => {
  const clock = fakeClock();
  const take = tokenBucket(clock, rate);
  let given = 0;
  for (let step = 0; step < 100_000; step += 1) {
    if (take() === 0) given += 1;
    clock.advance(0.1);
  }
  expect(given).toBeGreaterThanOrEqual(11 * rate - 1);
  expect(given).toBeLessThanOrEqual(11 * rate);
});
