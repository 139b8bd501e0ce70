import { join } from 'node:path';
import { execa } from 'execa';
import { startSandbox } from '../../sandbox/server.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { fakeClock } from './clock.ts';
import { wordsOf } from './command-line.ts';
import { EXECUTABLE } from './program.ts';
import { svcOnPath } from './shell.ts';
import { svc } from './svc.ts';

/** Whether a line is svc with nothing but words, which starts no program and no sandbox. */
function runsHere(line: string): boolean {
  const unquoted = line.replaceAll(/'[^']*'|"[^"$`\\]*"/g, '');
  return (
    EXECUTABLE === undefined && /^svc (?!sandbox|open|db connect)[\w @%+=:,./{}-]*$/.test(unquoted)
  );
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Runs a line of the shell in a folder, after others that have to work, against a fresh sandbox and
 * with what `svc sandbox exec` sets. The sandbox is in this process, which is faster.
 */
export async function inSandbox(
  line: string,
  home: string,
  env: Env = {},
  before: readonly string[] = [],
) {
  // Within this process all waits are over at once.
  const clock = [...before, line].every(runsHere) ? fakeClock() : systemClock;
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1, clock });
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
      const { exitCode, all } = await runLine(one, home, { ...own, ...env }, clock);
      if (exitCode !== 0) throw new Error(`${one}\n${all}`);
    }
    return await runLine(line, home, { ...own, ...env }, clock);
  } finally {
    await sandbox.close();
  }
}

/**
 * Runs a line in a folder with these variables alone: in this process if it can, else in a shell.
 */
export async function runLine(line: string, home: string, env: Env, clock: Clock = systemClock) {
  if (runsHere(line)) {
    const { exitCode, stdout, shown } = await svc(wordsOf(line).slice(1), {
      cwd: home,
      env,
      clock,
    });
    return { exitCode, stdout: stdout.trimEnd(), all: shown };
  }
  const options = {
    cwd: home,
    env: { ...env, ...svcOnPath(home) },
    input: '',
    extendEnv: false,
  } as const;
  return execa('sh', ['-c', line], { ...options, all: true, reject: false });
}
