import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { AGENT_VARIABLES, findAgent } from '../../../src/environment.ts';
import { writeNamesSeen } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const TERMINAL = { columns: 80, rows: 30 };
const AGENT = { CLAUDECODE: '1' };
const BUY = 'buy --plan plan_wp_pro --network mtn --phone +237670000042';

test('an agent is told by its variable or by SVC_AGENT, and not by the variables of an editor', () => {
  for (const name of AGENT_VARIABLES) {
    const told = [{ [name]: '1' }, { [name]: '0' }, { [name]: '1', SVC_AGENT: '0' }].map(findAgent);
    expect(told).toEqual([name, undefined, undefined]);
  }
  expect(findAgent({ SVC_AGENT: '1' })).toBe('SVC_AGENT');
  expect(findAgent({ SVC_AGENT: ' ', CODEX_CI: 'true' })).toBe('CODEX_CI');
  expect(findAgent({ CURSOR_TRACE_ID: 'x', TERM_PROGRAM: 'vscode' })).toBeUndefined();
});

test.each([
  ['metrics', ['svc metrics --service svc_9', 'svc metrics --service svc_8']],
  ['buy', ['svc buy --help']],
  ['login', ['svc login --no-wait']],
  ['restart svc_1 svc_2', ['svc restart svc_1 svc_2 --yes']],
])(
  'on a terminal, what would ask an agent ends svc %s with the exact command lines',
  async (line, next) => {
    const configDir = await temporaryFolder();
    const { url, requests } = await testWire();
    writeNamesSeen(configDir, { [url]: { services: [{ name: 'svc_9' }, { name: 'svc_8' }] } });
    const run = await svc(line.split(' '), {
      stdin: null,
      terminal: TERMINAL,
      env: AGENT,
      url,
      configDir,
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr.match(/(?<=^Try: ).*/gm)).toEqual(next);
    expect(requests).toEqual([]);
  },
);

test('an agent is asked where SVC_AGENT=0 says that a person is there', async () => {
  const env = { ...AGENT, SVC_AGENT: '0', TERM: 'dumb' };
  expect((await svc(['link'], { env, terminal: TERMINAL, stdin: '\n' })).stderr).toContain(
    'Service id',
  );
});

/** A platform, and a folder for svc of an agent. */
async function account() {
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  onTestFinished(() => sandbox.close());
  const { url, token, services } = sandbox.listing;
  const options: RunOptions = { url, token, configDir: await temporaryFolder() };
  const env = { SVC_SERVICE: services[0]?.id, SVC_DNS_SERVER: sandbox.dnsServer, ...AGENT };
  return (line: string, more: RunOptions = {}) =>
    svc(line.split(' '), { ...options, env, ...more });
}

test.each([
  `${BUY} --yes`,
  BUY,
  'api /v1/checkout -X POST --field items=1 --yes',
  'domains add kola-studio.example --import --yes',
])('money is not spent, and DNS is not moved, by an agent: svc %s', async (line) => {
  const type = await account();
  const { exitCode, stdout, error } = await type(`${line} --json`);
  expect([exitCode, stdout]).toEqual([2, '']);
  // The person may be in another folder, or have another environment.
  const service = line.startsWith('domains')
    ? expect.stringMatching(/--json --service svc_wp_/)
    : undefined;
  const next = [service ?? `svc ${line} --json`, 'svc config set agents.spend allow'];
  expect(error).toMatchObject({
    nextBy: 'person',
    next,
    error: expect.stringContaining('CLAUDECODE'),
  });
  expect((await type(`${line} --json --dry-run`)).exitCode).toBe(0);
});

test('money is spent by an agent once a person has allowed it on a terminal', async () => {
  const type = await account();
  const allow = 'config set agents.spend allow';
  for (const by of [
    { env: {} },
    { terminal: TERMINAL },
    { terminal: TERMINAL, env: { CI: '1' } },
  ]) {
    expect(await type(allow, by)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Only a person'),
    });
  }
  expect(await type(allow, { terminal: TERMINAL, env: {} })).toMatchObject({ exitCode: 0 });
  expect((await type(`${BUY} --yes --json`)).exitCode).toBe(0);
  const unasked = await type(`${BUY} --new-order --json`);
  expect(unasked.error['next']).toEqual([`svc ${BUY} --new-order --json --yes`]);
  expect(unasked.error['nextBy']).toBeUndefined();
  expect((await type('config set agents.spend refuse')).exitCode).toBe(0);
  expect((await type(`${BUY} --new-order --yes --json`)).error['nextBy']).toBe('person');
});

test('the decision stays with people if the setting is another word', async () => {
  const configDir = await temporaryFolder();
  await writeFile(join(configDir, 'config.json'), '{"agentsSpend": "yes"}');
  const options = { url: 'https://api.example.com', env: AGENT, configDir };
  expect((await svc(`${BUY} --yes --json`.split(' '), options)).error['nextBy']).toBe('person');
});

test('several services are restarted by an agent with --yes, which spends nothing', async () => {
  const wire = await testWire();
  for (const id of ['svc_1', 'svc_2'])
    wire.on('POST', `/v1/services/${id}/restart`).reply(200, { success: true });
  expect(
    (await svc('restart svc_1 svc_2 --yes'.split(' '), { url: wire.url, env: AGENT })).exitCode,
  ).toBe(0);
});
