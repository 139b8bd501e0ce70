import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** Start-up files that sign in to the real platform, as those of users may. */
const START_UP_FILES: Readonly<Record<string, readonly [file: string, text: string]>> = {
  bash: ['.bashrc', "export SVC_TOKEN=svc_real SVC_PROFILE=real MINE=yes\nPS1='mine> '\n"],
  zsh: ['.zshrc', "export SVC_TOKEN=svc_real SVC_PROFILE=real MINE=yes\nPROMPT='mine> '\n"],
  fish: [
    '.config/fish/config.fish',
    "set -gx SVC_TOKEN svc_real; set -gx SVC_PROFILE real; set -gx MINE yes\nfunction fish_prompt; echo -n 'mine> '; end\n",
  ],
};

async function sandboxShell(shell: string) {
  const home = await temporaryFolder();
  const [file, text] = START_UP_FILES[shell] ?? ['.profile', ''];
  await execa('mkdir', ['-p', join(home, '.config/fish')]);
  writeFileSync(join(home, file), text);
  const found = (await execa('sh', ['-c', `command -v ${shell}`])).stdout;
  const env = { ...TERMINAL_ENV, HOME: home, SHELL: found, SVC_TOKEN: 'svc_real_token', SVC_SESSION_TOKEN: 'real' };
  return { home, run: onTerminal(program.command, { args: ['sandbox', 'shell'], env, columns: 120 }) };
}

describe('the shell of the user', () => {
  for (const name of ['bash', 'zsh', 'fish', 'sh']) {
    const shell = needs(name);
    test.skipIf(shell.missing)(
      shell.title(
        `${name} gets a prompt, svc and a sign-in that its start-up files do not undo, and its exit code counts`,
      ),
      async () => {
        const { run } = await sandboxShell(name);
        await run.shows(name === 'sh' ? '(sandbox) $ ' : '(sandbox) mine> ');
        run.type('svc whoami --json; echo "[$MINE$SVC_PROFILE$SVC_SESSION_TOKEN]" | tr a-z A-Z\r');
        await run.shows('"amina@kola-studio.example"');
        await run.shows(name === 'sh' ? '[]' : '[YES]');
        run.type('exit 7\r');
        expect(await run.ended()).toBe(7);
      },
    );
  }

  test('is told what to try, in 24 rows, and every line of that works', async () => {
    const { run } = await sandboxShell('bash');
    await run.shows('(sandbox) mine> ');
    const rows = run
      .output()
      .replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, '')
      .split('\r\n');
    expect(rows.length).toBeLessThanOrEqual(24);
    const commands = rows.filter((row) => row.startsWith('  svc ')).map((row) => row.trim());
    expect(commands).toHaveLength(3);
    for (const [index, command] of commands.entries()) {
      run.type(`${command}${command.includes('domains add') ? ' --yes' : ''} >/dev/null 2>&1; echo "${index}:$?:"\r`);
      await run.shows(`${index}:0:`);
    }
    run.type('svc domains status kola-studio.example --wait >/dev/null 2>&1; echo "moved:$?:"\r');
    await run.shows('moved:0:');
    run.type('exit\r');
    expect(await run.ended()).toBe(0);
  });

  test('ends with the terminal, and with SIGTERM', async () => {
    const { run } = await sandboxShell('bash');
    await run.shows('(sandbox) mine> ');
    run.type('echo "pid $PPID."\r');
    await run.shows('.\r\n');
    const [, pid] = /pid (\d+)\./.exec(run.output()) ?? [];
    process.kill(Number(pid), 'SIGTERM');
    expect(await run.ended()).toBe(129);
  });
});

test('Ctrl-C is for the shell, which stays', async () => {
  const { run } = await sandboxShell('bash');
  await run.shows('(sandbox) mine> ');
  run.type("sh -c 'echo go''ing; exec sleep 60'\r");
  await run.shows('going\r\n');
  run.type('\u0003');
  await run.shows('^C');
  run.type('svc whoami --json\r');
  await run.shows('"amina@kola-studio.example"');
  run.type('exit\r');
  expect(await run.ended()).toBe(0);
});

// The command that is proposed is an example of the help, which runs in `examples.test.ts`.
test.each([
  [['sandbox', 'shell'], 'A shell needs a terminal.'],
  [['sandbox', 'exec', '--', ''], 'The command is empty.'],
])('in a pipe, svc %j is refused', async (argv, message) => {
  const run = await svc(argv);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe(`Error: ${message}\nTry: svc sandbox exec -- svc whoami\n`);
});

test('a shell that there is not is exit 127', async () => {
  const env = { ...TERMINAL_ENV, HOME: await temporaryFolder(), SHELL: '/nowhere/bash' };
  const run = onTerminal(program.command, { args: ['sandbox', 'shell'], env });
  expect(await run.ended()).toBe(127);
});

describe('the tour', () => {
  async function onTour(...options: readonly string[]) {
    const env = { ...TERMINAL_ENV, HOME: await temporaryFolder() };
    const run = onTerminal(program.command, { args: ['sandbox', 'tour', ...options], env });
    await run.shows(options.includes('--fast') ? 'restart the service' : 'Press Enter for stop 2 of 20 · q to quit');
    return run;
  }

  test('pauses on a terminal until Enter or space, and q alone ends it with what to try next', async () => {
    const run = await onTour();
    expect(run.output()).toContain('Signed in as amina@kola-studio.example');
    expect(run.output()).not.toContain('who am I?');
    run.type('x\r');
    await run.shows('Press Enter for stop 3 of 20 · q to quit');
    expect(run.output()).toContain('who am I?');
    run.type(' ');
    await run.shows('Press Enter for stop 4 of 20 · q to quit');
    expect(run.output()).toContain('svc restart');
    run.type('q');
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('Try it: ');
    expect(run.output()).not.toContain('deployments inspect');
  });

  test('does not pause with --fast', async () => {
    const run = await onTour('--fast');
    expect(run.output()).not.toContain('Press Enter');
  });

  test('ends with Ctrl-C', async () => {
    const run = await onTour();
    run.type('\u0003');
    expect(await run.ended()).toBe(130);
    expect(run.output()).not.toContain('who am I?');
  });

  test('starts at any stop, with a sign-in for the stops that need one', async () => {
    const env = { ...TERMINAL_ENV, HOME: await temporaryFolder() };
    const run = onTerminal(program.command, { args: ['sandbox', 'tour', '19'], env });
    await run.shows('Press Enter for stop 19 of 20 · q to quit');
    run.type('\r');
    await run.shows('Press Enter for stop 20 of 20 · q to quit');
    run.type('\r');
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('svc logout');
    expect(run.output()).not.toContain('who am I?');
  });

  test('has a live view, which q leaves', async () => {
    const env = { ...TERMINAL_ENV, HOME: await temporaryFolder() };
    const run = onTerminal(program.command, { args: ['sandbox', 'tour', '8'], env, columns: 100 });
    await run.shows('Press Enter for stop 8 of 20 · q to quit');
    run.type('\r');
    await run.shows('svc metrics --watch');
    await run.shows('\u001b[?1049h');
    await run.shows('cpuPercent');
    run.type('q');
    await run.shows('Press Enter for stop 9 of 20 · q to quit');
    run.type('q');
    expect(await run.ended()).toBe(0);
  });

  test('lists its stops, as many as the help takes', async () => {
    const { stdout } = await svc(['sandbox', 'tour', '--list']);
    const stops = stdout.split('\n').filter((line) => /^ +\d+\. \S/.test(line));
    expect(stops).toHaveLength(20);
    const beyond = await svc(['sandbox', 'tour', String(stops.length + 1)]);
    expect(beyond).toMatchObject({ exitCode: 2, stdout: '' });
    expect(beyond.stderr).toContain('"21" is not a whole number from 1 to 20.');
  });

  test('does not pause in a pipe, and shows every documented command', async () => {
    const [node, script] = program.command;
    const run = await execa(node, [script, 'sandbox', 'tour'], { input: '', env: { npm_lifecycle_event: 'demo' } });
    const shown = [...run.stdout.matchAll(/^\$ svc (.*)$/gm)].map(([, line = '']) => line);
    expect(shown).toHaveLength(20);
    const story = ['login', 'restart', 'metrics', 'domains add', 'buy', 'logout'];
    const places = story.map((start) => shown.findIndex((line) => line.startsWith(start)));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(run.stdout).not.toContain('+250');
    expect(run.stdout.endsWith('\nEnd of the tour. Try it: npx svc sandbox shell')).toBe(true);
  });
});
