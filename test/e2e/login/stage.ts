import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { START } from '../../support/device-login.ts';
import { EXECUTABLE, type Program } from '../../support/program.ts';
import { readSignIns } from '../../support/stored.ts';
import { type Run, runOf, type RunOptions as SvcOptions, svc } from '../../support/svc.ts';
import { until } from '../../support/until.ts';
import { startWire, type Wire } from '../../support/wire.ts';
import type { WirePlan } from '../../support/wire-plan.ts';
import { onTerminal, TERMINAL_ENV, type TerminalRun } from '../../terminal/script.ts';

/** A run of svc with pipes. */
export interface PipeRun {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when both outputs together show the text; rejects where the program ends without it. */
  shows(text: string): Promise<void>;
  /** Resolves with the exit code, or the name of the signal that killed it. */
  ended(): Promise<number | string>;
}

/** A user with a machine, and a service whose answers are planned. The tests run side by side, each on its own stage. */
export interface Stage {
  readonly wire: Wire;
  readonly poll: WirePlan;
  readonly configDir: string;
  /** Runs svc in this process, for what has nothing to do with processes and pipes; or else the executable under test. */
  here(args: readonly string[], options?: Pick<SvcOptions, 'env' | 'terminal'>): Promise<Run>;
  /** Runs svc with pipes; the words before it may be another program that starts it. */
  run(args: readonly string[], options?: RunOptions): PipeRun;
  /** Runs svc on a terminal of its own. */
  terminal(args: readonly string[], options?: Parameters<typeof onTerminal>[1]): TerminalRun;
  /** The names of the files that svc has made. */
  files(): readonly string[];
  /** The tokens that are stored. */
  tokens(): readonly string[];
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly through?: readonly string[];
}

export const POLL = '/v1/auth/device/token';

/** Makes a stage for one test. `start` is the answer to the start of a login; `null` plans none. */
export async function newStage(
  { onTestFinished }: TestContext,
  program: Program,
  start: object | null = START,
): Promise<Stage> {
  const wire = await startWire();
  const folder = mkdtempSync(join(tmpdir(), 'svc-login-'));
  const configDir = join(folder, 'config');
  const environment = { ...TERMINAL_ENV, HOME: folder, SVC_CONFIG_DIR: configDir, SVC_API_URL: wire.url };
  // The last one that is registered runs first.
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    wire.verify();
  });
  onTestFinished(() => wire.close());
  if (start !== null) wire.on('POST', '/v1/auth/device').reply(200, start);
  const run: Stage['run'] = (args, { env = {}, through = [] } = {}) => {
    const [file = '', ...words] = [...through, ...program.command, ...args];
    const child = spawn(file, words, { env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return follow(child);
  };
  return {
    wire,
    poll: wire.on('POST', POLL),
    configDir,
    async here(args, { env = {}, terminal } = {}) {
      if (EXECUTABLE !== undefined && terminal === undefined) {
        const child = run(args, { env });
        return runOf(Number(await child.ended()), child.stdout(), child.stderr());
      }
      const own = { env: { ...environment, ...env }, configDir, cwd: folder, hostname: hostname() };
      return svc(args, terminal === undefined ? own : { ...own, terminal });
    },
    run,
    terminal: (args, options = {}) =>
      onTerminal(program.command, {
        ...options,
        args,
        env: { ...environment, ...options.env },
        atEnd: onTestFinished,
      }),
    files: () => namesIn(configDir),
    tokens: () => readSignIns(configDir).credentials.map(({ token }) => token),
  };
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** The state of a process, such as `S` if it sleeps, or `T` if it is stopped; undefined if it is gone. */
export function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];
  } catch {
    return undefined;
  }
}

function follow(child: ChildProcess): PipeRun {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  let isOver = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    isOver = true;
    return code ?? signal ?? 'gone';
  });
  return {
    child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    ended: () => ended,
    async shows(wanted) {
      const shown = () => `${texts.stdout}${texts.stderr}`;
      await until(() => shown().includes(wanted) || isOver, shown);
      expect(shown()).toContain(wanted);
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
