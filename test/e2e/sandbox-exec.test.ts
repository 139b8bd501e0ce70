import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** Where a user works: a folder linked to a service and an organization of theirs, with everything set for them. */
async function sandboxExec(line: string, options: readonly string[] = []) {
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, '.svc.json'), '{"service":"svc_real","org":"my-real-org"}');
  writeFileSync(join(cwd, 'token'), 'svc_real_token');
  const [node, script] = program.command;
  return execa(node, [script, 'sandbox', 'exec', ...options, '--', 'sh', '-c', line], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      SVC_TOKEN_FILE: join(cwd, 'token'),
      SVC_SESSION_TOKEN: 'a-real-session',
      SVC_PROFILE: 'real',
      SVC_ORG: 'my-other-org',
      SVC_SERVICE: 'svc_other',
      SVC_API_URL: 'https://api.example.com',
      SVC_ASSUME: 'job.path=/v1/nowhere',
    },
    extendEnv: false,
    reject: false,
    input: '',
  });
}

test('in a folder that is linked to an organization and a service, commands work in the sandbox', async () => {
  const lines = ['svc whoami --json', 'svc restart --json', 'svc wp run cache.flush --wait --json'];
  const { exitCode, stderr, stdout } = await sandboxExec(lines.join(' && '));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [who, restarted, waited] = stdout.split('\n').map((line) => JSON.parse(line));
  expect([who.organization.slug, restarted.success, waited.status]).toEqual(['kola-studio', true, 'completed']);
});

test('nothing of what signs the user in reaches the command', async () => {
  const { stdout } = await sandboxExec('env | grep ^SVC_ | sort');
  expect(stdout.replaceAll(/=.*/gm, '').split('\n')).toEqual([
    'SVC_API_URL',
    'SVC_CONFIG_DIR',
    'SVC_DASHBOARD',
    'SVC_DNS_SERVER',
    'SVC_ORG',
    'SVC_SERVICE',
    'SVC_TOKEN',
  ]);
  expect(stdout).not.toMatch(/real|other|api\.example/);
});

test('a sandbox can break, have many services, and have a limit', async () => {
  const options = ['--fault', 'restart:503*2', '--services', '1000', '--limit', '1000/s'];
  const { exitCode, stdout } = await sandboxExec(
    'svc restart svc_wp_00000006 --no-retry --json; svc api /sandbox --jq .services[5]',
    options,
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'svc_wp_00000006', restarts: 0 });
  const wrong = await sandboxExec('true', ['--fault', 'restart:never']);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('restart:never');
});

test.each([
  ['metrics baobab-booking', 'baobab-booking is svc_app_3n8v5tzd.'],
  ['db inspect booking', 'booking is db_pg_5t9w2kqe.'],
])('on a terminal svc %s takes a name', async (line, note) => {
  const args = ['sandbox', 'exec', '--', 'svc', ...line.split(' ')];
  const run = onTerminal(program.command, {
    args,
    env: { ...TERMINAL_ENV, HOME: await temporaryFolder() },
  });
  await run.shows(note);
  expect(await run.ended()).toBe(0);
});

test('every id is known before it is used, and the dashboard exists', async () => {
  const { stdout } = await sandboxExec(
    [
      'svc complete -- link svc_',
      'svc complete -- deployments inspect dep_9',
      'svc complete -- db inspect db_pg',
      'svc complete -- buy --plan plan_wp_f',
      'svc complete -- metrics --series memo',
      'svc open service',
      'curl -fsS "$SVC_DASHBOARD/services/$SVC_SERVICE" | grep -o dep_[a-z0-9]*',
      'curl -fsS "$SVC_DASHBOARD/domains" | grep -o "The sandbox is running"',
    ].join('; '),
  );
  for (const part of [
    'svc_wp_7k2m9qx4\tkola-blog',
    'svc_app_2c7p9xlm\tkola-portfolio',
    'dep_9m4kx7q2tz\tsvc_wp_7k2m9qx4',
    'db_pg_5t9w2kqe\tbooking',
    'plan_wp_free',
    'memoryBytes',
    '/services/svc_wp_7k2m9qx4\n',
    '\ndep_9m4kx7q2tz\n',
    'The sandbox is running',
  ])
    expect(stdout).toContain(part);
});
