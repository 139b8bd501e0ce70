import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

const LAST = 'svc_vps_00010000';

test('as many services as asked for are listed, the built-in ones first, each with an id of its own', async () => {
  const { listing } = (await visitSandbox({ services: 10_000 })).sandbox;
  const plain = (await visitSandbox()).sandbox.listing;
  for (const list of ['services', 'deployments', 'databases'] as const) {
    expect(listing[list].slice(0, plain[list].length)).toEqual(plain[list]);
    expect(new Set(listing[list].map(({ id }) => id)).size).toBe(listing[list].length);
  }
  expect(listing.services).toHaveLength(10_000);
  expect(listing.services.at(-1)).toEqual({ id: LAST, kind: 'vps', name: 'kola-vps-10000' });
  expect(listing.services.filter(({ kind }) => kind === 'wordpress')).toHaveLength(7_997);
});

test('every service has what its kind has: metrics, a deployment, a database, actions', async () => {
  const { sandbox, signedIn } = await visitSandbox({ services: 14 });
  const { services, deployments, databases } = sandbox.listing;
  for (const { id, kind } of services.slice(4)) {
    const range = '?start=2026-03-01T10:00:00Z&end=2026-03-01T11:00:00Z&step=600';
    const metrics = await signedIn('GET', `/v1/services/${id}/metrics/history${range}`);
    expect([metrics.status, metrics.json.points.length]).toEqual([200, 6]);
    const action = await signedIn('POST', `/v1/services/${id}/actions`, { action: 'cache.flush' });
    expect(action.status).toBe(kind === 'wordpress' ? 202 : 400);
    const deployment = deployments.find(({ service }) => service === id);
    expect(deployment === undefined).toBe(kind === 'vps');
    if (deployment === undefined) continue;
    const found = await signedIn('GET', `/v1/services/${id}/deployments/${deployment.id}`);
    expect([found.status, found.json.isLive, found.json.deployment.serviceId]).toEqual([200, true, id]);
  }
  for (const { id, engine } of databases) {
    const { status, json } = await signedIn('GET', `/v1/databases/${id}`);
    expect([status, json.database.engine]).toEqual([200, engine]);
  }
  expect(new Set(databases.map(({ id }) => id)).size).toBe(12);
});

test('it says how often each service was restarted, and how many requests came', async () => {
  const { sandbox, signedIn, open } = await visitSandbox({ services: 20 });
  const restart = (id: string) => signedIn('POST', `/v1/services/${id}/restart`);
  await restart('svc_wp_00000006');
  await restart('svc_wp_00000007');
  await restart('svc_wp_00000006');
  await signedIn('POST', '/v1/services/svc_wp_00000007/actions', { action: 'cache.flush' });
  await open('GET', '/v1/user');
  await open('GET', '/nothing');
  const { requests, refused, services } = (await open('GET', '/sandbox')).json;
  expect([requests, refused, services.length]).toEqual([5, 0, 20]);
  expect(services.slice(4, 7)).toEqual([
    { id: 'svc_app_00000005', kind: 'app', name: 'kola-app-5', restarts: 0, actions: 0 },
    { id: 'svc_wp_00000006', kind: 'wordpress', name: 'kola-site-6', restarts: 2, actions: 0 },
    { id: 'svc_wp_00000007', kind: 'wordpress', name: 'kola-site-7', restarts: 1, actions: 1 },
  ]);
  expect(sandbox.report()).toEqual({ requests, refused, services });
});
