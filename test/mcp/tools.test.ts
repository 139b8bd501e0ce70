import { describe, expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { prepareFilter } from '../../src/mcp/answer.ts';
import { loadTools } from '../../src/mcp/tools.ts';
import type { Output } from '../../src/terminal/output.ts';
import { ALLOWED, connect, ERAS, inSandbox, sandboxWith, wireEnv } from '../support/mcp.ts';
import { CANARY_TOKEN, svc } from '../support/svc.ts';
import { tokensIn } from '../support/tokens.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';

const YES = () => ({ action: 'accept', content: { confirm: true } });

const loadAll = () => loadTools(TREE, { org: undefined, service: undefined });

/** The arguments of tools that need some. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  buy: { plan: 'plan_wp_pro', network: 'mtn', phone: '+237670000042', quantity: 1 },
  domains_import: { domain: 'kola-studio.example' },
  domains_add: { domain: 'kola-studio.example' },
  domains_status: { domain: 'kola-studio.example', nameserver: ['ns1.sandbox-dns.example'] },
  wp_run: { action: 'cache.flush', param: ['scope=all'] },
};

test('every tool runs its command in the sandbox; its answer is short, and its text is its structure', async () => {
  const { sandbox, env } = await sandboxWith();
  const { deployments, databases, services, url, token } = sandbox.listing;
  const service = services[0]?.id ?? '';
  const waits = ['wp', 'run', 'cache.flush', '--service', service, '--wait', '--json'];
  const { jobId } = (await svc(waits, { url, token })).json as { jobId: string };
  const calls: typeof CALLS = {
    ...CALLS,
    deployments_inspect: { deployment: deployments[0]?.id, service: deployments[0]?.service },
    db_inspect: { database: databases[0]?.id },
    wp_status: { job: jobId, service },
  };
  const mcp = await connect({ env, args: ALLOWED, answer: YES, asProcess: true });
  const { tools } = await mcp.client.listTools();
  const commands = await loadAll();
  expect(tools.map(({ name }) => name).sort()).toEqual(commands.map(({ name }) => name).sort());
  for (const { name } of tools) {
    const { isError, text, data } = await mcp.call(name, calls[name] ?? {});
    expect(
      isError && name !== 'doctor' ? text : '',
      `${name}: does it need arguments in CALLS?`,
    ).toBe('');
    expect(data, name).toEqual(JSON.parse(text));
    expect(tokensIn(text), name).toBeLessThanOrEqual(1_000);
    // A move that is not complete yet is an answer, not an error.
    if (name === 'domains_status') expect(data['verdict']).toBe('not_started');
  }
  expect(mcp.questions).toHaveLength(2);
  expect(mcp.strays).toEqual([]);
  expect(mcp.stderr()).toBe('');
});

test('progress of a wait is told again and again, so that no client gives up', async () => {
  const wire = await testWire();
  const told: unknown[] = [];
  const waits = () =>
    told.filter((message) => /^backup {2}(?:queued|running 40%) {2}\d+s$/.test(String(message)));
  wire.on('GET', '/v1/user').maybe(200, { user: { email: 'marie@example.com' } });
  wire.on('POST', '/v1/services/svc_1/actions').reply(200, { jobId: 'job_1', status: 'queued' });
  // As long as nothing is told, the job goes on.
  wire.on('GET', '/v1/services/svc_1/actions/job_1').act(({ response }) => {
    const state = waits().length > 1 ? { status: 'done' } : { status: 'running', progress: 40 };
    send(response, 200, { jobId: 'job_1', ...state });
  }, true);
  const env = { SVC_API_URL: wire.url, SVC_TOKEN: CANARY_TOKEN, SVC_SERVICE: 'svc_1' };
  const mcp = await connect({ env, args: ALLOWED });
  const run = { name: 'wp_run', arguments: { action: 'backup', wait: true } };
  const { isError } = await mcp.client.callTool(run, {
    onprogress: ({ message }) => void told.push(message),
  });
  expect(isError).toBeFalsy();
  expect(told[0]).toBe('Starting backup');
  expect(waits().length).toBeGreaterThan(1);
});

test('a cancelled call ends, and the next one is answered', async () => {
  const mcp = await inSandbox(ALLOWED, {}, { era: ERAS[0], asProcess: true });
  const controller = new AbortController();
  const run = { name: 'wp_run', arguments: { action: 'cache.flush', wait: true } };
  const ended = mcp.client.callTool(run, {
    signal: controller.signal,
    onprogress: () => controller.abort(),
  });
  await expect(ended).rejects.toThrow(/abort/i);
  expect((await mcp.call('whoami')).isError).toBe(false);
});

describe('the list of tools', () => {
  test('is read-only unless a person allows more', async () => {
    const mcp = await inSandbox([]);
    const { tools } = await mcp.client.listTools();
    const writers = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writers.map(({ name }) => name)).toEqual(['login']);
    await expect(mcp.call('restart')).rejects.toThrow('There is no tool restart');
  });

  test('has no command that needs a terminal, a file or the settings, and no option that shows a secret', async () => {
    const tools = await loadAll();
    const never =
      /^(?:api|(?:un)?link|config|sandbox|db_connect|profiles|logout|open|complet|mcp|help|orgs_use)/;
    expect(tools.filter(({ name }) => never.test(name))).toEqual([]);
    const secret = ['reveal', 'env', 'printToken', 'withToken', 'records', 'items'];
    const taken = tools.flatMap((tool) => tool.arguments);
    expect(
      taken.filter(({ key, parameter }) => parameter.offer === 'files' || secret.includes(key)),
    ).toEqual([]);
  });

  test('loses the arguments that a person has fixed, which every call then has', async () => {
    const { env, sandbox } = await sandboxWith({ SVC_SERVICE: undefined });
    const service = sandbox.listing.services.find(({ kind }) => kind === 'app')?.id ?? '';
    const mcp = await connect({ env, args: ['--service', service, '--org', 'kola-studio'] });
    const { tools } = await mcp.client.listTools();
    const names = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(names.filter((name) => name === 'service' || name === 'org')).toEqual([]);
    expect((await mcp.call('status', { jq: '.service.id' })).text).toContain(service);
    for (const args of [{ service: 'svc_other' }, { org: 'baobab-travel' }]) {
      expect(await mcp.call('status', args)).toMatchObject({
        isError: true,
        data: { code: 'usage' },
      });
    }
  });
});

test('what svc mcp --print prints starts the server with its tools and options', async () => {
  const run = await svc(
    'mcp --print --allow restart --service svc_1 --timeout 10s --no-retry --org kola-studio'.split(
      ' ',
    ),
  );
  const { command, args } = JSON.parse(run.stdout).mcpServers.svc;
  const own = ['--allow', 'restart', '--service', 'svc_1'];
  expect([command, ...args]).toEqual([
    'svc',
    'mcp',
    ...own,
    '--org=kola-studio',
    '--no-retry',
    '--timeout=10s',
  ]);
  const { client, call } = await inSandbox(args.slice(1));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('restart');
  expect(await call('whoami', { jq: '.organization.slug' })).toMatchObject({
    data: { result: 'kola-studio' },
  });
});

test.each([
  ['--allow domain', 'Try: svc mcp --allow domains\n'],
  ['--allow restart,', '"" is not one of'],
])('svc mcp %s does not start', async (flags, message) => {
  const run = await svc(['mcp', ...flags.split(' ')]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
});

const REFUSED: ReadonlyArray<
  readonly [tool: string, args: Record<string, unknown>, code: string, message: string]
> = [
  ['restart', { servise: 'x' }, 'usage', 'Use service.'],
  ['db_inspect', { zzz: 'x' }, 'usage', 'It has database, org, jq.'],
  ['restart', { dryRun: 'yes' }, 'usage', 'dryRun is neither true nor false.'],
  ['metrics', { series: { a: 1 } }, 'usage', 'series is not a text.'],
  ['db_inspect', {}, 'usage', 'db_inspect needs database.'],
  ['whoami', { jq: '.user |' }, 'usage', 'The jq filter does not compile'],
  // An answer above 64 KiB; jq makes it smaller.
  ['whoami', { jq: '[range(20000)]' }, 'usage', 'at most 64 KiB are handed over'],
  // Words that look like options are names.
  ['db_inspect', { database: '--reveal' }, 'not_found', ''],
  ['wp_run', { action: '--wait', service: '../../user' }, 'not_found', ''],
];

test('what a tool does not take is refused', async () => {
  const mcp = await inSandbox(ALLOWED, {}, { answer: YES });
  for (const [tool, args, code, message] of REFUSED) {
    const { isError, data } = await mcp.call(tool, args);
    expect([tool, args, isError, data['code']]).toEqual([tool, args, true, code]);
    expect(`${data['error']} ${data['hint']}`).toContain(message);
  }
  expect(mcp.questions).toEqual([]);
  const part = await mcp.call('whoami', { jq: '[range(20000)] | length' });
  expect(part).toMatchObject({ isError: false, data: { result: 20_000 } });
});

test('what failed on the platform is an error with its answer, not an answer', async () => {
  const wire = await testWire();
  const answer = { jobId: 'job_1', status: 'failed', message: 'disk full' };
  wire.on('POST', '/v1/services/svc_1/actions').reply(200, answer);
  const mcp = await connect({ env: await wireEnv(wire.url), args: ALLOWED });
  const failed = await mcp.call('wp_run', { action: 'backup', service: 'svc_1' });
  expect(failed).toMatchObject({ isError: true, data: { code: 'failed', exitCode: 9, answer } });
});

test('a job that is under way is an answer, not an error', async () => {
  const wire = await testWire();
  const job = { jobId: 'job_1', status: 'running', progress: 40 };
  wire.on('GET', '/v1/services/svc_1/actions/job_1').reply(200, job);
  wire.on('GET', '/v1/user').maybe(200, { user: {} });
  const mcp = await connect({ env: await wireEnv(wire.url), args: ALLOWED });

  const { isError, data, notes } = await mcp.call('wp_status', { job: 'job_1', service: 'svc_1' });

  expect(isError).toBe(false);
  expect(data).toEqual(job);
  expect(notes.join()).toContain('still running');
});

test('a filter that does not end is cut off', async () => {
  const sink = { isTty: false } as Output;
  const filter = await prepareFilter('def f: f; f', { out: sink, err: sink }, 200);
  const message = 'The jq filter did not end within 0.2 seconds.';
  await expect(filter('{}')).rejects.toMatchObject({ code: 'usage', message });
});

test('without a sign-in only login works, and hands over a link', async () => {
  const { sandbox, ...mcp } = await inSandbox([], { SVC_TOKEN: undefined });
  expect(await mcp.call('whoami')).toMatchObject({
    isError: true,
    data: { code: 'unauthenticated' },
  });
  const { data } = await mcp.call('login');
  expect(data['verificationUriComplete']).toContain(sandbox.listing.url);
  expect(sandbox.approve(String(data['userCode']))).toBe(true);
  expect(await mcp.call('login', { complete: true })).toMatchObject({ isError: false });
  expect(await mcp.call('whoami')).toMatchObject({ isError: false });
});
