import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNamesSeen, storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const HOSTILE = ['$(touch pwned)', '-y', '`id`', 'two words', 'a;b', "it's", 'a\nb', 'é', '', 'x'.repeat(101)];

/** A folder of svc, and the address of a platform. */
interface Place {
  readonly configDir: string;
  readonly url: string;
}

const NOWHERE = 'http://127.0.0.1:9';

/** A folder of svc, and a platform that names these organizations; nowhere without one. */
async function seen(...organizations: readonly object[]): Promise<Place> {
  const configDir = await temporaryFolder();
  if (organizations.length === 0) return { configDir, url: NOWHERE };
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(200, { user: {}, organization: organizations[0], organizations });
  return { configDir, url: wire.url };
}

/** Completes the words; returns a line for each name, with its description. */
async function offered(words: readonly string[], { configDir, url }: Place): Promise<readonly string[]> {
  const { stdout } = await svc(['complete', '--', ...words, ''], { configDir, env: { SVC_API_URL: url } });
  return stdout.split('\n').filter((line) => line !== '');
}

const organizations = (run: Place) => offered(['orgs', 'use'], run);
const services = (run: Place) => offered(['restart'], run);

describe('the names that Tab offers', () => {
  test.each(['orgs --json', 'whoami'])('are those of the organizations, after svc %s', async (line) => {
    const acme = { id: 'org_1', slug: 'acme', name: 'Acme Ltd' };
    const run = await seen(acme, { id: 'org_2' }, { name: 'nameless' }, {});
    expect(await organizations(run)).toEqual([]);
    expect(await svc(line.split(' '), run)).toMatchObject({ exitCode: 0, stderr: '' });
    const both = ['acme\tAcme Ltd', 'org_2\t'];
    expect([await organizations(run), await offered(['--org'], run), await services(run)]).toEqual([both, both, []]);
  });

  test('begin with the chosen one, and keep their descriptions; one that failed is none', async () => {
    const run = await seen({ id: 'org_1', slug: 'acme', name: 'Acme' }, { id: 'org_2', slug: 'guild', name: 'Guild' });
    writeSignIns(run.configDir, storedSignIn('work', run.url));
    expect(await svc(['orgs', 'use', 'gone'], { ...run, token: null })).toMatchObject({ exitCode: 6 });
    expect(existsSync(join(run.configDir, 'cache.json'))).toBe(false);
    await svc(['orgs', 'use', 'guild'], { ...run, token: null });
    expect(await organizations(run)).toEqual(['guild\tGuild', 'acme\tAcme']);
  });

  test('are those that were typed, the last one first, each once', async () => {
    const run = await seen();
    for (const id of ['svc_1', 'svc_2', 'svc_1']) await svc(['link', id], run);
    const both = ['svc_1\t', 'svc_2\t'];
    expect([await services(run), await offered(['wp', 'run', 'x', '--service'], run)]).toEqual([both, both]);
  });

  test('are those of the series that a service has, and of the service that a database belongs to', async () => {
    const wire = await testWire();
    const points = [{ timestamp: new Date().toISOString(), cpu: 1, memory: 2 }];
    const database = { database: { id: 'db_1' }, service: { id: 'svc_2', name: 'Shop' } };
    wire.on('GET', '/v1/services/svc_1/metrics/history').always(200, { points });
    wire.on('GET', '/v1/databases/db_1').always(200, database);
    const run = { configDir: await temporaryFolder(), url: wire.url };
    for (const line of ['metrics --service svc_1', 'db inspect db_1']) {
      expect(await svc(line.split(' '), run)).toMatchObject({ exitCode: 0, stderr: '' });
    }
    expect(await offered(['metrics', '--series'], run)).toEqual(['cpu\t', 'memory\t']);
    expect(await offered(['db', 'connect'], run)).toEqual(['db_1\t']);
    expect(await services(run)).toEqual(['svc_2\tShop', 'svc_1\t']);
  });

  test('belong to an address', async () => {
    const [here, { url }] = [await seen({ slug: 'acme' }), await seen({ slug: 'guild' })];
    const there = { ...here, url };
    await svc(['orgs'], here);
    await svc(['orgs'], there);
    expect(await organizations(here)).toEqual(['acme\t']);
    expect(await organizations({ ...here, url: NOWHERE })).toEqual([]);
    const names = [url, here.url].map((address, at) => [address, { organizations: [{ name: ['guild', 'acme'][at] }] }]);
    expect(readNamesSeen(here.configDir)).toEqual(Object.fromEntries(names));
  });

  test('are no more than fifty', async () => {
    const run = await seen(...Array.from({ length: 80 }, (_, index) => ({ slug: `org-${index}` })));
    await svc(['orgs'], run);
    const names = await organizations(run);
    expect([names.length, names[0]]).toEqual([50, 'org-0\t']);
  });

  test('need no quoting in a shell, even if the file was edited', async () => {
    const run = await seen(...HOSTILE.map((slug) => ({ slug })), { slug: 'acme', name: 'A\u001b[31m\tc\nme' });
    await svc(['orgs'], run);
    const kept = { [run.url]: { organizations: [{ name: 'acme', about: 'A\u001b[31m\tc\nme' }] } };
    expect(readNamesSeen(run.configDir)).toEqual(kept);
    expect(await organizations(run)).toEqual([expect.stringMatching(/^acme\tA\P{Cc}+ c me$/u)]);
    const names = [...HOSTILE, 'fine'].map((name) => ({ name }));
    writeNamesSeen(run.configDir, { [run.url]: { organizations: names } });
    expect(await organizations(run)).toEqual(['fine\t']);
  });

  test.each(['', 'null', '{', '{"names":1}', `{"names":{"${NOWHERE}":1}}`, `{"names":{"${NOWHERE}":{"services":{}}}}`])(
    'a file with %j in it counts as empty, and is replaced',
    async (text) => {
      const run = await seen();
      await writeFile(join(run.configDir, 'cache.json'), text);
      expect(await services(run)).toEqual([]);
      expect(await svc(['link', 'svc_1'], run)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await services(run)).toEqual(['svc_1\t']);
    },
  );
});

test('the file of names is written only if there is something new, and for its owner alone', async () => {
  const run = await seen({ slug: 'acme' });
  const file = join(run.configDir, 'cache.json');
  await svc(['orgs'], run);
  const before = await stat(file);
  expect(before.mode & 0o777).toBe(0o600);
  await svc(['orgs'], run);
  expect((await stat(file)).ino).toBe(before.ino);
});

test('nothing is remembered in a pipeline, without a folder, or where it cannot be written', async () => {
  const run = await seen({ slug: 'acme' });
  const [cache, none] = [join(run.configDir, 'cache.json'), join(run.configDir, 'none')];
  for (const options of [{ env: { CI: 'true' } }, { configDir: none }]) {
    expect(await svc(['orgs'], { ...run, ...options })).toMatchObject({ exitCode: 0, stderr: '' });
  }
  expect([existsSync(cache), existsSync(none)]).toEqual([false, false]);
  await mkdir(join(cache, 'inside'), { recursive: true });
  expect(await svc(['orgs'], run)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await organizations(run)).toEqual([]);
  expect(existsSync(join(cache, 'inside'))).toBe(true);
});
