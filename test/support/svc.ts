import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { main } from '../../src/main.ts';
import { getRuntime } from '../../src/runtime.ts';
import { createMachine } from '../../src/store/machine.ts';
import type { StopSignal, World } from '../../src/world.ts';
import { checkPrinted } from './printed.ts';

/** How a command line runs in a test; everything left out is as in a bare pipeline. */
export interface RunOptions
  extends Partial<Pick<World, 'built' | 'commit' | 'packageFolder' | 'clock' | 'random'>> {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * The address of a wire or a sandbox; sets `SVC_API_URL`, and `SVC_TOKEN` unless `token` is null.
   */
  readonly url?: string;
  readonly token?: string | null;
  /**
   * What stdin holds; null for one that never ends, or a stream that is written while the command
   * runs. On a terminal a line answers a question of one line (`TERM=dumb`) once it is shown.
   */
  readonly stdin?: string | null | PassThrough;
  readonly onStdout?: (chunk: Buffer) => void;
  /** The current folder; an empty one unless given, null for one that was removed. */
  readonly cwd?: string | null;
  readonly configDir?: string;
  readonly uid?: number;
  readonly hostname?: string;
  /** Bytes that the objects of the program may take. */
  readonly heapLimit?: number;
  /**
   * Makes all three streams say that they are a terminal of this size. What needs a real one
   * belongs into a pty.
   */
  readonly terminal?: { readonly columns: number; readonly rows: number } | undefined;
  /**
   * Called with how to send a signal and how to read what is printed so far, once the command runs.
   */
  readonly onStart?:
    | ((send: (signal: StopSignal) => void, shown: () => string) => void)
    | undefined;
}

export type Run = ReturnType<typeof runOf>;

/** A token with a shape that is easy to look for where it must not be. */
export const CANARY_TOKEN = 'svc_CANARY_0123456789abcdef';

const ROOT = join(import.meta.dirname, '../..');
const still = () => true;
const MOVES = { cursorTo: still, moveCursor: still, clearLine: still };

/**
 * Runs a command line in this process, through `main`, with real streams that are not terminals.
 */
export async function svc(argv: readonly string[], options: RunOptions = {}): Promise<Run> {
  const shown: string[] = [];
  const stdout = collect(shown);
  const stderr = collect(shown);
  const stdin = inputOf(options, stderr.stream);
  if (options.onStdout) stdout.stream.on('data', options.onStdout);
  const terminal = options.terminal && { isTTY: true, ...MOVES, ...options.terminal };
  for (const stream of [stdin, stdout.stream, stderr.stream]) Object.assign(stream, terminal);
  const listeners = new Set<(signal: StopSignal) => void>();
  const { hostname = 'marie-laptop', uid, heapLimit, cwd = newFolder() } = options;
  const world: World = {
    argv,
    env: environment(options),
    cwd: cwd ?? undefined,
    machine: { ...createMachine(process, hostname), ...(uid !== undefined && { uid }) },
    runtime: {
      ...getRuntime(process, join(ROOT, 'bin/svc.cjs')),
      ...(heapLimit !== undefined && { heapLimit: () => heapLimit }),
    },
    home: '',
    version: '0.0.0-test',
    built: options.built ?? '2026-11-17T09:00:00Z',
    commit: options.commit ?? '0123456789ab',
    packageFolder: options.packageFolder ?? ROOT,
    clock: options.clock ?? systemClock,
    random: options.random ?? (() => 0.5),
    ...{ stdin, stdout: stdout.stream, stderr: stderr.stream },
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exit: () => undefined,
  };
  const running = main(world);
  const send = (signal: StopSignal) => {
    for (const listener of listeners) listener(signal);
  };
  options.onStart?.(send, () => shown.join(''));
  const exitCode = await running;
  await checkPrinted(argv, exitCode, stdout.text(), stderr.text());
  return runOf(
    exitCode,
    stdout.text(),
    stderr.text(),
    shown.filter((chunk) => !SPINNER.test(chunk)).join(''),
  );
}

function inputOf({ stdin = '', terminal }: RunOptions, stderr: PassThrough): PassThrough {
  if (stdin instanceof PassThrough) return stdin;
  const input = new PassThrough();
  if (stdin !== null && stdin !== '' && terminal !== undefined) typeLines(stdin, input, stderr);
  else if (stdin !== null) input.end(stdin);
  return input;
}

/** Where folders cost the least: in memory, if that has room and runs programs. */
export const IN_MEMORY: string = isUsable('/dev/shm') ? '/dev/shm' : tmpdir();

export async function temporaryFolder(): Promise<string> {
  return newFolder();
}

function newFolder(): string {
  const folder = mkdtempSync(join(IN_MEMORY, 'svc-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** In a container it may be small, and without the right to run programs. */
function isUsable(memory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory);
    return bavail * bsize > 2 ** 30 && !/\bnoexec\b/.test(mount ?? 'noexec');
  } catch {
    return false;
  }
}

function environment({
  url,
  token = CANARY_TOKEN,
  configDir,
  env,
}: RunOptions): Record<string, string | undefined> {
  return {
    SVC_CONFIG_DIR: configDir ?? newFolder(),
    LANG: 'C.UTF-8',
    ...(url !== undefined && { SVC_API_URL: url }),
    ...(url !== undefined && token !== null && { SVC_TOKEN: token }),
    ...env,
  };
}

/**
 * What came of a command line. `shown` are both streams in the order of their writes, without
 * spinners.
 */
export function runOf(exitCode: number, stdout: string, stderr: string, shown = stdout + stderr) {
  const parse = (text: string) => {
    try {
      return JSON.parse(text);
    } catch (cause) {
      // A matcher that fails reads every field: this then stands in place of its differences.
      throw new Error(`No JSON to read. The line ended with ${exitCode} and showed:\n${shown}`, {
        cause,
      });
    }
  };
  return {
    exitCode,
    stdout,
    stderr,
    shown,
    /** The last line of stderr as JSON: the error object of `--json`. */
    get error(): Record<string, unknown> {
      return parse(stderr.trimEnd().split('\n').at(-1) ?? '');
    },
    get json(): unknown {
      return parse(stdout);
    },
  };
}

/** What ora writes, each in one piece: a frame, or the cursor hidden or shown. */
const SPINNER = /^(?:[\u2800-\u28ff] |\u001b\[\?25[hl]$)/;

/** Answers the questions with these lines, key by key: what comes at once is taken for pasted. */
function typeLines(text: string, stdin: PassThrough, stderr: PassThrough): void {
  Object.assign(stdin, { setRawMode: () => stdin });
  const keys = [...text.replaceAll('\n', '\r')];
  let isEcho = false;
  stderr.on('data', (chunk: Buffer) => {
    if (!isEcho && !/: $/.test(String(chunk))) return;
    // A secret is not echoed.
    const isSecret = String(chunk).endsWith('(not shown): ');
    const key = isSecret ? keys.splice(0, keys.indexOf('\r') + 1).join('') : (keys.shift() ?? '');
    if (key === '') stdin.end();
    else stdin.write(key);
    isEcho = !isSecret && key !== '' && key !== '\r';
  });
}

function collect(shown: string[]) {
  const stream = new PassThrough();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    shown.push(chunk.toString('utf8'));
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
