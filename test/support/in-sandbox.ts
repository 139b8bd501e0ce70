import { join } from 'node:path';
import { execa } from 'execa';
import { startSandbox } from '../../src/sandbox/server.ts';
import { EXECUTABLE } from './program.ts';
import { svcOnPath } from './shell.ts';
import { svc } from './svc.ts';

/** Lines that need a shell, or that start a program or a sandbox. */
const NEEDS_SHELL = /[^\w @%+=:,./-]|^svc (?:sandbox|open|mcp|completion|db connect)/;

/**
 * Runs a line of the shell in a folder, against a fresh sandbox and with what `svc sandbox exec` sets. The sandbox is
 * in this process, and so is svc if the line is nothing but its words: a process takes longer than most lines.
 */
export async function inSandbox(line: string, home: string, env: Readonly<Record<string, string>> = {}) {
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  try {
    const { url, token, services } = sandbox.listing;
    const own = {
      HOME: home,
      LANG: 'C.UTF-8',
      SVC_API_URL: url,
      SVC_TOKEN: token,
      SVC_ORG: sandbox.organization,
      SVC_SERVICE: services.find(({ kind }) => kind === 'wordpress')?.id,
      SVC_DNS_SERVER: sandbox.dnsServer,
      SVC_CONFIG_DIR: join(home, 'config'),
    };
    if (EXECUTABLE === undefined && !NEEDS_SHELL.test(line)) {
      const { exitCode, shown } = await svc(line.split(' ').slice(1), { cwd: home, env: { ...own, ...env } });
      return { exitCode, all: shown };
    }
    const options = { cwd: home, env: { ...own, ...svcOnPath(home, env) }, input: '', extendEnv: false } as const;
    return await execa('sh', ['-c', line], { ...options, all: true, reject: false });
  } finally {
    await sandbox.close();
  }
}
