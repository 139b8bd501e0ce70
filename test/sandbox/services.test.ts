import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

const WORDPRESS = '/v1/services/svc_wp_7k2m9qx4';
const ACTIONS = `${WORDPRESS}/actions`;
const RESTART = `${WORDPRESS}/restart`;

test('a restart shows in the deployment; a service without a live container cannot be restarted', async () => {
  const { clock, signedIn, sandbox } = await visitSandbox();
  const restart = async (id: string) => (await signedIn('POST', `/v1/services/${id}/restart`)).json;
  clock.advance(90_000);
  expect(await restart('svc_app_3n8v5tzd')).toMatchObject({ success: true });
  const { json } = await signedIn(
    'GET',
    '/v1/services/svc_app_3n8v5tzd/deployments/dep_2v8ht5nwqc',
  );
  expect(json.deployment.lastRestartAt).toBe('2026-03-01T12:01:30.000Z');
  expect(await restart('svc_app_2c7p9xlm')).toMatchObject({ success: false });
  expect(sandbox.snapshot().restarts).toHaveLength(1);
});

test('the action "demo.slow" takes 15 s, and says how far it is; "fail" fails', async () => {
  const { clock, signedIn } = await visitSandbox();
  const queue = async (action: string) => (await signedIn('POST', ACTIONS, { action })).json.jobId;
  const [slow, failing] = [await queue('demo.slow'), await queue('fail')];
  const look = async (jobId: string) => (await signedIn('GET', `${ACTIONS}/${jobId}`)).json;
  clock.advance(7_800);
  expect(await look(slow)).toMatchObject({ status: 'running', progress: 50 });
  clock.advance(7_200);
  expect(await look(slow)).toMatchObject({ status: 'completed', progress: 100 });
  expect(await look(failing)).toMatchObject({ status: 'failed' });
});

test('it has as many services as asked for, and counts what each was asked for', async () => {
  const { signedIn, open } = await visitSandbox({ services: 10_000 });
  await signedIn('POST', '/v1/services/svc_wp_00000006/restart');
  await signedIn('POST', '/v1/services/svc_wp_00000007/actions', { action: 'cache.flush' });
  const { requests, refused, services } = (await open('GET', '/sandbox')).json;
  expect([requests, refused, services.length]).toEqual([2, 0, 10_000]);
  expect(services.slice(5, 7)).toMatchObject([
    { id: 'svc_wp_00000006', restarts: 1, actions: 0 },
    { id: 'svc_wp_00000007', restarts: 0, actions: 1 },
  ]);
});

test('a request above the limit is refused with a whole number of seconds, and has no effect', async () => {
  const { sandbox, clock, signedIn } = await visitSandbox({ requestsPerSecond: 2 });
  const statuses = async (count: number) => {
    const seen = [];
    for (let time = 0; time < count; time += 1) seen.push((await signedIn('POST', RESTART)).status);
    return seen;
  };
  expect(await statuses(2)).toEqual([200, 200]);
  const refused = await signedIn('POST', RESTART);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  const report = sandbox.report();
  expect([report.requests, report.refused, report.services[0]?.restarts]).toEqual([3, 1, 2]);
  clock.advance(500);
  expect(await statuses(2)).toEqual([200, 429]);
  // No more is saved up than one second's worth.
  clock.advance(60_000);
  expect(await statuses(3)).toEqual([200, 200, 429]);
});
