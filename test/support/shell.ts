import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { PROGRAM } from './program.ts';
import { until } from './until.ts';

type ShellName = 'bash' | 'zsh' | 'fish';

/** A shell at a terminal, with somebody who presses keys. */
export type Shell = Awaited<ReturnType<typeof testShell>>;

interface ShellOptions {
  readonly home: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Prepares a prompt that can be found, one listing for one Tab, and a command that shows its words.
 */
const PREPARE: Readonly<Record<ShellName, readonly string[]>> = {
  bash: [
    "PS1='ready> '",
    'bind "set show-all-if-ambiguous on" "set completion-query-items 0" "set page-completions off"',
    'bind "set bell-style none"',
    'shown() { printf "<%s>" "$@"; echo; }',
  ],
  zsh: [
    "PROMPT='ready> ' RPROMPT=''",
    'LISTMAX=10000; unsetopt beep; zstyle ":completion:*" list-prompt ""',
    'shown() { printf "<%s>" "$@"; echo; }',
  ],
  fish: [
    'set -U fish_greeting; function fish_prompt; echo -n "ready> "; end; function fish_right_prompt; end',
    'function shown; printf "<%s>" $argv; echo; end',
  ],
};

/** The environment of a shell that finds the built svc on its PATH, by a link below `home`. */
export function svcOnPath(
  home: string,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const folder = join(home, 'bin');
  mkdirSync(folder, { recursive: true });
  const link = join(folder, 'svc');
  if (!existsSync(link)) symlinkSync(PROGRAM[1], link);
  return { ...env, PATH: `${folder}:${process.env['PATH']}` };
}

async function startTerminal(cwd: string, command: readonly string[]) {
  const sockets = mkdtempSync(join(tmpdir(), 'svc-tmux-'));
  const tmux = async (...words: readonly string[]) =>
    (await promisify(execFile)('tmux', ['-S', join(sockets, 's'), ...words])).stdout;
  const close = async () => {
    const pid = Number(await tmux('display-message', '-p', '#{pane_pid}').catch(() => 0));
    await tmux('kill-server').catch(() => undefined);
    // A shell that is told to go may still write its history into the home. Where nobody reaps it,
    // it never goes.
    for (let looks = 0; pid > 0 && isRunning(pid) && looks < 10; looks += 1) await sleep(100);
    rmSync(sockets, { recursive: true, force: true });
  };
  await tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-x',
    '150',
    '-y',
    '100',
    '-c',
    cwd,
    ...command,
  );

  const screen = () => tmux('capture-pane', '-p');
  /**
   * Presses keys, by their names, and types texts: all in one go, because each start of tmux takes
   * its time.
   */
  const press = (...all: ReadonlyArray<Typed | string>) =>
    tmux(
      ...all
        .flatMap((one) => (typeof one === 'string' ? ['send-keys', one, ';'] : [...one, ';']))
        .slice(0, -1),
    );
  const waitFor = async (expected: RegExp) => {
    let seen = '';
    await until(
      async () => {
        seen = (await screen()).trimEnd();
        return expected.test(seen);
      },
      () => `The terminal should show ${expected}, and shows:\n${seen}`,
    );
    return seen;
  };
  return { press, waitFor, close };
}

/**
 * Starts a shell, which reads the start-up files of its home, in a terminal of its own. It ends
 * with the running test.
 */
export async function testShell(name: ShellName, { home, cwd = home, env = {} }: ShellOptions) {
  const variables = { HOME: home, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env };
  const start = [
    'env',
    '-i',
    ...Object.entries(variables).map(([key, value]) => `${key}=${value}`),
    'TERM=screen',
  ];
  const { press, waitFor, close } = await startTerminal(cwd, [...start, name, '-i']);
  onTestFinished(close);
  const clear = async () => {
    // Ctrl-C would throw away what is typed behind it.
    await press('C-e', 'C-u', typed('clear'), 'Enter');
    await waitFor(/^ready>$/);
  };
  const run = async (line: string) => {
    await clear();
    // The line itself must not look like its end.
    await press(typed(`${line}; echo 'ready'' again'`), 'Enter');
    return waitFor(/^ready again\nready>$/m);
  };

  await press(...PREPARE[name].flatMap((line) => [typed(line), 'Enter']));
  await clear();
  let completed = 0;
  return {
    run,
    /** Types a line, presses Tab and Return; resolves with the words that a command then gets. */
    async complete(line: string): Promise<string[]> {
      completed += 1;
      await press('C-e', 'C-u', typed(line), 'Tab', 'C-a', typed(`shown ${completed} `), 'Enter');
      const words = new RegExp(`^<${completed}><(.*)>\\nready>$`, 'm');
      return (words.exec(await waitFor(words))?.[1] ?? '').split('><');
    },
  };
}

type Typed = readonly string[];

/** Text as a command of tmux, which would take a semicolon at its end for that of the command. */
function typed(text: string): Typed {
  return ['send-keys', '-l', text.replace(/;$/, '\\;')];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
