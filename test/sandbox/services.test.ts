import { expect, test } from 'vitest';
import { idOf, type Visitor, visitSandbox } from './visit.ts';

function restart({ signedIn }: Visitor, service: string) {
  return signedIn('POST', `/v1/services/${service}/restart`);
}

test('every listed deployment can be looked up, and one of them is live and one failed', async () => {
  const { sandbox, signedIn } = await visitSandbox();
  const found = [];
  for (const { id, service } of sandbox.listing.deployments) {
    const { status, json } = await signedIn('GET', `/v1/services/${service}/deployments/${id}`);
    expect(status).toBe(200);
    expect(json.deployment).toMatchObject({
      id,
      serviceId: service,
      commit: { sha: expect.stringMatching(/^\w{40}$/) },
    });
    expect(Object.values(json).filter((value) => typeof value === 'boolean')).toHaveLength(1);
    const { createdAt, finishedAt, durationSeconds } = json.deployment;
    expect(Date.parse(finishedAt) - Date.parse(createdAt)).toBe(durationSeconds * 1_000);
    found.push([json.deployment.status, json.isLive, json.deployment.failure === null]);
  }
  expect(found).toEqual([
    ['succeeded', true, true],
    ['succeeded', true, true],
    ['failed', false, false],
    ['failed', false, false],
  ]);
});

test('a restart takes no body and no type, and its deployment shows it', async () => {
  const visitor = await visitSandbox();
  visitor.clock.advance(90_000);
  const { status, json } = await restart(visitor, 'svc_app_3n8v5tzd');
  expect([status, json]).toEqual([200, { success: true, message: expect.stringContaining('baobab-booking') }]);
  const { deployment } = (await visitor.signedIn('GET', '/v1/services/svc_app_3n8v5tzd/deployments/dep_2v8ht5nwqc'))
    .json;
  expect(deployment.lastRestartAt).toBe('2026-03-01T12:01:30.000Z');
  await restart(visitor, 'svc_app_3n8v5tzd');
  expect(visitor.sandbox.snapshot().restarts).toHaveLength(1);
});

test('a service without a live container cannot be restarted, and says so', async () => {
  const visitor = await visitSandbox();
  const { status, json } = await restart(visitor, 'svc_app_2c7p9xlm');
  expect([status, json]).toEqual([200, { success: false, message: expect.stringContaining('kola-portfolio') }]);
  expect(visitor.sandbox.snapshot().restarts).toEqual([]);
});

test('the action "demo.slow" takes 15 s, and says how far it is', async () => {
  const { clock, signedIn } = await visitSandbox();
  const actions = '/v1/services/svc_wp_7k2m9qx4/actions';
  const { json } = await signedIn('POST', actions, { action: 'demo.slow' });
  const seen = [];
  for (const ms of [600, 7_200, 7_199, 1]) {
    clock.advance(ms);
    const { status, progress } = (await signedIn('GET', `${actions}/${json.jobId}`)).json;
    seen.push([status, progress]);
  }
  expect(seen).toEqual([
    ['running', 0],
    ['running', 50],
    ['running', 99],
    ['completed', 100],
  ]);
});

test('the action "fail" fails', async () => {
  const { clock, signedIn } = await visitSandbox();
  const actions = '/v1/services/svc_wp_7k2m9qx4/actions';
  const { json } = await signedIn('POST', actions, { action: 'fail' });
  clock.advance(2_000);
  const job = (await signedIn('GET', `${actions}/${json.jobId}`)).json;
  expect(job).toMatchObject({ status: 'failed', action: 'fail', message: expect.stringMatching(/./) });
});

test.each([
  [{}, { action: 'is required' }],
  [{ action: '' }, { action: 'must not be empty' }],
  [{ action: 'backup.create', params: [] }, { params: 'must be an object' }],
  [
    { action: 'cache.flsh' },
    { action: 'is not a known action. Use one of cache.flush, backup.create, plugin.install, demo.slow, fail' },
  ],
  [
    { action: 5, params: 'x' },
    { action: 'must be a string', params: 'must be an object' },
  ],
])('an action like %j is refused, field by field', async (body, faults) => {
  const { sandbox, signedIn } = await visitSandbox();
  const { status, json } = await signedIn('POST', '/v1/services/svc_wp_7k2m9qx4/actions', body);
  expect([status, json]).toEqual([400, { error: faults }]);
  expect(sandbox.snapshot().jobs).toEqual([]);
});

test('managed actions are for WordPress services', async () => {
  const { sandbox, signedIn } = await visitSandbox();
  const vps = idOf(sandbox.listing.services, ({ kind }) => kind === 'vps');
  const { status, json } = await signedIn('POST', `/v1/services/${vps}/actions`, { action: 'backup.create' });
  expect([status, json.error]).toEqual([400, expect.stringContaining('kola-worker')]);
});
