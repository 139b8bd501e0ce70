import { describe, expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { loadTools, nextOf } from '../../src/mcp/tools.ts';
import { ALLOWED, connect, type Env, inSandbox, sandboxWith, wireEnv } from '../support/mcp.ts';
import { svc } from '../support/svc.ts';
import { tokensIn } from '../support/tokens.ts';
import { testWire } from '../support/wire.ts';

const MAX_TOKENS = { readOnlyList: 2_000, list: 3_500, error: 400 };

/** What a model cannot do with its tools. */
const SHELL = [
  /(?:^|[\s("'])--[a-z]/,
  /\bSVC_[A-Z]/,
  new RegExp(`\\bsvc (?:${TREE.map(({ name }) => name).join('|')})\\b`),
];

function shellIn(text: string): string[] {
  return SHELL.filter((words) => words.test(text)).map((words) => `${words} in: ${text}`);
}

describe('the list of tools', () => {
  test.each([
    ['by default', [], MAX_TOKENS.readOnlyList],
    ['with all that can be allowed', ALLOWED, MAX_TOKENS.list],
  ])('costs a model few tokens %s', async (_what, allowed, most) => {
    const { tools } = await (await inSandbox(allowed)).client.listTools();
    expect(tokensIn(JSON.stringify(tools))).toBeLessThanOrEqual(most);
  });

  test('says when to use each tool and how long its answer is, in words of tools, with one type for each name', async () => {
    const { client } = await inSandbox();
    const { tools } = await client.listTools();
    const names = [...tools.map(({ name }) => name), 'credit_card', 'in_doubt'];
    const types: Record<string, unknown> = {};
    expect(shellIn(JSON.stringify([tools, client.getInstructions()]))).toEqual([]);
    for (const { name, title, description = '', annotations, inputSchema } of tools) {
      expect(title, name).toMatch(/^[A-Z][\w, ]+$/);
      expect(description, name).toMatch(/\b\d+ tokens/);
      for (const other of description.match(/\b[a-z]+_[a-z]+\b/g) ?? []) expect(names, name).toContain(other);
      const ofChanges = annotations?.readOnlyHint ? [] : ['destructiveHint', 'idempotentHint'];
      expect(Object.keys(annotations ?? {}).sort(), name).toEqual([...ofChanges, 'openWorldHint', 'readOnlyHint']);
      // Two equal calls of buy are two orders.
      if (!annotations?.readOnlyHint) expect(annotations?.idempotentHint, name).toBe(name === 'domains_add');
      for (const [key, property] of Object.entries(inputSchema.properties ?? {})) {
        const { type } = property as { type: unknown };
        types[key] ??= type;
        expect(type, key).toBe(types[key]);
        expect(key).not.toMatch(/.Id$/);
      }
    }
    expect(types).toMatchObject({ quantity: 'integer', step: 'integer', waitTimeout: 'integer' });
  });
});

describe('an answer', () => {
  test('of metrics has figures of each series, and values only when they are asked for, thinned', async () => {
    const { call } = await inSandbox();
    const { data } = await call('metrics', { since: '7d', series: 'cpu' });
    expect(data).toMatchObject({ points: expect.any(Number), series: [{ name: 'cpuPercent', unit: '%' }] });
    const [figures = {}] = data['series'] as object[];
    expect(Object.keys(figures)).toEqual(['name', 'unit', 'lastAt', 'last', 'min', 'avg', 'p95', 'max']);
    const long = await call('metrics', { since: '30d', step: 3_600, points: true });
    expect(long).toMatchObject({ isError: false, data: { partSeconds: 43_200 } });
    const { series } = long.data as { series: { values: unknown[] }[] };
    expect(series.map(({ values }) => values.length)).toEqual(series.map(() => 60));
  });

  test('with warnings carries them; the first one says whose account it is from', async () => {
    const { call } = await inSandbox();
    const account = 'Account: amina@kola-studio.example, organization Kola Studio.';
    expect((await call('billing_autopay')).notes).toEqual([account]);
    expect((await call('billing_autopay')).notes).toEqual([]);
    const { notes } = await call('domains_import', { domain: 'baobab-travel.example' });
    expect(notes.join('\n')).toMatch(/cannot be staged/);
  });
});

describe('an error', () => {
  // biome-ignore format: a table
  const MISTAKES: ReadonlyArray<readonly [tool: string, args: Record<string, unknown>]> = [
    ['metrics', { service: 'nobodys' }], ['metrics', { since: '1h', until: '2h' }],
    ['metrics', { series: 'nope' }], ['metrics', { step: -1 }], ['db_inspect', { database: 'nope' }], ['domains_import', { domain: 'www.kola-studio.example' }],
    ['domains_status', { domain: 'kola-studio.example' }],
    ['domains_status', { domain: 'kola-studio.example', nameserver: ['a b'] }], ['domains_add', { domain: 'kola-studio.example' }],
    ['wp_run', { action: 'nope' }], ['wp_run', { action: 'cache.flush', param: ['x'] }], ['buy', {}],
    ['buy', { plan: 'plan_wp_pro', payment: 'credit_card' }], ['buy', { plan: 'plan_wp_pro', item: ['plan=x'] }], ['buy', { plan: 'plan_wp_pro', phone: '12', network: 'mtn' }],
    ['buy', { resume: 'nope' }], ['whoami', { org: 'nobodys' }], ['whoami', { jq: '.a[' }], ['whoami', { jq: 'error("x")' }],
    ['login', { complete: true }], ['restart', { servise: 'x' }], ['status', {}], ['restart', {}], ['metrics', {}], ['whoami', {}],
  ];

  // biome-ignore format: a table
  test.each<[situation: string, env: Env]>([
    ['signed in', {}],
    ['without a service', { SVC_SERVICE: undefined }],
    ['with a token that the platform refuses', { SVC_TOKEN: 'svc_wrong' }],
    ['without an address', { SVC_API_URL: undefined, SVC_TOKEN: undefined }],
    ['with an address that nobody answers', { SVC_API_URL: 'http://127.0.0.1:1', SVC_NO_RETRY: '1' }],
    ['with settings that make no sense', { SVC_DNS_SERVER: 'a b c', SVC_ASSUME: 'x' }],
  ])('%s is short', async (_, env) => {
    const { call } = await inSandbox(ALLOWED, env);
    const answers = [];
    for (const [tool, args] of MISTAKES) answers.push(await call(tool, args));
    const errors = answers.filter(({ isError }) => isError).map(({ text }) => text);
    expect(errors.filter((text) => tokensIn(text) > MAX_TOKENS.error)).toEqual([]);
    expect(errors.length).toBeGreaterThan(15);
  });

  test.each([400, 401, 429, 500])('of status %i is short, whatever the platform says', async (status) => {
    const wire = await testWire();
    const error = { field: 'x'.repeat(5_000) };
    wire.on('GET', '/v1/databases/db_1').always(status, { error }, { 'retry-after': '99999' });
    const { call } = await connect({ env: { ...(await wireEnv(wire.url)), SVC_NO_RETRY: '1' }, args: ALLOWED });
    const { isError, text } = await call('db_inspect', { database: 'db_1' });
    expect([isError, tokensIn(text) <= MAX_TOKENS.error]).toEqual([true, true]);
  });

  test('hands over the next call as data, and to the person what only a person can run', async () => {
    const { call, sandbox } = await inSandbox(ALLOWED, { SVC_SERVICE: undefined });
    const orgs = { tool: 'orgs_list', arguments: {} };
    expect((await call('db_inspect', { database: 'nope' })).data['next']).toEqual([orgs]);
    const service = sandbox.listing.services[0]?.id;
    await call('metrics', { service });
    expect((await call('restart', { dryRun: true, org: 'kola-studio' })).data['next']).toContainEqual({
      tool: 'restart',
      arguments: { service, dryRun: true, org: 'kola-studio' },
    });
    const { data } = await call('buy', { plan: 'plan_wp_pro', network: 'mtn', phone: '+237670000042' });
    expect(data).toMatchObject({ nextBy: 'person', next: [{ askPersonToRun: expect.stringMatching(/^svc buy /) }] });
  });
});

/** A command line that an error proposes, and the call that it is; without one it is for the person. */
// biome-ignore format: a table
const PROPOSED: ReadonlyArray<readonly [line: string, tool?: string, args?: object]> = [
  ['svc orgs', 'orgs_list', {}],
  ['svc --json domains import a.example', 'domains_import', { domain: 'a.example' }],
  ["svc buy --item 'plan=a b' --item plan=c --quantity 2", 'buy', { item: ['plan=a b', 'plan=c'], quantity: 2 }],
  ['svc wp run cache.flush --wait-timeout 5m --no-retry', 'wp_run', { action: 'cache.flush', waitTimeout: 300 }],
  ['svc status --org acme --service svc_1', 'status', { org: 'acme' }],
  // A service that a person has fixed is the only one.
  ['svc status --service svc_2'],
  ['svc config set agents.spend allow'],
  ['svc buy --plan p --yes'],
  ['svc login --profile work'],
  ['svc db inspect db_1 --reveal'],
  ['svc restart --help'],
  ['svc restart svc_a svc_b'],
  ['unset SVC_TOKEN; svc login'],
];

test('what an error proposes is a call, or for the person if the tools cannot do it or the error says so', async () => {
  const serving = async (service: string | undefined) => {
    const pins = { org: undefined, service };
    return { tools: await loadTools(TREE, pins), tree: TREE, pins, globals: ['--no-retry'] };
  };
  const [free, pinned] = [await serving(undefined), await serving('svc_1')];
  for (const [line, tool, args] of PROPOSED) {
    const expected = tool === undefined ? { askPersonToRun: line } : { tool, arguments: args };
    expect(await nextOf(line, undefined, line.startsWith('svc status') ? pinned : free)).toEqual(expected);
  }
  expect(await nextOf('svc --json orgs', 'person', free)).toEqual({ askPersonToRun: 'svc orgs' });
});

test('a blank setting counts as unset for tools, and only for them', async () => {
  const { env, sandbox } = await sandboxWith({ SVC_TOKEN: ' ', SVC_API_URL: '', SVC_ORG: '' });
  const configDir = String(env['SVC_CONFIG_DIR']);
  await svc(['login', '--with-token', '--api-url', sandbox.url], { configDir, stdin: sandbox.token });
  expect(await svc(['whoami', '--json'], { configDir, env })).toMatchObject({ exitCode: 4 });
  const { call } = await connect({ env });
  expect(await call('whoami', { jq: '.user.email' })).toMatchObject({ data: { result: 'amina@kola-studio.example' } });
});
