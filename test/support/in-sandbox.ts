import { join } from 'node:path';
import { execa } from 'execa';
import { startSandbox } from '../../src/sandbox/server.ts';
import { svcOnPath } from './shell.ts';

/**
 * Runs a line of the shell in a folder, against a fresh sandbox and with what `svc sandbox exec` sets. The sandbox is
 * in this process: starting one in a process of its own takes longer than most lines.
 */
export async function inSandbox(line: string, home: string, env: Readonly<Record<string, string>> = {}) {
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  try {
    const { url, token, services } = sandbox.listing;
    return await execa('sh', ['-c', line], {
      cwd: home,
      env: {
        HOME: home,
        LANG: 'C.UTF-8',
        SVC_API_URL: url,
        SVC_TOKEN: token,
        SVC_ORG: sandbox.organization,
        SVC_SERVICE: services.find(({ kind }) => kind === 'wordpress')?.id,
        SVC_DNS_SERVER: sandbox.dnsServer,
        SVC_CONFIG_DIR: join(home, 'config'),
        ...svcOnPath(home, env),
      },
      extendEnv: false,
      all: true,
      reject: false,
      input: '',
    });
  } finally {
    await sandbox.close();
  }
}
