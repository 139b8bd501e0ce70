import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNamesSeen, writeNamesSeen } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TERMINAL = { columns: 100, rows: 30 };
const PIPE = { terminal: undefined };
const DASHBOARD = 'https://dash.example.com';
const BLOG = { name: 'svc_1', about: 'kola-blog' };

/** A service, and a machine that has seen these names there. */
async function machine(seen: object = { services: [BLOG, { name: 'svc_2', about: 'shop' }] }) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  mkdirSync(configDir, { recursive: true });
  writeNamesSeen(configDir, { [wire.url]: seen });
  const run = (line: string, more: RunOptions = {}) =>
    svc(line.split(' '), { configDir, url: wire.url, terminal: TERMINAL, ...more });
  return { wire, configDir, run };
}

const ON_WIRE = { success: true };
const person = (stdin: string) => ({ stdin, env: { ACCESSIBLE: '1' } });

describe('on a terminal, an id may be a name', () => {
  test('a read says which id it took', async () => {
    const { wire, run } = await machine({ databases: [{ name: 'db_1', about: 'orders' }] });
    wire.on('GET', '/v1/databases/db_1').reply(200, { database: { id: 'db_1', name: 'orders' } });
    const { exitCode, stderr } = await run('db inspect orders');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('orders is db_1.')]);
  });

  test('a change shows it and asks; nothing is sent without a yes', async () => {
    const { wire, run } = await machine();
    const refused = await run('restart --service kola-blog', person('n\n'));
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Cancelled. Nothing was sent.') });
    expect(wire.requests).toEqual([]);
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, ON_WIRE);
    const agreed = await run('restart kola-blog', person('y\n'));
    expect([agreed.exitCode, agreed.shown]).toEqual([0, expect.stringContaining('kola-blog is svc_1.')]);
  });

  test('a name of several is refused with their ids', async () => {
    const { run } = await machine({ services: [BLOG, { name: 'svc_9', about: 'kola-blog' }] });
    const said = '"kola-blog" is the name of several services.\n  Give the id of one: svc_1, svc_9';
    expect(await run('metrics kola-blog')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
  });

  test('an id that was seen is never taken for a name', async () => {
    const { wire, run } = await machine({ services: [BLOG, { name: 'svc_2', about: 'svc_1' }] });
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, ON_WIRE);
    expect(await run('restart svc_1')).toMatchObject({ exitCode: 0 });
  });

  test('a name of another organization is sent as it is', async () => {
    const { wire, run } = await machine({ services: [{ ...BLOG, org: 'acme' }] });
    wire.on('POST', '/v1/services/kola-blog/restart').reply(404, { error: 'nothing here' });
    expect(await run('restart kola-blog --org guild')).toMatchObject({ exitCode: 6 });
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, ON_WIRE);
    expect(await run('restart kola-blog --org acme', person('y\n'))).toMatchObject({ exitCode: 0 });
  });
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
});

test('the names of services are those of their answers, with the organization in use', async () => {
  const { wire, configDir, run } = await machine({});
  const answer = { ...ON_WIRE, service: { id: 'svc_1', name: 'kola-blog' } };
  wire.on('POST', '/v1/services/svc_1/restart').reply(200, answer);
  await run('restart svc_1 --org acme', PIPE);
  expect(readNamesSeen(configDir)[wire.url]?.['services']).toEqual([{ ...BLOG, org: 'acme' }]);
});

describe('the address of a page in the dashboard', () => {
  test.each(['services/svc_1', 'services/svc_1/metrics?range=1h#cpu', 'organizations/acme/services/svc_1/'])(
    '%s is the id in it, also in a pipe',
    async (page) => {
      const { wire, run } = await machine();
      wire.on('POST', '/v1/services/svc_1/restart').reply(200, ON_WIRE);
      expect(await run(`restart ${DASHBOARD}/${page}`, PIPE)).toMatchObject({ exitCode: 0 });
    },
  );

  test.each([
    [`restart ${DASHBOARD}/billing`, {}],
    [`restart --service ${DASHBOARD}/services/`, {}],
    [`db inspect ${DASHBOARD}/services/svc_1`, {}],
    [`restart ${DASHBOARD}/services/svc_1 svc_2`, {}],
    ['metrics', { env: { SVC_SERVICE: `${DASHBOARD}/services/svc_1` } }],
  ])('svc %s: any other is refused', async (line, more) => {
    const { run } = await machine();
    const stderr = expect.stringContaining('is an address, not an id');
    expect(await run(line, { ...PIPE, ...more })).toMatchObject({ exitCode: 2, stderr });
  });

  test('of another dashboard than the one in the settings is refused', async () => {
    const { configDir, run } = await machine();
    writeFileSync(join(configDir, 'config.json'), JSON.stringify({ dashboard: DASHBOARD }));
    expect(await run('restart https://other.example.com/services/svc_1')).toMatchObject({ exitCode: 2 });
  });
});

test('white space around an id is left out', async () => {
  const { wire, configDir } = await machine();
  wire.on('POST', '/v1/services/svc_1/restart').reply(200, ON_WIRE);
  expect(await svc(['restart', ' svc_1\n'], { configDir, url: wire.url })).toMatchObject({ exitCode: 0 });
});

test('where a dashboard is known, an id on a screen is a link to its page, on a terminal with links', async () => {
  const env = { TERM: 'xterm-kitty', SVC_SERVICE: 'svc_1' };
  const page = `\u001b]8;;${DASHBOARD}/services/svc_1\u001b\\`;
  const { configDir, run } = await machine();
  expect((await run('', { env })).stdout).not.toContain('\u001b]8;;');
  writeFileSync(join(configDir, 'config.json'), JSON.stringify({ dashboard: DASHBOARD }));
  expect((await svc([], { configDir, env, terminal: TERMINAL })).stdout).not.toContain(page);
  expect((await run('home', { env })).stdout).toContain(`${page}kola-blog (svc_1)`);
  expect((await run('home', { env, ...PIPE })).stdout).not.toContain('\u001b');
});
