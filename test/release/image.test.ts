import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { builtExecutable } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/install/image.sh');
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const isPossible = isRoot && builtExecutable !== undefined;
const where = isPossible
  ? ''
  : ` (skipped: ${isRoot ? 'npm run build:binary' : 'needs root on Linux'})`;

test.skipIf(!isPossible)(
  `the image asks a service without writing anything, and refuses an order that it cannot record${where}`,
  async () => {
    const sandbox = await startSandbox({ port: 0 });
    onTestFinished(() => sandbox.close());
    const folder = join(await temporaryFolder(), 'image');
    execFileSync(SCRIPT, [builtExecutable ?? '', folder]);
    const { url, token, services } = sandbox.listing;
    const own = { HOME: '/home/svc', LANG: 'C.UTF-8', SVC_API_URL: url, SVC_TOKEN: token };
    const options = {
      env: { ...own, PATH: process.env['PATH'] },
      extendEnv: false,
      reject: false,
      input: '',
    } as const;
    /**
     * Runs svc in it as nobody, with every file system read-only, as `podman run --read-only` does.
     */
    const svc = async (line: string) => {
      const enter = [
        'mount --bind "$0" "$0"',
        'mount -o remount,ro,bind "$0"',
        'mount --rbind /dev "$0/dev"',
        'mount --rbind /proc "$0/proc"',
        'exec chroot --userspec=65534:65534 "$0" /usr/bin/svc "$@"',
      ].join(' && ');
      return execa('unshare', ['--mount', 'sh', '-c', enter, folder, ...line.split(' ')], options);
    };
    const email = 'amina@kola-studio.example';
    expect(await svc('whoami --jq .user.email')).toMatchObject({
      exitCode: 0,
      stdout: email,
      stderr: '',
    });
    expect(await svc(`restart ${services[0]?.id} --yes`)).toMatchObject({ exitCode: 0 });
    const { requests } = sandbox.report();
    const refused = await svc('buy --plan plan_wp_pro --network mtn --phone +237670000042 --yes');
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('SVC_CONFIG_DIR'),
    });
    expect(sandbox.report().requests).toBe(requests);
  },
);
