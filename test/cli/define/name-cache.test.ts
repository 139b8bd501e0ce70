import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const HOSTILE = [
  '$(touch pwned)',
  '-y',
  '`id`',
  'two words',
  "it's",
  'a\nb',
  'é',
  '',
  'x'.repeat(101),
];

/** A folder of svc, and a platform that names these organizations. */
async function seen(...organizations: readonly object[]) {
  const configDir = await temporaryFolder();
  const wire = await testWire();
  wire
    .on('GET', '/v1/user')
    .always(200, { user: {}, organization: organizations[0], organizations });
  return { configDir, url: wire.url };
}

/** Completes the words; returns a line for each name, with its description. */
async function offered(line: string, { configDir, url }: { configDir: string; url: string }) {
  const { stdout } = await svc(['complete', '--', ...line.split(' '), ''], {
    configDir,
    env: { SVC_API_URL: url },
  });
  return stdout.split('\n').filter((one) => one !== '');
}

test('the names that Tab offers are those that the platform named, the chosen one first', async () => {
  const run = await seen(
    { id: 'org_1', slug: 'acme', name: 'Acme' },
    { id: 'org_2' },
    { name: 'nameless' },
    {},
  );
  writeSignIns(run.configDir, storedSignIn('work', run.url));
  await svc(['whoami'], run);
  expect(await offered('orgs use', run)).toEqual(['acme\tAcme', 'org_2\t']);
  await svc(['orgs', 'use', 'org_2'], { ...run, token: null });
  expect(await offered('--org', run)).toEqual(['org_2\t', 'acme\tAcme']);
  expect(await offered('restart', run)).toEqual([]);
});

test('they are those of series and databases too, and of what an answer was about, the last one first', async () => {
  const wire = await testWire();
  const points = [{ timestamp: new Date().toISOString(), cpu: 1, memory: 2 }];
  const database = { database: { id: 'db_1' }, service: { id: 'svc_2', name: 'Shop' } };
  wire.on('GET', '/v1/services/svc_1/metrics/history').always(200, { points });
  wire.on('GET', '/v1/services/svc_1/deployments/dep_1').reply(200, { deployment: {} });
  wire.on('POST', '/v1/services/svc_1/actions').reply(202, { jobId: 'job_1' });
  wire.on('GET', '/v1/databases/db_1').always(200, database);
  const run = { configDir: await temporaryFolder(), url: wire.url };
  for (const line of [
    'metrics --service svc_1',
    'deployments inspect dep_1 --service svc_1',
    'wp run cache.flush --service svc_1',
    'db inspect db_1',
  ]) {
    await svc(line.split(' '), run);
  }

  expect(await offered('metrics --series', run)).toEqual(['cpu\t', 'memory\t']);
  expect(await offered('deployments inspect', run)).toEqual(['dep_1\tsvc_1']);
  expect(await offered('wp run', run)).toEqual(['cache.flush\t']);
  expect(await offered('db connect', run)).toEqual(['db_1\t']);
  expect(await offered('restart', run)).toEqual(['svc_2\tShop', 'svc_1\t']);
});

test.each([
  'link svc_typo',
  'restart svc_typo --dry-run',
  'wp run cache.flush -s svc_typo --dry-run',
])('svc %s asks nobody, so Tab does not offer what was typed', async (line) => {
  const run = {
    configDir: await temporaryFolder(),
    url: 'http://127.0.0.1:9',
    cwd: await temporaryFolder(),
  };

  expect(await svc(line.split(' '), run)).toMatchObject({ exitCode: 0 });
  expect(await offered('restart', run)).toEqual([]);
  expect(await offered('wp run', run)).toEqual([]);
});

const MISSING = { error: 'There is no such service.' };

/** Restarts a service that Tab knows, and returns what Tab offers after this answer. */
async function offeredAfter(status: number, body: unknown, ...words: readonly string[]) {
  const wire = await testWire();
  wire.on('POST', '/v1/services/svc_1/restart').reply(status, body);
  const run = { configDir: await temporaryFolder(), url: wire.url };
  const services = [{ name: 'svc_1', about: 'Shop' }];
  writeNamesSeen(run.configDir, { [wire.url]: { services } });

  await svc(['restart', 'svc_1', ...words], run);

  return offered('restart', run);
}

test('a service that the platform does not know is no longer offered', async () => {
  expect(await offeredAfter(404, MISSING)).toEqual([]);
});

test.each([
  ['a web page', 404, '<html>Not found</html>'],
  ['JSON without an error', 404, { detail: 'gone' }],
  ['another refusal', 403, MISSING],
])('%s does not say that a service is gone', async (_answer, status, body) => {
  expect(await offeredAfter(status, body)).toEqual(['svc_1\tShop']);
});

test('a service that another organization does not have is still offered', async () => {
  expect(await offeredAfter(404, MISSING, '--org', 'guild')).toEqual(['svc_1\tShop']);
});

test('a 404 of a deployment forgets the deployment, and that of a job nothing', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/services/svc_1/deployments/dep_1').reply(404, MISSING);
  wire.on('GET', '/v1/services/svc_1/actions/job_1').always(404, MISSING);
  const run = { configDir: await temporaryFolder(), url: wire.url };
  const services = [{ name: 'svc_1' }];
  const deployments = [{ name: 'dep_1', about: 'svc_1' }];
  writeNamesSeen(run.configDir, { [wire.url]: { services, deployments } });

  await svc(['deployments', 'inspect', 'dep_1', '--service', 'svc_1'], run);
  await svc(['wp', 'status', 'job_1', '--service', 'svc_1'], run);

  expect(await offered('deployments inspect', run)).toEqual([]);
  expect(await offered('restart', run)).toEqual(['svc_1\t']);
});

test('they belong to an address, and are no more than fifty', async () => {
  const here = await seen(...Array.from({ length: 80 }, (_, index) => ({ slug: `org-${index}` })));
  const there = { ...(await seen({ slug: 'guild' })), configDir: here.configDir };
  await svc(['orgs'], here);
  await svc(['orgs'], there);
  const names = await offered('orgs use', here);
  expect([names.length, names[0]]).toEqual([50, 'org-0\t']);
  expect(await offered('orgs use', there)).toEqual(['guild\t']);
  expect(await offered('orgs use', { ...here, url: 'http://127.0.0.1:9' })).toEqual([]);
});

test('they need no quoting in a shell, even if the file was edited', async () => {
  const run = await seen(...HOSTILE.map((slug) => ({ slug })), {
    slug: 'acme',
    name: 'A\u001b[31m\tc\nme',
  });
  await svc(['orgs'], run);
  expect(await offered('orgs use', run)).toEqual([expect.stringMatching(/^acme\tA\P{Cc}+ c me$/u)]);
  const names = [...HOSTILE, 'fine'].map((name) => ({ name }));
  writeNamesSeen(run.configDir, { [run.url]: { organizations: names } });
  expect(await offered('orgs use', run)).toEqual(['fine\t']);
});

test.each(['', '{"names":{"http://127.0.0.1:9":{"services":{}}}}'])(
  'a file with %j counts as empty',
  async (text) => {
    const run = await seen({ slug: 'acme', name: 'Acme' });
    await writeFile(join(run.configDir, 'cache.json'), text);
    expect(await svc(['orgs'], run)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await offered('orgs use', run)).toEqual(['acme\tAcme']);
  },
);

test('the file is for its owner alone; nothing is kept in a pipeline or without a folder', async () => {
  const run = await seen({ slug: 'acme' });
  const [cache, none] = [join(run.configDir, 'cache.json'), join(run.configDir, 'none')];
  for (const options of [{ env: { CI: 'true' } }, { configDir: none }]) {
    expect(await svc(['orgs'], { ...run, ...options })).toMatchObject({ exitCode: 0, stderr: '' });
  }
  expect([existsSync(cache), existsSync(none)]).toEqual([false, false]);
  await svc(['orgs'], run);
  expect((await stat(cache)).mode & 0o777).toBe(0o600);
});
