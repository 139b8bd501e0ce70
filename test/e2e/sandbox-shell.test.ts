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
});

describe('the tour', () => {
  test('waits for Enter or space, starts at any stop, leaves its live view with q, and ends with q', async () => {
    const env = { ...TERMINAL_ENV, HOME: await temporaryFolder() };
    const run = onTerminal(program.command, { args: ['sandbox', 'tour', '7'], env, columns: 100 });
    await run.shows('Press Enter for stop 7 of 20 · q to quit');
    expect(run.output()).not.toContain('who am I?');
    run.type('x ');
    await run.shows('Press Enter for stop 8 of 20 · q to quit');
    run.type('\r');
    await run.shows('\u001b[?1049h');
    await run.shows('cpuPercent');
    run.type('q');
    await run.shows('Press Enter for stop 9 of 20 · q to quit');
    run.type('q');
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('Try it: ');
  });

  test('is a failure if a command ends in another way than it should', async () => {
    const file = join(await temporaryFolder(), 'ends.cjs');
    writeFileSync(file, 'process.exit(4);');
    const env = { PATH: process.env['PATH'], NODE_OPTIONS: `--require=${file}` };
    const { exitCode, stdout, stderr } = await svc(['sandbox', 'tour', '20'], { env });
    expect([exitCode, stderr]).toEqual([9, 'Error: The tour met a failure: svc login --no-browser, svc logout\n']);
    expect(stdout).toContain('This ended with exit code 4, not 0.');
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
