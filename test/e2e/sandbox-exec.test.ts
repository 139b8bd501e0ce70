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
  const signedIn = { SVC_TOKEN_FILE: join(cwd, 'token'), SVC_SESSION_TOKEN: 'a-real-session', SVC_PROFILE: 'real' };
  const chosen = { SVC_ORG: 'my-other-org', SVC_SERVICE: 'svc_other', SVC_API_URL: 'https://api.example.com' };
  const env = { ...signedIn, ...chosen, PATH: process.env['PATH'], HOME: cwd, SVC_ASSUME: 'job.path=/v1/nowhere' };
  const [node, script] = program.command;
  const words = [script, 'sandbox', 'exec', ...options, '--', 'sh', '-c', line];
  return execa(node, words, { cwd, env, extendEnv: false, reject: false, input: '' });
}

test('commands work in the sandbox, and nothing that signs the user in or chooses for them reaches them', async () => {
  const lines = ['svc whoami --json', 'svc wp run cache.flush --wait --json', 'env | grep ^SVC_ | sort'];
  const { exitCode, stderr, stdout } = await sandboxExec(lines.join(' && '));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [who = '', waited = '', ...env] = stdout.split('\n');
  expect([JSON.parse(who).organization.slug, JSON.parse(waited).status]).toEqual(['kola-studio', 'completed']);
  const names = ['API_URL', 'CONFIG_DIR', 'DASHBOARD', 'DNS_SERVER', 'ORG', 'SERVICE', 'TOKEN'];
  expect(env.map((one) => one.replace(/=.*/, ''))).toEqual(names.map((name) => `SVC_${name}`));
  expect(env.join('\n')).not.toMatch(/real|other|api\.example/);
});

test('a sandbox can break, have many services, and have a limit', async () => {
  const options = ['--fault', 'restart:503*2', '--services', '1000', '--limit', '1000/s'];
  const line = 'svc restart svc_wp_00000006 --no-retry --json; svc api /sandbox --jq .services[5]';
  const { exitCode, stdout } = await sandboxExec(line, options);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'svc_wp_00000006', restarts: 0 });
  const wrong = await sandboxExec('true', ['--fault', 'restart:never']);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('restart:never') });
});

test('on a terminal a command takes a name', async () => {
  const args = ['sandbox', 'exec', '--', 'svc', 'metrics', 'baobab-booking'];
  const run = onTerminal(program.command, { args, env: { ...TERMINAL_ENV, HOME: await temporaryFolder() } });
  await run.shows('baobab-booking is svc_app_3n8v5tzd.');
  expect(await run.ended()).toBe(0);
});

test('every id is known before it is used, and the dashboard exists', async () => {
  const seen = [
    ['svc complete -- link svc_', 'svc_wp_7k2m9qx4\tkola-blog'],
    ['svc complete -- link svc_', 'svc_app_2c7p9xlm\tkola-portfolio'],
    ['svc complete -- deployments inspect dep_9', 'dep_9m4kx7q2tz\tsvc_wp_7k2m9qx4'],
    ['svc complete -- db inspect db_pg', 'db_pg_5t9w2kqe\tbooking'],
    ['svc complete -- buy --plan plan_wp_f', 'plan_wp_free'],
    ['svc complete -- metrics --series memo', 'memoryBytes'],
    ['svc open service', '/services/svc_wp_7k2m9qx4\n'],
    ['curl -fsS "$SVC_DASHBOARD/services/$SVC_SERVICE" | grep -o dep_[a-z0-9]*', '\ndep_9m4kx7q2tz\n'],
    ['curl -fsS "$SVC_DASHBOARD/domains" | grep -o "The sandbox is running"', 'The sandbox is running'],
  ] as const;
  const { stdout } = await sandboxExec([...new Set(seen.map(([line]) => line))].join('; '));
  for (const [, part] of seen) expect(stdout).toContain(part);
});
