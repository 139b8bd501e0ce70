import { expect, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { wordsOf } from '../../support/command-line.ts';
import { writeNamesSeen } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';

/** What the pickers would offer. */
const SEEN = {
  services: [{ name: 'svc_wp_7k2m9qx4' }],
  databases: [{ name: 'db_pg_5t9w2kqe' }],
  plans: [{ name: 'plan_wp_pro' }],
  actions: [{ name: 'cache.flush' }],
};

const SERVICE = '--service svc_wp_7k2m9qx4';

/** Runs a line with `--yes` on a terminal; a question would end it as Ctrl-D does, with 130. */
async function runWithYes(line: string, more: Partial<RunOptions> = {}) {
  const sandbox = await startSandbox({ port: 0 });
  const configDir = await temporaryFolder();
  writeNamesSeen(configDir, { [sandbox.url]: SEEN });

  const run = await svc([...wordsOf(line), '--yes'], {
    url: sandbox.url,
    token: sandbox.token,
    configDir,
    stdin: '',
    terminal: { columns: 80, rows: 24 },
    env: { TERM: 'xterm-256color', NO_COLOR: '1' },
    ...more,
  });
  await sandbox.close();
  return run;
}

test.each<[line: string, names: string]>([
  ['restart', '--service <id>'],
  ['metrics', '--service <id>'],
  ['metrics --watch', '--service <id>'],
  ['wp run', '<action>'],
  ['wp run cache.flush', '--service <id>'],
  ['wp status', '<jobId'],
  ['db inspect', '<database'],
  ['db connect', '<database>'],
  ['deployments inspect', '<deploymentId'],
  ['orgs use', '<organization>'],
  ['profiles use', '<name>'],
  ['orders settle', '<key>'],
  ['buy', '--plan'],
  [`domains add baobab-travel.example --import ${SERVICE}`, '--skip-invalid'],
  ['login --with-token', 'svc login --with-token < token.txt'],
])('svc %s --yes asks nothing on a terminal, and names %s', async (line, names) => {
  const run = await runWithYes(line);

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(names);
});

test('without an address svc login --yes names the ways to give one', async () => {
  const run = await runWithYes('login', {
    env: { TERM: 'xterm-256color', SVC_API_URL: undefined, SVC_TOKEN: undefined },
  });

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('--api-url');
});

test('a person may still allow agents to spend with --yes, which asks nothing', async () => {
  const run = await runWithYes('config set agents.spend allow');

  expect(run.exitCode).toBe(0);
});
