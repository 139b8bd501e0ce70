import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNamesSeen, writeNamesSeen } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const PIPE = { terminal: undefined };
const DASHBOARD = 'https://dash.example.com';
const BLOG = { name: 'svc_1', about: 'kola-blog' };

/** A platform, and a terminal on a machine that has seen these names there. */
async function machine(seen: object = { services: [BLOG] }) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  writeNamesSeen(configDir, { [wire.url]: seen });
  const run = (line: string | string[], more: RunOptions = {}) => {
    const words = typeof line === 'string' ? line.split(' ') : line;
    return svc(words, { configDir, url: wire.url, terminal: { columns: 100, rows: 30 }, ...more });
  };
  return { wire, configDir, run };
}

const RESTARTED = { success: true, service: { id: 'svc_1', name: 'kola-blog' } };
const person = (stdin: string) => ({ stdin, env: { ACCESSIBLE: '1' } });

test('on a terminal, an id may be a name: a change shows the id and asks, and nothing is sent without a yes', async () => {
  const { wire, run } = await machine();
  const refused = await run('restart --service kola-blog', person('n\n'));
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Nothing was sent.'),
  });
  expect(wire.requests).toEqual([]);
  wire.on('POST', '/v1/services/svc_1/restart').reply(200, RESTARTED);
  const agreed = await run('restart kola-blog', person('y\n'));
  expect([agreed.exitCode, agreed.shown]).toEqual([
    0,
    expect.stringContaining('Run svc restart for kola-blog (svc_1)?'),
  ]);
});

test('a read and a dry run work on the id that a name has, and do not ask', async () => {
  const { wire, run } = await machine({
    services: [BLOG],
    databases: [{ name: 'db_1', about: 'orders' }],
  });
  wire.on('GET', '/v1/databases/db_1').reply(200, { database: { id: 'db_1', name: 'orders' } });

  const look = await run('db inspect Orders');
  const dryRun = await run('restart kola-blog --dry-run');

  expect(look.shown).toContain('Id  db_1');
  expect(dryRun).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('services/svc_1/') });
});

test('a name of several is refused with their ids, and an id that was seen is never taken for a name', async () => {
  const { wire, run } = await machine({
    services: [BLOG, { name: 'svc_9', about: 'kola-blog' }, { name: 'svc_2', about: 'svc_1' }],
  });
  const stderr = expect.stringContaining('Give the id of one: svc_1, svc_9');
  expect(await run('metrics kola-blog')).toMatchObject({ exitCode: 2, stderr });
  wire.on('POST', '/v1/services/svc_1/restart').reply(200, RESTARTED);
  expect(await run('restart svc_1')).toMatchObject({ exitCode: 0 });
});

test.each([
  ['restart -s Kola-Blog --dry-run', 'services/svc_1/'],
  ['domains add kola.example -s KOLA-BLOG --dry-run', '--service svc_1 '],
])('a name is known in any case: svc %s', async (line, shown) => {
  const { run } = await machine();

  expect((await run(line)).shown).toContain(shown);
});

test('of two services whose names differ in case alone, a name is the one that is written so', async () => {
  const { run } = await machine({ services: [BLOG, { name: 'svc_2', about: 'Kola-Blog' }] });

  expect((await run('restart Kola-Blog --dry-run')).shown).toContain('services/svc_2/');
  expect(await run('restart KOLA-BLOG --dry-run')).toMatchObject({ exitCode: 2 });
});

test('names belong to the organization in use when they were seen', async () => {
  const { wire, configDir, run } = await machine({});
  wire.on('POST', '/v1/services/svc_1/restart').always(200, RESTARTED);
  await run('restart svc_1 --org acme', PIPE);
  expect(readNamesSeen(configDir)[wire.url]?.['services']).toEqual([{ ...BLOG, org: 'acme' }]);
  wire.on('POST', '/v1/services/kola-blog/restart').reply(404, { error: 'nothing here' });
  expect(await run('restart kola-blog --org guild')).toMatchObject({ exitCode: 6 });
  expect(await run('restart kola-blog --org acme', person('y\n'))).toMatchObject({ exitCode: 0 });
});

test.each([
  ['restart kola-blog', 'kola', ' in kola.', 'svc restart svc_1 --org kola'],
  ['restart kola-blog --org acme', 'kola', ' in kola.', 'svc orgs'],
  ['restart kola-blog', undefined, ' in your first organization.', 'svc orgs'],
  ['restart kola-blog', 'acme', '. Scripts and lists take ids.', 'svc restart svc_1'],
])('svc %s, a name seen in %s, is told where it is one', async (line, org, where, next) => {
  const { wire, run } = await machine({ services: [{ ...BLOG, org }] });
  wire.on('POST', '/v1/services/kola-blog/restart').reply(404, { error: 'No such service' });

  const refused = await run(`${line} --yes`, { ...PIPE, env: { SVC_ORG: 'acme' } });

  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toContain(`kola-blog is the name of svc_1${where}`);
  expect(refused.stderr).toContain(`Try: ${next}`);
});

test.each([
  ['in a pipe', 'restart kola-blog', PIPE],
  ['with --yes', 'restart kola-blog --yes', {}],
  ['with --json', 'restart kola-blog --json', {}],
  ['in a list', 'restart kola-blog --concurrency 1', {}],
])('%s only ids count', async (_where, line, more) => {
  const { wire, run } = await machine();
  wire.on('POST', '/v1/services/kola-blog/restart').always(404, { error: 'nothing here' });
  expect(await run(line, more)).toMatchObject({ exitCode: 6 });
  expect(wire.requests.map(({ path }) => path)).toEqual(['/v1/services/kola-blog/restart']);
});

test('blanks around an id are no part of it, also in a pipe', async () => {
  const { wire, run } = await machine();
  wire.on('POST', '/v1/services/svc_1/restart').reply(200, RESTARTED);

  expect(await run(['restart', ' svc_1\n'], PIPE)).toMatchObject({ exitCode: 0 });
});

test.each([
  [`restart ${DASHBOARD}/services/svc_1`, {}],
  [`db inspect ${DASHBOARD}/databases/db_1`, {}],
  ['metrics', { env: { SVC_SERVICE: `${DASHBOARD}/services/svc_1` } }],
])('svc %s: an address is refused in place of an id', async (line, more) => {
  const { configDir, run } = await machine();
  writeFileSync(join(configDir, 'config.json'), JSON.stringify({ dashboard: DASHBOARD }));
  const stderr = expect.stringContaining('is an address, not an id');
  expect(await run(line, { ...PIPE, ...more })).toMatchObject({ exitCode: 2, stderr });
});

test('a deployment that is picked is looked at on its service, which nobody is asked for', async () => {
  const { wire, run } = await machine({
    services: [BLOG, { name: 'svc_2', about: 'shop' }],
    deployments: [{ name: 'dep_1', about: 'svc_2' }],
  });
  wire
    .on('GET', '/v1/services/svc_2/deployments/dep_1')
    .reply(200, { deployment: { id: 'dep_1', status: 'live' } });

  const look = await run('deployments inspect', person('1\n'));

  expect(look.exitCode).toBe(0);
  expect(look.shown).toContain('Which deployment?');
  expect(look.shown).not.toContain('Which service?');
});

test('a move is staged on a service by its name and its id', async () => {
  const { wire, run } = await machine();
  wire.on('POST', '/v1/domains/import/scan').reply(200, {
    records: [{ subdomain: '', type: 'A', value: '203.0.113.7', ttl: 300 }],
  });

  const add = await run('domains add kola.example -s kola-blog --import', person('n\n'));

  expect(add.shown).toContain('Stage 1 record of kola.example on kola-blog (svc_1)?');
});
