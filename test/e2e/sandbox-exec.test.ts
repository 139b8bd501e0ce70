import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** Where a user works: a folder linked to a service and an organization of theirs, with everything set for them. */
async function sandboxExec(line: string) {
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, '.svc.json'), '{"service":"svc_real","org":"my-real-org"}');
  writeFileSync(join(cwd, 'token'), 'svc_real_token');
  const signedIn = { SVC_TOKEN_FILE: join(cwd, 'token'), SVC_SESSION_TOKEN: 'a-real-session', SVC_PROFILE: 'real' };
  const chosen = { SVC_ORG: 'my-other-org', SVC_SERVICE: 'svc_other', SVC_API_URL: 'https://api.example.com' };
  const env = { ...signedIn, ...chosen, PATH: process.env['PATH'], HOME: cwd, SVC_ASSUME: 'job.path=/v1/nowhere' };
  const [node, script] = program.command;
  const words = [script, 'sandbox', 'exec', '--', 'sh', '-c', line];
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

test('every id is known before it is used, and the dashboard exists', async () => {
  const seen = [
    ['svc complete -- link svc_', 'svc_wp_7k2m9qx4\tkola-blog'],
    ['svc complete -- deployments inspect dep_9', 'dep_9m4kx7q2tz\tsvc_wp_7k2m9qx4'],
    ['svc complete -- db inspect db_pg', 'db_pg_5t9w2kqe\tbooking'],
    ['svc open service', '/services/svc_wp_7k2m9qx4\n'],
    ['curl -fsS "$SVC_DASHBOARD/services/$SVC_SERVICE" | grep -o dep_[a-z0-9]*', '\ndep_9m4kx7q2tz\n'],
  ] as const;
  const { stdout } = await sandboxExec([...new Set(seen.map(([line]) => line))].join('; '));
  for (const [, part] of seen) expect(stdout).toContain(part);
});
