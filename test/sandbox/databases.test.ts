import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

const CREDENTIALS = ['connectionUrl', 'username', 'password'];

test('there is a postgres, a mysql and a redis database, and their owner sees their credentials', async () => {
  const { sandbox, signedIn } = await visitSandbox();
  expect(sandbox.listing.databases.map(({ engine }) => engine)).toEqual(['postgres', 'mysql', 'redis']);
  for (const { id, engine } of sandbox.listing.databases) {
    const { status, json } = await signedIn('GET', `/v1/databases/${id}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ database: { id, engine }, plan: { id: 'plan_db_small' }, credentialsIncluded: true });
    expect(sandbox.listing.services).toContainEqual(json.service);
    const url = new URL(json.connectionUrl);
    expect([decodeURIComponent(url.username), decodeURIComponent(url.password)]).toEqual([
      json.username,
      json.password,
    ]);
    expect(url.hostname).toMatch(/\.example$/);
  }
});

test('the same database is seen from the second organization, without its credentials', async () => {
  const { sandbox, signedIn } = await visitSandbox();
  const [first, ...others] = sandbox.listing.databases;
  const asMember = { 'X-Service-Org': 'baobab-travel' };
  const { status, json, text } = await signedIn('GET', `/v1/databases/${first?.id}`, undefined, asMember);
  expect(status).toBe(200);
  expect(json.credentialsIncluded).toBe(false);
  for (const field of CREDENTIALS) expect(json).not.toHaveProperty(field);
  expect(text).not.toContain('not-a-secret');
  for (const { id } of others) {
    expect((await signedIn('GET', `/v1/databases/${id}`, undefined, asMember)).status).toBe(404);
  }
});
