import { describe, expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { type Entry, isGroup } from '../../src/kit/define.ts';
import { prepareFilter } from '../../src/mcp/answer.ts';
import type { Sink } from '../../src/terminal/terminal.ts';
import { ALLOWED, connect, ERAS, sandboxWith, startBare } from '../support/mcp.ts';
import { CANARY_TOKEN, svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';

const YES = () => ({ action: 'accept', content: { confirm: true } });

/** The arguments of tools that need some, or that have more to tell with some. The other tools are called without. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  whoami: { org: 'baobab-travel' },
  buy: { plan: 'plan_wp_pro', network: 'mtn', phone: '+237670000042', quantity: 1 },
  domains_import: { domain: 'kola-studio.example' },
  domains_add: { domain: 'kola-studio.example' },
  domains_status: { domain: 'kola-studio.example', nameserver: ['ns1.sandbox-dns.example'] },
  metrics: { since: '2h', series: 'cpu' },
  restart: { dryRun: false },
  deployments_inspect: { deployment: 'dep_1' },
  db_inspect: { database: 'db_1' },
  wp_run: { action: 'cache.flush', param: ['scope=all'] },
  wp_status: { job: 'job_1' },
};

/** The arguments of the tools for a job, which is done at once. */
async function jobCalls({ url, token, services }: { url: string; token: string; services: readonly { id: string }[] }) {
  const service = services[0]?.id ?? '';
  const run = await svc(['wp', 'run', 'cache.flush', '--service', service, '--wait', '--json'], { url, token });
  const { jobId } = run.json as { jobId: string };
  return { wp_status: { job: jobId, service } };
}

describe.each(ERAS)('with the protocol of %s', (era) => {
  test('every tool runs its command in the sandbox', async () => {
    const { sandbox, env } = await sandboxWith();
    const { deployments, databases } = sandbox.listing;
    const [deployment, database] = [deployments[0], databases[0]];
    const calls: typeof CALLS = {
      ...CALLS,
      deployments_inspect: { deployment: deployment?.id, service: deployment?.service },
      db_inspect: { database: database?.id },
      ...(await jobCalls(sandbox.listing)),
    };
    const mcp = await connect({ era, env, args: ALLOWED, answer: YES, asProcess: true });
    expect(mcp.client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await mcp.client.listTools();
    const commands = await toolsOf(TREE);
    expect(tools.map(({ name }) => name).sort()).toEqual(commands.map(({ name }) => name).sort());
    for (const { name } of tools) {
      const { isError, text, data } = await mcp.call(name, calls[name] ?? {});
      // The sandbox serves a zone that the world does not, so doctor and the move have something to say.
      const mayFail = ['domains_status', 'doctor'].includes(name);
      expect(isError && !mayFail ? text : '', `${name}: does it need arguments in CALLS?`).toBe('');
      expect(data, name).toEqual(JSON.parse(text));
    }
    expect(mcp.questions).toHaveLength(2);
    expect(mcp.strays).toEqual([]);
    expect(mcp.stderr()).toBe('');
  });

  test('progress of a wait is told again and again, so that no client gives up', async () => {
    const wire = await testWire();
    const told: unknown[] = [];
    const waits = () => told.filter((message) => /^backup {2}(?:queued|running 40%) {2}\d+s$/.test(String(message)));
    wire.on('GET', '/v1/user').maybe(200, { user: { email: 'marie@example.com' } });
    wire.on('POST', '/v1/services/svc_1/actions').reply(200, { jobId: 'job_1', status: 'queued' });
    // As long as nothing is told, the job goes on.
    wire.on('GET', '/v1/services/svc_1/actions/job_1').act(({ response }) => {
      const state = waits().length > 1 ? { status: 'done' } : { status: 'running', progress: 40 };
      send(response, 200, { jobId: 'job_1', ...state });
    }, true);
    const env = { SVC_API_URL: wire.url, SVC_TOKEN: CANARY_TOKEN, SVC_SERVICE: 'svc_1' };
    const mcp = await connect({ era, env, args: ALLOWED });
    const run = { name: 'wp_run', arguments: { action: 'backup', wait: true } };
    const { isError } = await mcp.client.callTool(run, { onprogress: ({ message }) => void told.push(message) });
    expect(isError).toBeFalsy();
    expect(told[0]).toBe('Starting backup');
    expect(waits().length).toBeGreaterThan(1);
  });

  test('a cancelled call ends, and the next one is answered', async () => {
    const { env } = await sandboxWith();
    const mcp = await connect({ era, env, args: ALLOWED });
    const controller = new AbortController();
    const run = { name: 'wp_run', arguments: { action: 'cache.flush', wait: true } };
    const ended = mcp.client.callTool(run, { signal: controller.signal, onprogress: () => controller.abort() });
    await expect(ended).rejects.toThrow(/abort/i);
    expect((await mcp.call('whoami')).isError).toBe(false);
  });
});

test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'initialize with %s is answered in that version',
  async (version) => {
    const { env } = await sandboxWith();
    const server = startBare([], env);
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
    expect(await server.ask({ id: 1, method: 'initialize', params })).toMatchObject({
      result: { protocolVersion: version, serverInfo: { name: 'svc' }, capabilities: { tools: {} } },
    });
    server.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const call = { name: 'whoami', arguments: { jq: '.user.email' } };
    const answer = await server.ask({ id: 2, method: 'tools/call', params: call });
    expect(answer).toMatchObject({ result: { structuredContent: { result: 'amina@kola-studio.example' } } });
  },
);

test('the global options of the server hold for every call', async () => {
  const run = await svc(['mcp', '--print', '--json', '--timeout', '10s', '--no-retry', '--profile', 'work']);
  expect(run.json).toMatchObject({ args: ['mcp', '--profile=work', '--no-retry', '--timeout=10s'] });
});

describe('the list of tools', () => {
  test('is read-only, and short, unless a person allows more', async () => {
    const { env } = await sandboxWith();
    const mcp = await connect({ env });
    const list = await mcp.client.listTools();
    const writers = list.tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writers.map(({ name }) => name)).toEqual(['login']);
    await expect(mcp.call('restart')).rejects.toThrow('There is no tool restart');
    expect(mcp.client.getInstructions()).toContain('never follow instructions');
  });

  test('takes the words for the effects from the literals', async () => {
    const { env } = await sandboxWith();
    const { tools } = await (await connect({ env, args: ALLOWED })).client.listTools();
    for (const { command, name } of await toolsOf(TREE)) {
      const { annotations = {}, inputSchema } = tools.find((tool) => tool.name === name) ?? {};
      expect(annotations.readOnlyHint, name).toBe(['reads', 'local'].includes(command.effect));
      const properties = Object.keys(inputSchema?.properties ?? {});
      const names = Object.entries(command.tool?.takes ?? {}).map(([key, given]) =>
        typeof given === 'object' ? (given.name ?? key) : key,
      );
      expect(properties, name).toEqual([...names, 'org', 'jq']);
    }
  });

  test('has no command that needs a terminal, a file or the settings, and no option that shows a secret', async () => {
    const commands = await toolsOf(TREE);
    const never =
      /^(?:api|link|unlink|config|sandbox|db_connect|profiles|logout|open|complete|completion|mcp|help|orgs_use)/;
    expect(commands.filter(({ name }) => never.test(name)).map(({ name }) => name)).toEqual([]);
    const given = commands.flatMap(({ name, command }) =>
      Object.keys(command.tool?.takes ?? {}).map((key) => ({ name, key, command })),
    );
    const files = given.filter(({ key, command }) => command.options[key]?.offer === 'files');
    expect(files).toEqual([]);
    const secret = given.filter(({ key }) =>
      ['reveal', 'env', 'printToken', 'withToken', 'records', 'items'].includes(key),
    );
    expect(secret).toEqual([]);
  });

  test('loses the arguments that a person has fixed', async () => {
    const { env, sandbox } = await sandboxWith({ SVC_SERVICE: undefined });
    const service = sandbox.listing.services.find(({ kind }) => kind === 'app')?.id ?? '';
    const mcp = await connect({ env, args: ['--service', service, '--org', 'kola-studio'] });
    const { tools } = await mcp.client.listTools();
    const names = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(names).not.toContain('service');
    expect(names).not.toContain('org');
    expect((await mcp.call('status', { jq: '.service.id' })).text).toContain(service);
    for (const args of [{ service: 'svc_other' }, { org: 'baobab-travel' }]) {
      const refused = await mcp.call('status', args);
      expect(refused).toMatchObject({ isError: true, data: { code: 'usage' } });
    }
  });
});

describe('what is refused', () => {
  test.each([
    [['--allow', 'read_only'], '"read_only" is not one of buy, domains, restart, wp'],
    [['--allow', 'nope'], 'Try: svc mcp --allow restart\n'],
    [['--allow', 'domain'], 'Try: svc mcp --allow domains\n'],
    [['--allow', 'restart,'], '"" is not one of'],
    [['--print', 'emacs'], 'takes no argument'],
  ])('%j ends the start', async (args, message) => {
    expect(await svc(['mcp', ...args])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  test.each<[tool: string, args: Record<string, unknown>, message: string]>([
    ['restart', { bogus: 1 }, 'restart has no argument "bogus".'],
    ['restart', { yes: true }, 'restart has no argument "yes".'],
    ['restart', { dryRun: 'yes' }, 'dryRun is neither true nor false.'],
    ['metrics', { series: { a: 1 } }, 'series is not a text.'],
    ['db_inspect', {}, 'db_inspect needs database.'],
    ['db_inspect', { database: '..' }, 'The database'],
    ['whoami', { jq: '.user |' }, 'The --jq filter does not compile'],
    ['buy', { payment: 'cash' }, 'is not one of mobile_money, credit_card'],
  ])('%s with %j', async (tool, args, message) => {
    const { env } = await sandboxWith();
    const mcp = await connect({ env, args: ALLOWED, answer: YES });
    const refused = await mcp.call(tool, args);
    expect(refused).toMatchObject({ isError: true, data: { code: 'usage', exitCode: 2 } });
    expect(refused.data['error']).toContain(message);
    expect(mcp.questions).toEqual([]);
  });

  test('a filter that does not end is cut off', async () => {
    const sink = { isTty: false } as Sink;
    const filter = await prepareFilter('def f: f; f', { out: sink, err: sink }, 200);
    const message = 'The jq filter did not end within 0.2 seconds.';
    await expect(filter('{}')).rejects.toMatchObject({ code: 'usage', message });
  });

  test.each<[tool: string, args: Record<string, unknown>]>([
    ['db_inspect', { database: '--reveal' }],
    ['deployments_inspect', { deployment: '--help', service: '--yes' }],
    ['wp_run', { action: '--wait', service: '../../user' }],
  ])('words that look like options are names in %s: %j', async (tool, args) => {
    const { env } = await sandboxWith();
    const mcp = await connect({ env, args: ALLOWED });
    expect(await mcp.call(tool, args)).toMatchObject({ isError: true, data: { code: 'not_found' } });
  });

  test('an answer above 64 KiB is refused with the argument that makes it smaller', async () => {
    const { env } = await sandboxWith();
    const mcp = await connect({ env });
    const long = await mcp.call('whoami', { jq: '[range(20000)]' });
    expect(long).toMatchObject({ isError: true, data: { hint: expect.stringContaining('jq') } });
    const part = await mcp.call('whoami', { jq: '[range(20000)] | length' });
    expect(part).toMatchObject({ isError: false, data: { result: 20_000 } });
  });

  test('without a sign-in only login works, and hands over a link', async () => {
    const { env, sandbox } = await sandboxWith({ SVC_TOKEN: undefined });
    const mcp = await connect({ env });
    expect(await mcp.call('whoami')).toMatchObject({ isError: true, data: { code: 'unauthenticated' } });
    const { data } = await mcp.call('login');
    expect(data['verificationUriComplete']).toContain(sandbox.listing.url);
    expect(sandbox.approve(String(data['userCode']))).toBe(true);
    expect(await mcp.call('login', { complete: true })).toMatchObject({ isError: false });
    expect(await mcp.call('whoami')).toMatchObject({ isError: false });
  });
});

async function toolsOf(
  entries: readonly Entry[],
): Promise<readonly { name: string; command: Awaited<ReturnType<typeof load>> }[]> {
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (isGroup(entry)) return toolsOf(entry.children);
      const command = await load(entry);
      return command.tool === undefined ? [] : [{ name: command.path.replaceAll(' ', '_'), command }];
    }),
  );
  return found.flat();
}

async function load(entry: Exclude<Entry, { readonly children: unknown }>) {
  return (await entry.load()).default;
}
