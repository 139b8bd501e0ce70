import { describe, expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { loadTools, toNextCall } from '../../src/mcp/tools.ts';
import { ALLOWED, connect, inSandbox, wireEnv } from '../support/mcp.ts';
import { svc } from '../support/svc.ts';
import { tokensIn } from '../support/tokens.ts';
import { testWire } from '../support/wire.ts';

const MAX_ERROR_TOKENS = 400;

/** What a model cannot do with its tools. */
const SHELL = new RegExp(
  `(?:^|[\\s("'])--[a-z]|\\bSVC_[A-Z]|\\bsvc (?:${TREE.map(({ name }) => name).join('|')})\\b`,
);

describe('the list of tools', () => {
  test.each([
    ['by default', [], 2_000],
    ['with all that can be allowed', ALLOWED, 3_500],
  ])('costs a model few tokens %s', async (_what, allowed, most) => {
    const { tools } = await (await inSandbox(allowed)).client.listTools();
    const sizes = tools.map((tool) => `${tool.name} ${tokensIn(JSON.stringify(tool))}`);

    expect(
      tokensIn(JSON.stringify(tools)),
      `say it shorter in \`tool\` of the commands (${sizes.join(', ')}), or make no tool of a new one`,
    ).toBeLessThanOrEqual(most);
  });

  test('speaks in words of tools, with one type for each name', async () => {
    const { client } = await inSandbox();
    const { tools } = await client.listTools();
    const names = [...tools.map(({ name }) => name), 'credit_card', 'in_doubt'];
    const types: Record<string, unknown> = {};
    expect(JSON.stringify([tools, client.getInstructions()])).not.toMatch(SHELL);
    for (const { name, description = '', annotations, inputSchema } of tools) {
      expect(description, name).toMatch(/\b\d+ tokens/);
      for (const other of description.match(/\b[a-z]+_[a-z]+\b/g) ?? [])
        expect(names, name).toContain(other);
      // Two equal calls of buy are two orders.
      if (!annotations?.readOnlyHint)
        expect(annotations?.idempotentHint, name).toBe(name === 'domains_add');
      for (const [key, property] of Object.entries(inputSchema.properties ?? {})) {
        const { type } = property as { type: unknown };
        types[key] ??= type;
        expect(type, key).toBe(types[key]);
      }
    }
    expect(types).toMatchObject({ quantity: 'integer', step: 'integer', waitTimeout: 'integer' });
  });
});

test('the first answer says whose account it is from, and an answer with warnings carries them', async () => {
  const { call } = await inSandbox();
  const account = 'Account: amina@kola-studio.example, organization Kola Studio.';
  expect((await call('billing_autopay')).notes).toEqual([account]);
  expect((await call('billing_autopay')).notes).toEqual([]);
  const { notes } = await call('domains_import', { domain: 'baobab-travel.example' });
  expect(notes.join('\n')).toMatch(/cannot be staged/);
});

describe('an error', () => {
  test.each([400, 429])('of status %i is short, whatever the platform says', async (status) => {
    const wire = await testWire();
    const error = { field: 'x'.repeat(5_000) };
    wire.on('GET', '/v1/databases/db_1').always(status, { error }, { 'retry-after': '99999' });
    const { call } = await connect({
      env: { ...(await wireEnv(wire.url)), SVC_NO_RETRY: '1' },
      args: ALLOWED,
    });
    const { isError, text } = await call('db_inspect', { database: 'db_1' });
    expect([isError, tokensIn(text) <= MAX_ERROR_TOKENS]).toEqual([true, true]);
  });

  test.each([
    ['buy', {}, 'Name it with plan, domain or item.'],
    ['buy', { plan: 'p', phone: 'x' }, 'For example: phone +237670000042'],
    ['domains_add', { domain: 'baobab-travel.example' }, 'add skipInvalid'],
    ['domains_status', { domain: 'a.example' }, 'No move of a.example was started'],
    ['metrics', { since: 'yesterda' }, 'since "yesterda" is not a time.'],
    ['wp_status', { job: 'nope' }, 'There is no job "nope"'],
    ['restart', { jq: '.a |' }, 'The jq filter does not compile'],
  ])('of %s with %j speaks of tools', async (tool, args, words) => {
    const { call } = await inSandbox(ALLOWED, {}, { answer: () => ({ action: 'decline' }) });
    const { isError, data } = await call(tool, args);

    const text = `${data['error']} ${data['hint']}`;
    expect(isError).toBe(true);
    expect(text).toContain(words);
    expect(text).not.toMatch(SHELL);
  });

  test('without a service says nothing of options, variables and links', async () => {
    const { call } = await inSandbox(ALLOWED, { SVC_SERVICE: undefined });

    expect((await call('restart')).data).toMatchObject({
      error: 'This command needs a service.',
      hint: expect.stringMatching(/^Find the id in the dashboard/),
    });
  });

  test('of records that cannot be staged proposes the call without them', async () => {
    const { call } = await inSandbox();
    const args = { domain: 'baobab-travel.example' };
    const asked = await inSandbox(ALLOWED, {}, { answer: () => ({ action: 'decline' }) });

    expect((await asked.call('domains_add', args)).data['next']).toEqual([
      { tool: 'domains_add', arguments: { ...args, skipInvalid: true } },
    ]);
    expect((await call('domains_add', args)).data['next']).toEqual([
      { askPersonToRun: expect.stringContaining('--service svc_wp_') },
    ]);
  });

  test('hands over the next call as data', async () => {
    const { call, sandbox } = await inSandbox(ALLOWED, { SVC_SERVICE: undefined });
    const orgs = { tool: 'orgs_list', arguments: {} };
    expect((await call('db_inspect', { database: 'nope' })).data['next']).toEqual([orgs]);
    const service = sandbox.listing.services[0]?.id;
    await call('metrics', { service });
    expect((await call('metrics', { org: 'kola-studio' })).data['next']).toContainEqual({
      tool: 'metrics',
      arguments: { service, org: 'kola-studio' },
    });
    // Which service to change is not proposed.
    expect((await call('restart', { dryRun: true })).data['next']).toBeUndefined();
  });
});

/**
 * A command line that an error proposes, and the call that it is; without one it is for the person.
 */
const PROPOSED: ReadonlyArray<readonly [line: string, tool?: string, args?: object]> = [
  ['svc orgs', 'orgs_list', {}],
  ['svc --json domains import a.example', 'domains_import', { domain: 'a.example' }],
  [
    "svc buy --item 'plan=a b' --item plan=c --quantity 2",
    'buy',
    { item: ['plan=a b', 'plan=c'], quantity: 2 },
  ],
  [
    'svc wp run cache.flush --wait-timeout 5m --no-retry',
    'wp_run',
    { action: 'cache.flush', waitTimeout: 300 },
  ],
  ['svc status --org acme --service svc_1', 'status', { org: 'acme' }],
  // A service that a person has fixed is the only one.
  ['svc status --service svc_2'],
  ['svc config set agents.spend allow'],
  ['svc buy --plan p --yes'],
  ['svc login --profile work'],
  ['svc db inspect db_1 --reveal'],
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
    expect(
      await toNextCall(line, undefined, line.startsWith('svc status') ? pinned : free),
    ).toEqual(expected);
  }
  expect(await toNextCall('svc --json orgs', 'person', free)).toEqual({
    askPersonToRun: 'svc orgs',
  });
});

test('an option that all calls have may stand twice in a line that becomes a call', async () => {
  const pins = { org: undefined, service: undefined };
  const tools = await loadTools(TREE, pins);
  const serving = { tools, tree: TREE, pins, globals: ['--timeout=5s'] };

  const call = await toNextCall('svc orgs --timeout 5s --timeout 5s', undefined, serving);

  expect(call).toEqual({ tool: 'orgs_list', arguments: {} });
});

test('a blank setting counts as unset for tools, and only for them', async () => {
  const { call, env } = await inSandbox([], { SVC_TOKEN_FILE: ' ' });
  expect(await call('whoami')).toMatchObject({ isError: false });
  expect((await svc(['whoami'], { env })).exitCode).not.toBe(0);
});
