import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { START } from '../../support/device-login.ts';
import { EXECUTABLE, type Program } from '../../support/program.ts';
import { readSignIns } from '../../support/stored.ts';
import { type RunOptions, runOf, svc } from '../../support/svc.ts';
import { until } from '../../support/until.ts';
import { startWire } from '../../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../../terminal/script.ts';

/** See {@link newStage}. */
export type Stage = Awaited<ReturnType<typeof newStage>>;

/**
 * A user with a machine, and a service whose answers are planned; `start` is that to a login, and
 * `null` plans none.
 */
export async function newStage(
  { onTestFinished }: TestContext,
  program: Program,
  start: object | null = START,
) {
  const wire = await startWire();
  const folder = mkdtempSync(join(tmpdir(), 'svc-login-'));
  const configDir = join(folder, 'config');
  const environment = {
    ...TERMINAL_ENV,
    HOME: folder,
    SVC_CONFIG_DIR: configDir,
    SVC_API_URL: wire.url,
  };
  // The last one that is registered runs first.
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    wire.verify();
  });
  onTestFinished(() => wire.close());
  if (start !== null) wire.on('POST', '/v1/auth/device').reply(200, start);
  const run = (
    args: readonly string[],
    { through = [] }: { readonly through?: readonly string[] } = {},
  ) => {
    const [file = '', ...words] = [...through, ...program.command, ...args];
    const child = spawn(file, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return follow(child);
  };
  return {
    wire,
    poll: wire.on('POST', '/v1/auth/device/token'),
    configDir,
    /** Runs svc in this process, or the executable under test. */
    async here(
      args: readonly string[],
      { env, terminal }: Pick<RunOptions, 'env' | 'terminal'> = {},
    ) {
      if (EXECUTABLE === undefined || terminal !== undefined) {
        return svc(args, {
          env: { ...environment, ...env },
          configDir,
          cwd: folder,
          hostname: hostname(),
          terminal,
        });
      }
      const child = run(args);
      return runOf(Number(await child.ended()), child.stdout(), child.stderr());
    },
    /** Runs svc with pipes; `through` may be a program that starts it. */
    run,
    terminal(args: readonly string[], { env, ...options }: Parameters<typeof onTerminal>[1] = {}) {
      const own = { args, env: { ...environment, ...env }, atEnd: onTestFinished };
      return onTerminal(program.command, { ...options, ...own });
    },
    /** The names of the files that svc has made. */
    files: () => (existsSync(configDir) ? readdirSync(configDir).sort() : []),
    tokens: () => readSignIns(configDir).credentials.map(({ token }) => token),
  };
}

/** The processes that it has started. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Of a process: `T` if it is stopped; undefined if it is gone. */
export function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];
  } catch {
    return undefined;
  }
}

/** What became of a program with pipes. */
function follow(child: ChildProcess) {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  let isOver = false;
  const ended = once(child, 'close').then(([code, signal]): number | string => {
    isOver = true;
    return code ?? signal ?? 'gone';
  });
  return {
    child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    /** Resolves with the exit code, or the name of the signal that killed it. */
    ended: () => ended,
    /**
     * Resolves when both outputs together show the text; rejects where the program ends without it.
     */
    async shows(wanted: string) {
      const shown = () => `${texts.stdout}${texts.stderr}`;
      await until(() => shown().includes(wanted) || isOver, shown);
      expect(shown()).toContain(wanted);
    },
  };
}
