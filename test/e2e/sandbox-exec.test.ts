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
  const [node, script] = program.command;
  return execa(node, [script, 'sandbox', 'exec', '--', 'sh', '-c', line], {
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
    'SVC_DNS_SERVER',
    'SVC_ORG',
    'SVC_SERVICE',
    'SVC_TOKEN',
  ]);
  expect(stdout).not.toMatch(/real|other|api\.example/);
});
