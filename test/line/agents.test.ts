import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { AGENT_VARIABLES, agentIn } from '../../src/environment.ts';
import { writeNamesSeen } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TERMINAL = { columns: 80, rows: 30 };
const AGENT = { CLAUDECODE: '1' };
const BUY = ['buy', '--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', '+237670000042'];
const ORDER = ['api', '/v1/checkout', '-X', 'POST', '--field', 'items=[]'];

test('an agent is told by its variable or by SVC_AGENT, and not by the variables of an editor', () => {
  for (const name of AGENT_VARIABLES) {
    const told = [{ [name]: '1' }, { [name]: '0' }, { [name]: '1', SVC_AGENT: '0' }].map(agentIn);
    expect(told).toEqual([name, undefined, undefined]);
  }
  expect(agentIn({ SVC_AGENT: '1' })).toBe('SVC_AGENT');
  expect(agentIn({ SVC_AGENT: ' ', CODEX_CI: 'true' })).toBe('CODEX_CI');
  expect(agentIn({ CURSOR_TRACE_ID: 'x', TERM_PROGRAM: 'vscode' })).toBeUndefined();
});

/** On a terminal where nobody answers. */
function typedByAgent(argv: readonly string[], options: RunOptions = {}) {
  return svc(argv, { stdin: null, terminal: TERMINAL, ...options, env: { ...AGENT, ...options.env } });
}

describe('on a terminal, what would ask an agent', () => {
  test.each([
    ['metrics', ['svc metrics --service svc_9', 'svc metrics --service svc_8']],
    ['restart --dry-run', ['svc restart --dry-run --service svc_9', 'svc restart --dry-run --service svc_8']],
    ['link', ['svc link svc_9', 'svc link svc_8']],
    ['buy', ['svc buy --help']],
    ['orgs use', ['svc orgs use --help']],
    ['login', ['svc sandbox']],
  ])('ends svc %s with the exact command lines', async (line, next) => {
    const configDir = await temporaryFolder();
    const wire = await testWire();
    writeNamesSeen(configDir, { [wire.url]: { services: [{ name: 'svc_9' }, { name: 'svc_8' }] } });
    const options = line === 'login' ? {} : { url: wire.url, configDir };
    const run = await typedByAgent([...line.split(' '), '--json'], options);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage' } });
    expect((run.error['next'] as readonly string[]).map((one) => one.replace(' --json', ''))).toEqual(next);
    const people = await typedByAgent(line.split(' '), options);
    expect(people.stderr.match(/(?<=^Try: ).*/gm)).toEqual(next);
    expect(wire.requests).toEqual([]);
  });

  test('ends a login before it waits, with the command that shows the code', async () => {
    const wire = await testWire();
    const line = `login --api-url ${wire.url} --name ci`;
    const stderr = expect.stringContaining(`Try: svc ${line} --no-wait\n`);
    expect(await typedByAgent(line.split(' '))).toMatchObject({ exitCode: 2, stdout: '', stderr });
    expect(wire.requests).toEqual([]);
  });

  test('is asked where SVC_AGENT=0 says that a person is there', async () => {
    const run = await typedByAgent(['link'], { env: { SVC_AGENT: '0', TERM: 'dumb' }, stdin: '\n' });
    expect(run.stderr).toContain('Service id');
  });
});

/** A platform, and a folder for svc. */
async function account() {
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  onTestFinished(() => sandbox.close());
  const { url, token, services } = sandbox.listing;
  const env = { SVC_SERVICE: services[0]?.id, SVC_DNS_SERVER: sandbox.dnsServer, ...AGENT };
  return { url, token, env, configDir: await temporaryFolder() };
}

describe('money', () => {
  test.each([
    ['buy --yes', [...BUY, '--yes']],
    ['buy', BUY],
    ['svc api', [...ORDER, '--yes']],
    ['domains add', ['domains', 'add', 'kola-studio.example', '--import', '--yes']],
  ])('is not spent, and DNS is not moved, by %s of an agent', async (_name, argv) => {
    const options = await account();
    const json = await svc([...argv, '--json'], options);
    expect(json).toMatchObject({ exitCode: 2, stdout: '', error: { nextBy: 'person' } });
    const typed = `svc ${argv.map((word) => (word === 'items=[]' ? "'items=[]'" : word)).join(' ')} --json`;
    expect(json.error['next']).toEqual([typed, 'svc config set agents.spend allow']);
    expect(json.error['error']).toContain('CLAUDECODE says that an agent typed this');
    expect((await svc([...argv, '--dry-run'], options)).exitCode).toBe(0);
  });

  test('is spent by an agent once a person has allowed it on a terminal', async () => {
    const options = await account();
    const { configDir } = options;
    const allow = ['config', 'set', 'agents.spend', 'allow'];
    for (const by of [{}, { terminal: TERMINAL, env: AGENT }, { terminal: TERMINAL, env: { CI: '1' } }]) {
      const refused = await svc(allow, { configDir, ...by });
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Only a person') });
    }
    expect(await svc(allow, { configDir, terminal: TERMINAL })).toMatchObject({ exitCode: 0 });
    expect((await svc([...BUY, '--yes', '--json'], options)).exitCode).toBe(0);
    const unasked = await svc([...BUY, '--new-order', '--json'], options);
    expect(unasked.error['next']).toEqual([`svc ${BUY.join(' ')} --new-order --json --yes`]);
    expect(unasked.error['nextBy']).toBeUndefined();
    const refuse = await svc(['config', 'set', 'agents.spend', 'refuse'], { configDir, env: AGENT });
    expect(refuse.exitCode).toBe(0);
    expect((await svc([...BUY, '--new-order', '--yes', '--json'], options)).error['nextBy']).toBe('person');
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

test.each(['whoami', 'metrics --json', 'restart svc_none --json'])(
  'data and exit codes of svc %s are the same with an agent',
  async (line) => {
    const options = await account();
    const typed = (env: RunOptions['env']) => svc(line.split(' '), { ...options, env: { ...options.env, ...env } });
    const [person, agent] = [await typed({ SVC_AGENT: '0' }), await typed({})];
    expect(agent.exitCode).toBe(person.exitCode);
    expect(agent.stdout.replaceAll(/\d+/g, '#')).toBe(person.stdout.replaceAll(/\d+/g, '#'));
  },
);

test('several services are restarted by an agent with --yes, which spends nothing', async () => {
  const wire = await testWire();
  for (const id of ['svc_1', 'svc_2']) wire.on('POST', `/v1/services/${id}/restart`).always(200, { success: true });
  const restart = (...more: string[]) =>
    svc(['restart', 'svc_1', 'svc_2', '--json', ...more], { url: wire.url, env: AGENT });
  expect((await restart()).error['next']).toEqual(['svc restart svc_1 svc_2 --json --yes']);
  expect(wire.requests).toHaveLength(0);
  expect((await restart('--yes')).exitCode).toBe(0);
  expect(wire.requests).toHaveLength(2);
});
