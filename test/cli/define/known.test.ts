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

test('they are those of series and databases too, and those that were typed, the last one first', async () => {
  const wire = await testWire();
  const points = [{ timestamp: new Date().toISOString(), cpu: 1, memory: 2 }];
  const database = { database: { id: 'db_1' }, service: { id: 'svc_2', name: 'Shop' } };
  wire.on('GET', '/v1/services/svc_1/metrics/history').always(200, { points });
  wire.on('GET', '/v1/databases/db_1').always(200, database);
  const run = { configDir: await temporaryFolder(), url: wire.url };
  for (const line of ['link svc_3', 'metrics --service svc_1', 'db inspect db_1'])
    await svc(line.split(' '), run);
  expect(await offered('metrics --series', run)).toEqual(['cpu\t', 'memory\t']);
  expect(await offered('db connect', run)).toEqual(['db_1\t']);
  expect(await offered('restart', run)).toEqual(['svc_2\tShop', 'svc_1\t', 'svc_3\t']);
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
    const run = { configDir: await temporaryFolder(), url: 'http://127.0.0.1:9' };
    await writeFile(join(run.configDir, 'cache.json'), text);
    expect(await svc(['link', 'svc_1'], run)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await offered('restart', run)).toEqual(['svc_1\t']);
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
