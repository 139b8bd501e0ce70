import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { findProgram, needs } from '../support/needs.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const REAL = 'SVC_TOKEN=svc_real SVC_PROFILE=real MINE=yes';
/** Start-up files that sign in to the real platform, as those of users may. */
const START_UP_FILES: Readonly<Record<string, readonly [file: string, text: string]>> = {
  bash: ['.bashrc', `export ${REAL}\nPS1='mine> '\n`],
  zsh: ['.zshrc', `export ${REAL}\nPROMPT='mine> '\n`],
  fish: [
    '.config/fish/config.fish',
    `export ${REAL.replaceAll(' ', '; export ')}\nfunction fish_prompt; echo -n 'mine> '; end\n`,
  ],
};

/** A sandbox shell on a terminal, and its prompt. */
async function sandboxShell(shell: string, prompt = '(sandbox) mine> ') {
  const home = await temporaryFolder();
  const [file, text] = START_UP_FILES[shell] ?? ['.profile', ''];
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
  const SHELL = findProgram(shell) ?? shell;
  const env = { ...TERMINAL_ENV, HOME: home, SHELL, SVC_TOKEN: 'svc_real_token', SVC_SESSION_TOKEN: 'real' };
  const run = onTerminal(program.command, { args: ['sandbox', 'shell'], env, columns: 120 });
  await run.shows(prompt);
  return run;
}

describe('the shell of the user', () => {
  for (const name of ['zsh', 'fish', 'sh']) {
    const shell = needs(name);
    const title = `${name} gets a prompt, svc and a sign-in that its start-up files do not undo; its exit code counts`;
    test.skipIf(shell.missing)(shell.title(title), async () => {
      const isPlain = name === 'sh';
      const run = await sandboxShell(name, isPlain ? '(sandbox) $ ' : undefined);
      run.type('svc whoami --json; echo "[$MINE$SVC_PROFILE$SVC_SESSION_TOKEN]" | tr a-z A-Z\r');
      await run.shows('"amina@kola-studio.example"');
      await run.shows(isPlain ? '[]' : '[YES]');
      run.type('exit 7\r');
      expect(await run.ended()).toBe(7);
    });
  }

  test('bash does so too, is told in 24 rows what to try, and gets Ctrl-C', async () => {
    const run = await sandboxShell('bash');
    const rows = run
      .output()
      .replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, '')
      .split('\r\n');
    expect(rows.length).toBeLessThanOrEqual(24);
    const commands = rows.filter((row) => row.startsWith('  svc ')).map((row) => row.trim());
    expect(commands).toHaveLength(3);
    // Each goes as far as it does without waiting.
    const tries = [['', 0] as const, ['-timeout 1s', 10] as const, [' --dry-run', 0] as const];
    for (const [index, [more, exitCode]] of tries.entries()) {
      run.type(`${commands[index]}${more} >/dev/null 2>&1; echo "${index}:$?:"\r`);
      await run.shows(`${index}:${exitCode}:`);
    }
    run.type("sh -c 'echo go''ing; exec sleep 60'\r");
    await run.shows('going\r\n');
    run.type('\u0003');
    await run.shows('^C');
    run.type('svc whoami --json; echo "[$MINE$SVC_PROFILE]"\r');
    await run.shows('"amina@kola-studio.example"');
    await run.shows('[yes]');
    run.type('exit 7\r');
    expect(await run.ended()).toBe(7);
  });

  test('ends with the terminal, and with SIGTERM', async () => {
    const run = await sandboxShell('bash');
    run.type('echo "pid $PPID."\r');
    await run.shows('.\r\n');
    const [, pid] = /pid (\d+)\./.exec(run.output()) ?? [];
    process.kill(Number(pid), 'SIGTERM');
    expect(await run.ended()).toBe(129);
  });

  test('that there is not is exit 127', async () => {
    const env = { ...TERMINAL_ENV, HOME: await temporaryFolder(), SHELL: '/nowhere/bash' };
    expect(await onTerminal(program.command, { args: ['sandbox', 'shell'], env }).ended()).toBe(127);
  });

  // The command that is proposed is an example of the help, which runs in `examples.test.ts`.
  test.each([
    [['sandbox', 'shell'], 'A shell needs a terminal.'],
    [['sandbox', 'exec', '--', ''], 'The command is empty.'],
  ])('in a pipe, svc %j is refused', async (argv, message) => {
    const stderr = `Error: ${message}\nTry: svc sandbox exec -- svc whoami\n`;
    expect(await svc(argv)).toMatchObject({ exitCode: 2, stdout: '', stderr });
  });
});

describe('the tour', () => {
  async function onTour(...options: readonly string[]) {
    const env = { ...TERMINAL_ENV, HOME: await temporaryFolder() };
    const run = onTerminal(program.command, { args: ['sandbox', 'tour', ...options], env, columns: 100 });
    await run.shows(`Press Enter for stop ${options[0] ?? 2} of 20 · q to quit`);
    return run;
  }

  test('waits on a terminal for Enter or space, and q alone ends it with what to try next', async () => {
    const run = await onTour();
    expect(run.output()).toContain('Signed in as amina@kola-studio.example');
    expect(run.output()).not.toContain('who am I?');
    run.type('x\r');
    await run.shows('Press Enter for stop 3 of 20 · q to quit');
    expect(run.output()).toContain('who am I?');
    run.type(' ');
    await run.shows('Press Enter for stop 4 of 20 · q to quit');
    run.type('q');
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('Try it: ');
    expect(run.output()).not.toContain('deployments inspect');
  });

  test('starts at any stop; q leaves its live view, and Ctrl-C ends it', async () => {
    const run = await onTour('8');
    expect(run.output()).not.toContain('who am I?');
    run.type('\r');
    await run.shows('\u001b[?1049h');
    await run.shows('cpuPercent');
    run.type('q');
    await run.shows('Press Enter for stop 9 of 20 · q to quit');
    run.type('\u0003');
    expect(await run.ended()).toBe(130);
  });

  test('is a failure if a command ends in another way than it should', async () => {
    const file = join(await temporaryFolder(), 'ends.cjs');
    writeFileSync(file, 'process.exit(4);');
    const env = { PATH: process.env['PATH'], NODE_OPTIONS: `--require=${file}` };
    const { exitCode, stdout, stderr } = await svc(['sandbox', 'tour', '20'], { env });
    expect([exitCode, stderr]).toEqual([9, 'Error: The tour met a failure: svc login --no-browser, svc logout\n']);
    expect(stdout).toContain('This ended with exit code 4, not 0.');
  });

  test('lists its stops, as many as the help takes', async () => {
    const { stdout } = await svc(['sandbox', 'tour', '--list']);
    expect(stdout.split('\n').filter((line) => /^ +\d+\. \S/.test(line))).toHaveLength(20);
    const stderr = expect.stringContaining('"21" is not a whole number from 1 to 20.');
    expect(await svc(['sandbox', 'tour', '21'])).toMatchObject({ exitCode: 2, stdout: '', stderr });
  });

  test('shows every documented command in a pipe, without a pause, and each ends as it should', async () => {
    const [node, script] = program.command;
    const run = await execa(node, [script, 'sandbox', 'tour'], { input: '', env: { npm_lifecycle_event: 'demo' } });
    const shown = [...run.stdout.matchAll(/^\$ svc (.*)$/gm)].map(([, line = '']) => line);
    expect(shown).toHaveLength(20);
    const story = ['login', 'restart', 'metrics', 'domains add', 'buy', 'logout'];
    const places = story.map((start) => shown.findIndex((line) => line.startsWith(start)));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(run.stdout).not.toMatch(/\+250|This ended with exit code/);
    expect(run.stdout.endsWith('\nEnd of the tour. Try it: npx svc sandbox shell')).toBe(true);
  });
});
