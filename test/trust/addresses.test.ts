import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { type Service, testService } from './service.ts';
import { SECRETS } from './uses.ts';

async function signedInService(): Promise<Service> {
  const service = await testService();
  service.expect(({ response }) => send(response, 200, { user: { email: 'marie@example.com' } }));
  return service;
}

test('a stored token goes to the address of its login and to no other: scheme, host, port and path count', async () => {
  const service = await signedInService();
  const other = await signedInService();
  const configDir = await temporaryFolder();
  const own = `${service.url}/base`;
  const login = ['login', '--with-token', '--api-url', own];
  expect((await svc(login, { configDir, stdin: SECRETS.token })).exitCode).toBe(0);
  const whoami = (url: string) => svc(['whoami', '--json', '--api-url', url], { configDir });
  for (const same of [own, `${own}/`, own.replace('http:', 'HTTP:')]) {
    expect((await whoami(same)).exitCode, same).toBe(0);
  }
  const sent = service.requests.length;
  const others = [
    service.url,
    `${own}/more`,
    `${service.url}/Base`,
    own.replace('http:', 'https:'),
    own.replace('127.0.0.1', 'localhost'),
    own.replace('127.0.0.1', '127.0.0.2'),
    `${other.url}/base`,
  ];
  for (const url of others) {
    const { exitCode, error } = await whoami(url);
    expect([url, exitCode, error['code']]).toEqual([url, 4, 'unauthenticated']);
  }
  expect([service.requests.length, other.requests.length]).toEqual([sent, 0]);
});

test('nothing in the folder says where requests go, or what they carry', async () => {
  const [service, trap] = [await signedInService(), await signedInService()];
  const cwd = await temporaryFolder();
  const token = 'svc_planted_0123456789';
  const address = Object.fromEntries(['apiUrl', 'api_url', 'url', 'baseUrl', 'proxy'].map((name) => [name, trap.url]));
  const planted = JSON.stringify({ ...address, token, profile: 'planted', assume: { 'job.path': trap.url } });
  for (const name of ['.svc.json', 'config.json', 'credentials.json', '.npmrc', '.svcrc']) {
    writeFileSync(join(cwd, name), planted);
  }
  writeFileSync(join(cwd, '.env'), `SVC_API_URL=${trap.url}\nSVC_TOKEN=${token}\n`);
  expect((await svc(['whoami'], { url: service.url, token: SECRETS.token, cwd })).exitCode).toBe(0);
  expect(service.requests.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${SECRETS.token}`]);
  const stderr = expect.stringContaining('SVC_API_URL');
  expect(await svc(['whoami'], { cwd })).toMatchObject({ exitCode: 2, stderr });
  expect(trap.connections()).toBe(0);
});
