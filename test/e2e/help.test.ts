import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../support/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const [RUNNER, BIN] = PROGRAM;
const HELP = readFileSync(join(ROOT, 'dist/help.txt'), 'utf8');

/** Ways to ask for the help that are answered without the program, and one that needs it. */
const FAST = [[], ['--help'], ['-h'], ['help']];
const WHOLE = ['--help', '--quiet'];

type Env = Readonly<Record<string, string>>;

/** What the built svc prints into a pipe. */
async function inPipe(words: readonly string[], env: Env): Promise<string> {
  const { stdout } = await execa(RUNNER, [BIN, ...words], {
    env,
    extendEnv: false,
    stripFinalNewline: false,
  });
  return stdout;
}

/** What the built svc prints on a terminal. */
function onTerminal(words: readonly string[], env: Env, columns: number): Promise<string> {
  return new Promise((resolve) => {
    const pty = spawn(RUNNER, [BIN, ...words], { cols: columns, rows: 50, env: { ...env } });
    let text = '';
    pty.onData((data) => {
      text += data;
    });
    pty.onExit(() => resolve(text));
  });
}

describe('the prepared help equals the help of the program', () => {
  test('in a pipe', async () => {
    const [whole, ...fast] = await Promise.all([WHOLE, ...FAST].map((words) => inPipe(words, {})));
    expect(whole).toBe(HELP);
    expect(fast).toEqual(FAST.map(() => HELP));
  });

  test.each<[Env, number]>([
    [{ TERM: 'xterm-256color' }, 80],
    [{ TERM: 'xterm-256color' }, 200],
    [{ TERM: 'xterm-256color' }, 60],
    [{ TERM: 'dumb' }, 80],
    [{ TERM: 'xterm', NO_COLOR: '1' }, 80],
    [{ TERM: 'xterm', NO_COLOR: '' }, 80],
    [{ TERM: 'xterm', FORCE_COLOR: '0' }, 80],
    [{ TERM: '', FORCE_COLOR: '' }, 80],
    [{ TERM: '' }, 80],
  ])('on a terminal with %j and %i columns', async (env, columns) => {
    const [whole, fast] = await Promise.all([WHOLE, ['--help']].map((words) => onTerminal(words, env, columns)));
    expect(whole).toMatch(/^Usage: svc <command> \[options\]\r\n/);
    expect(fast).toBe(whole);
  });

  test.each<[Env, ReadonlyArray<readonly string[]>]>([
    [{ FORCE_COLOR: '1' }, [[], ['--help']]],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [['-h'], ['help']]],
  ])('in a pipe with %j', async (env, lines) => {
    const [whole, ...fast] = await Promise.all([WHOLE, ...lines].map((words) => inPipe(words, env)));
    expect(fast).toEqual(lines.map(() => whole));
  });
});

test('svc --version is the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(await inPipe(['--version'], {})).toBe(`${version}\n`);
  expect(await inPipe(['-V'], {})).toBe(`${version}\n`);
  expect(await inPipe(['--version', '--quiet'], {})).toBe(`${version}\n`);
});

test('the help fits 80 columns and 70 lines', () => {
  expect(HELP.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(HELP.split('\n').length).toBeLessThan(70);
});
