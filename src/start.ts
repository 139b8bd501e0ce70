import { homedir, hostname, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { isatty } from 'node:tty';
import { systemClock } from './clock.ts';
import { SIGN_IN_VARIABLES } from './environment.ts';
import { EXIT_CODES, SIGNAL_EXITS, tryOr } from './errors.ts';
import { main } from './main.ts';
import { getRuntime } from './runtime.ts';
import { createMachine } from './store/machine.ts';
import { createJob } from './terminal/job.ts';
import { STOP_SIGNALS, type World } from './world.ts';

/** Runs the real process. */
export async function start(version: string, script: string): Promise<void> {
  // NO_COLOR wins; with both set, Node itself would warn on stderr.
  if (process.env['NO_COLOR']) delete process.env['FORCE_COLOR'];
  const isOnTerminal =
    process.platform !== 'win32' && [0, 1, 2].some((descriptor) => isatty(descriptor));
  process.exitCode = EXIT_CODES.unexpected.exit;
  process.once('beforeExit', sayUnfinished);
  const exitCode = await main(systemWorld(version, script));
  process.off('beforeExit', sayUnfinished);
  process.exitCode = exitCode;
  // At the end of a process whose terminal is gone, Node aborts. The signal ends it with the same
  // code.
  if (exitCode === SIGNAL_EXITS.SIGHUP && isOnTerminal) {
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  }
  // All output is written by now. A DNS lookup that hangs cannot be cancelled, and would keep the
  // process alive.
  if (exitCode !== 0) process.exit(exitCode);
}

/**
 * Node ends when nothing is waited for; in the middle of the work that must not look like success.
 */
function sayUnfinished(): void {
  process.stderr.write(
    'Error: svc ended before its work was done, which is a bug. Check what was done before you repeat it.\n',
  );
}

function systemWorld(version: string, script: string): World {
  const { stdout, stderr } = process;
  return {
    argv: process.argv.slice(2),
    env: takeEnvironment(),
    // It may have been removed.
    cwd: tryOr(() => process.cwd(), undefined),
    machine: createMachine(process, hostname()),
    home: tryOr(() => homedir() || userInfo().homedir, ''),
    version,
    // The build fills these in.
    built: process.env['SVC_BUILT'] ?? '',
    commit: process.env['SVC_COMMIT'] ?? '',
    runtime: getRuntime(process, script),
    packageFolder: dirname(dirname(script)),
    defaultApiUrl: process.env['SVC_DEFAULT_API_URL'],
    // Opening stdin takes milliseconds, and most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    clock: systemClock,
    random: Math.random,
    onSignal(listener) {
      for (const signal of STOP_SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of STOP_SIGNALS) process.off(signal, listener);
      };
    },
    job: process.platform === 'win32' ? undefined : createJob(process),
    exit: (code) => process.exit(code),
  };
}

/** Takes the tokens out of what browsers and other programs inherit. */
function takeEnvironment(): World['env'] {
  const named = (name: string) => (process.platform === 'win32' ? name.toUpperCase() : name);
  const env = Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [named(name), value]),
  );
  for (const name of SIGN_IN_VARIABLES) delete process.env[name];
  // svc checks certificates whatever this says, but Node would warn on stderr.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  return env;
}
