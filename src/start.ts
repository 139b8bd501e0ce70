import { homedir, hostname, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { systemClock } from './clock.ts';
import { SIGN_IN_VARIABLES } from './environment.ts';
import { main } from './main.ts';
import { machineOf } from './vault/machine.ts';
import type { StopSignal, World } from './world.ts';

/** Runs the real process; the built program's entry calls it. */
export async function start(version: string, script: string): Promise<void> {
  // NO_COLOR wins; with both set, Node itself would warn on stderr.
  if (process.env['NO_COLOR']) delete process.env['FORCE_COLOR'];
  const exitCode = await main(systemWorld(version, script));
  process.exitCode = exitCode;
  // Everything is written by now. A name lookup that hangs cannot be cancelled, and would keep the process for long.
  if (exitCode !== 0) process.exit(exitCode);
}

function systemWorld(version: string, script: string): World {
  const { stdout, stderr } = process;
  return {
    argv: process.argv.slice(2),
    env: takeEnvironment(),
    cwd: currentFolder(),
    machine: machineOf(process, hostname()),
    home: homeFolder(),
    nodeVersion: process.versions.node,
    version,
    // As a single executable, svc is its own runtime.
    self: script === process.execPath ? [script] : [process.execPath, script],
    packageFolder: dirname(dirname(script)),
    // Opening stdin costs a start-up milliseconds, and most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    clock: systemClock,
    random: Math.random,
    onSignal(listener) {
      const signals: StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}

/** The environment. What signs in is taken out of the process's own, which a browser and other programs inherit. */
function takeEnvironment(): World['env'] {
  const named = (name: string) => (process.platform === 'win32' ? name.toUpperCase() : name);
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [named(name), value]));
  for (const name of SIGN_IN_VARIABLES) delete process.env[name];
  // svc checks certificates all the same, and Node would say on stderr that it does not.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  return env;
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // It was removed.
    return undefined;
  }
}

function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '';
  }
}
