import { expect, test } from 'vitest';
import { svc } from '../../support/svc.ts';

/** Starts a sandbox on a free port and stops it as soon as it has said what it has to say. */
function started(...more: readonly string[]) {
  return svc(['sandbox', 'start', '--port', '0', ...more], { onStart: (send) => send('SIGINT') });
}

test('a sandbox tells people how to sign in, with a token or as a dashboard session', async () => {
  const { exitCode, stdout, stderr } = await started();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^ {2}export SVC_TOKEN=svc_sandbox_\S+$/m);
  expect(stdout).toMatch(/^ {2}# export SVC_SESSION_TOKEN=\S+$/m);
});

test('scripts get one line of JSON, whose fields are fixed', async () => {
  const { exitCode, stdout, json } = await started('--json');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')).toHaveLength(2);
  const fields = ['url', 'token', 'services', 'deployments', 'databases', 'plans', 'domains'];
  expect(Object.keys(json as object)).toEqual(fields);
});

test('a polling interval needs its unit', async () => {
  const run = await svc(['sandbox', 'start', '--port', '0', '--interval', '5']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('--interval "5" has no unit.\nTry: --interval 5s');
});
