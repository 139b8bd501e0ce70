import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { builtExecutable } from '../support/program.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/install/image.sh');
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const isPossible = isRoot && builtExecutable !== undefined;
const where = isPossible ? '' : ` (skipped: ${isRoot ? 'npm run build:binary' : 'needs root on Linux'})`;

describe.skipIf(!isPossible)(`the root file system of the image${where}`, () => {
  const folder = join(inject('scratch'), `image-${process.pid}`);
  beforeAll(() => {
    execFileSync(SCRIPT, [builtExecutable ?? '', folder]);
  });

  /** Runs svc in it as nobody, with every file system read-only, as `podman run --read-only` does. */
  async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const enter = [
      'mount --bind "$0" "$0"',
      'mount -o remount,ro,bind "$0"',
      'mount --rbind /dev "$0/dev"',
      'mount --rbind /proc "$0/proc"',
      'exec chroot --userspec=65534:65534 "$0" /usr/bin/svc "$@"',
    ].join(' && ');
    const all = { HOME: '/home/svc', LANG: 'C.UTF-8', PATH: process.env['PATH'], ...env };
    return execa('unshare', ['--mount', 'sh', '-c', enter, folder, ...words], {
      ...{ env: all, extendEnv: false, reject: false, input: '' },
    });
  }

  async function account() {
    const sandbox = await startSandbox({ port: 0 });
    onTestFinished(() => sandbox.close());
    const { url, token, services } = sandbox.listing;
    return { sandbox, service: services[0]?.id ?? '', env: { SVC_API_URL: url, SVC_TOKEN: token } };
  }

  test('answers, and asks a service, without writing anything', async () => {
    const version = await run(['--version']);
    expect(version).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/), stderr: '' });
    const { service, env } = await account();
    const who = await run(['whoami', '--jq', '.user.email'], env);
    expect(who).toMatchObject({ exitCode: 0, stdout: 'amina@kola-studio.example', stderr: '' });
    const restarted = await run(['restart', service, '--yes'], env);
    expect(restarted.exitCode, restarted.stderr).toBe(0);
  });

  test('an order is refused, because there is no place to record it', async () => {
    const { sandbox, env } = await account();
    const words = ['buy', '--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', '+237670000042', '--yes'];
    const { exitCode, stderr } = await run(words, env);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('SVC_CONFIG_DIR')]);
    expect(sandbox.report().requests).toBe(0);
  });
});
