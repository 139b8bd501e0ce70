import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

/** What knows an id before it is used, and what it shows of it. */
const KNOWN = [
  ['svc complete -- link svc_', 'svc_wp_7k2m9qx4\tkola-blog'],
  ['svc complete -- deployments inspect dep_9', 'dep_9m4kx7q2tz\tsvc_wp_7k2m9qx4'],
  ['svc open service', '/services/svc_wp_7k2m9qx4\n'],
  [
    'curl -fsS "$SVC_DASHBOARD/services/$SVC_SERVICE" | grep -o dep_[a-z0-9]*',
    '\ndep_9m4kx7q2tz\n',
  ],
] as const;

test('commands work in the sandbox, and nothing that signs the user in or chooses for them reaches them', async () => {
  // A folder linked to a service and an organization of the user, with everything set for them.
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, '.svc.json'), '{"service":"svc_real","org":"my-real-org"}');
  writeFileSync(join(cwd, 'token'), 'svc_real_token');
  const signedIn = {
    SVC_TOKEN_FILE: join(cwd, 'token'),
    SVC_SESSION_TOKEN: 'a-real-session',
    SVC_PROFILE: 'real',
  };
  const chosen = {
    SVC_ORG: 'my-other-org',
    SVC_SERVICE: 'svc_other',
    SVC_API_URL: 'https://api.example.com',
  };
  const env = {
    ...signedIn,
    ...chosen,
    PATH: process.env['PATH'],
    HOME: cwd,
    SVC_ASSUME: 'job.path=/v1/nowhere',
  };
  const lines = [
    'svc whoami --json',
    'svc wp run cache.flush --wait --json',
    'env | grep ^SVC_ | sort',
    'echo --',
  ];
  const line = [...lines, ...KNOWN.map(([one]) => one)].join(' && ');
  const [node, script] = (await builtProgram()).command;
  const options = { cwd, env, extendEnv: false, reject: false, input: '' } as const;
  const { exitCode, stderr, stdout } = await execa(
    node,
    [script, 'sandbox', 'exec', '--', 'sh', '-c', line],
    options,
  );

  expect(exitCode, stderr).toBe(0);
  const [said = '', known] = `${stdout}\n`.split('\n--\n');
  const [who = '', waited = '', ...variables] = said.split('\n');
  expect([JSON.parse(who).organization.slug, JSON.parse(waited).status]).toEqual([
    'kola-studio',
    'completed',
  ]);
  const names = ['API_URL', 'CONFIG_DIR', 'DASHBOARD', 'DNS_SERVER', 'ORG', 'SERVICE', 'TOKEN'];
  expect(variables.map((one) => one.replace(/=.*/, ''))).toEqual(
    names.map((name) => `SVC_${name}`),
  );
  expect(variables.join('\n')).not.toMatch(/real|other|api\.example/);
  for (const [, part] of KNOWN) expect(known).toContain(part);
});
