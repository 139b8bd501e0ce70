import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { AGENT_VARIABLES, agentIn } from '../../src/environment.ts';
import { writeNamesSeen } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TERMINAL = { columns: 80, rows: 30 };
const AGENT = { CLAUDECODE: '1' };
const BUY = ['buy', '--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', '+237670000042'];
const ORDER = ['api', '/v1/checkout', '-X', 'POST', '--field', 'items=[]'];

describe('an agent', () => {
  test.each(AGENT_VARIABLES)('is told by %s', (name) => {
    expect(agentIn({ [name]: '1' })).toBe(name);
    expect(agentIn({ [name]: '0' })).toBeUndefined();
    expect(agentIn({ [name]: '1', SVC_AGENT: '0' })).toBeUndefined();
  });

  test('is told by SVC_AGENT, and not by the variables of an editor', () => {
    expect(agentIn({ SVC_AGENT: '1' })).toBe('SVC_AGENT');
    expect(agentIn({ SVC_AGENT: ' ', CODEX_CI: 'true' })).toBe('CODEX_CI');
    expect(agentIn({ CURSOR_TRACE_ID: 'x', TERM_PROGRAM: 'vscode' })).toBeUndefined();
  });
});

/** On a terminal where nobody answers. */
function typedByAgent(argv: readonly string[], options: RunOptions = {}) {
  return svc(argv, { stdin: null, terminal: TERMINAL, ...options, env: { ...AGENT, ...options.env } });
}

describe('on a terminal, what would ask an agent', () => {
  test.each<[argv: readonly string[], next: readonly string[] | undefined]>([
    [['metrics'], ['svc metrics --service svc_9', 'svc metrics --service svc_8']],
    [
      ['restart', '--dry-run'],
      ['svc restart --dry-run --service svc_9', 'svc restart --dry-run --service svc_8'],
    ],
    [
      ['wp', 'run', 'cache.flush'],
      ['svc wp run cache.flush --service svc_9', 'svc wp run cache.flush --service svc_8'],
    ],
    [['link'], ['svc link svc_9', 'svc link svc_8']],
    [['buy'], ['svc buy --help']],
    [['orgs', 'use'], ['svc orgs use --help']],
    [['login'], ['svc sandbox']],
  ])('ends %j with the exact command lines', async (argv, next) => {
    const configDir = await temporaryFolder();
    const wire = await testWire();
    const names = { services: [{ name: 'svc_9' }, { name: 'svc_8' }] };
    writeNamesSeen(configDir, { [wire.url]: names });
    const run = await typedByAgent([...argv, '--json'], argv[0] === 'login' ? {} : { url: wire.url, configDir });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage' } });
    const lines = run.error['next'] as readonly string[] | undefined;
    expect(lines?.map((line) => line.replace(' --json', ''))).toEqual(next);
    const people = await typedByAgent(argv, argv[0] === 'login' ? {} : { url: wire.url, configDir });
    expect(people.exitCode).toBe(2);
    for (const line of next ?? []) expect(people.stderr).toContain(`Try: ${line}\n`);
    expect(wire.requests).toEqual([]);
  });

  test('ends a login before it waits, with the command that shows the code', async () => {
    const wire = await testWire();
    const run = await typedByAgent(['login', '--api-url', wire.url, '--name', 'ci']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`Try: svc login --api-url ${wire.url} --name ci --no-wait\n`);
    expect(wire.requests).toEqual([]);
  });

  test('is asked where SVC_AGENT=0 says that a person is there', async () => {
    const run = await typedByAgent(['link'], { env: { SVC_AGENT: '0', TERM: 'dumb' }, stdin: '\n' });
    expect(run.stderr).toContain('Service id');
  });
});

describe('money', () => {
  test.each([
    ['buy --yes', [...BUY, '--yes']],
    ['buy', BUY],
    ['svc api', [...ORDER, '--yes']],
    ['domains add', ['domains', 'add', 'kola-studio.example', '--import', '--yes']],
  ])('is not spent, and DNS is not moved, by %s of an agent', async (_name, argv) => {
    const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
    try {
      const { url, token, services } = sandbox.listing;
      const env = { SVC_SERVICE: services[0]?.id, SVC_DNS_SERVER: sandbox.dnsServer, ...AGENT };
      const configDir = await temporaryFolder();
      const json = await svc([...argv, '--json'], { url, token, env, configDir });
      expect(json).toMatchObject({ exitCode: 2, stdout: '', error: { nextBy: 'person' } });
      const typed = `svc ${argv.map((word) => (word === 'items=[]' ? "'items=[]'" : word)).join(' ')} --json`;
      expect(json.error['next']).toEqual([typed, 'svc config set agents.spend allow']);
      expect(json.error['error']).toContain('CLAUDECODE says that an agent typed this');
      const preview = await svc([...argv, '--dry-run'], { url, token, env, configDir });
      expect(preview.exitCode).toBe(0);
    } finally {
      await sandbox.close();
    }
  });

  test('is spent by an agent once a person has allowed it on a terminal', async () => {
    const configDir = await temporaryFolder();
    const allow = ['config', 'set', 'agents.spend', 'allow'];
    for (const options of [{}, { terminal: TERMINAL, env: AGENT }, { terminal: TERMINAL, env: { CI: '1' } }]) {
      const refused = await svc(allow, { configDir, ...options });
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Only a person') });
    }
    expect(await svc(allow, { configDir, terminal: TERMINAL })).toMatchObject({ exitCode: 0 });
    const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
    try {
      const { url, token } = sandbox.listing;
      const bought = await svc([...BUY, '--yes', '--json'], { url, token, env: AGENT, configDir });
      expect(bought.exitCode).toBe(0);
      const unasked = await svc([...BUY, '--new-order', '--json'], { url, token, env: AGENT, configDir });
      expect(unasked.error['next']).toEqual([`svc ${BUY.join(' ')} --new-order --json --yes`]);
      expect(unasked.error['nextBy']).toBeUndefined();
      expect(await svc(['config', 'set', 'agents.spend', 'refuse'], { configDir, env: AGENT })).toMatchObject({
        exitCode: 0,
      });
      const again = await svc([...BUY, '--new-order', '--yes', '--json'], { url, token, env: AGENT, configDir });
      expect(again.error['nextBy']).toBe('person');
    } finally {
      await sandbox.close();
    }
  });

  test('stays with people if the setting is another word', async () => {
    const configDir = await temporaryFolder();
    await writeFile(join(configDir, 'config.json'), '{"agentsSpend": "yes"}');
    const run = await svc([...BUY, '--yes', '--json'], { url: 'https://api.example.com', env: AGENT, configDir });
    expect(run.error['nextBy']).toBe('person');
    const unknown = await svc(['config', 'set', 'agents.spend', 'maybe'], { configDir, terminal: TERMINAL });
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('neither allow nor refuse') });
  });
});

test('data and exit codes are the same with an agent', async () => {
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  try {
    const { url, token, services } = sandbox.listing;
    const env = { SVC_SERVICE: services[0]?.id };
    for (const argv of [['whoami'], ['metrics', '--json'], ['orgs'], ['restart', 'svc_none', '--json']]) {
      const clock = { url, token };
      const [person, agent] = [
        await svc(argv, { ...clock, env }),
        await svc(argv, { ...clock, env: { ...env, ...AGENT } }),
      ];
      expect(agent.exitCode).toBe(person.exitCode);
      expect(agent.stdout.replaceAll(/\d+/g, '#')).toBe(person.stdout.replaceAll(/\d+/g, '#'));
    }
  } finally {
    await sandbox.close();
  }
});

test('several services are restarted by an agent with --yes, which spends nothing', async () => {
  const wire = await testWire();
  for (const id of ['svc_1', 'svc_2']) wire.on('POST', `/v1/services/${id}/restart`).always(200, { success: true });
  const refused = await svc(['restart', 'svc_1', 'svc_2', '--json'], { url: wire.url, env: AGENT });
  expect(refused.error['next']).toEqual(['svc restart svc_1 svc_2 --json --yes']);
  expect(wire.requests).toHaveLength(0);
  const run = await svc(['restart', 'svc_1', 'svc_2', '--json', '--yes'], { url: wire.url, env: AGENT });
  expect(run.exitCode).toBe(0);
  expect(wire.requests).toHaveLength(2);
});
