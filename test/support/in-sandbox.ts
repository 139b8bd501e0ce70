import { join } from 'node:path';
import { execa } from 'execa';
import { startSandbox } from '../../sandbox/server.ts';
import { EXECUTABLE } from './program.ts';
import { svcOnPath } from './shell.ts';
import { svc } from './svc.ts';

/** Lines that need a shell, or that start a program or a sandbox. */
const NEEDS_SHELL = /[^\w @%+=:,./-]|^svc (?:sandbox|open|completion|db connect)/;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Runs a line of the shell in a folder, after others that have to work, against a fresh sandbox and with what
 * `svc sandbox exec` sets. The sandbox is in this process: starting one in a process of its own takes longer than most
 * lines.
 */
export async function inSandbox(line: string, home: string, env: Env = {}, before: readonly string[] = []) {
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
    for (const one of before) {
      const { exitCode, all } = await runLine(one, home, { ...own, ...env });
      if (exitCode !== 0) throw new Error(`${one}\n${all}`);
    }
    return await runLine(line, home, { ...own, ...env });
  } finally {
    await sandbox.close();
  }
}

/** Runs a line in a folder with these variables alone: in this process if it is nothing but words, else in a shell. */
export async function runLine(line: string, home: string, env: Env) {
  if (EXECUTABLE === undefined && !NEEDS_SHELL.test(line)) {
    const { exitCode, stdout, shown } = await svc(line.split(' ').slice(1), { cwd: home, env });
    return { exitCode, stdout: stdout.trimEnd(), all: shown };
  }
  const options = { cwd: home, env: { ...env, ...svcOnPath(home) }, input: '', extendEnv: false } as const;
  return execa('sh', ['-c', line], { ...options, all: true, reject: false });
}
