import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { findProgram, needs } from '../support/needs.ts';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

const REAL = 'export SVC_TOKEN=svc_real; export SVC_PROFILE=real; export MINE=yes';
/** Start-up files that sign in to the real platform, as those of users may. */
const SHELLS = [
  ['bash', '.bashrc', `${REAL}\nPS1='mine> '\n`, '(sandbox) mine> '],
  ['zsh', '.zshrc', `${REAL}\nPROMPT='mine> '\n`, '(sandbox) mine> '],
  [
    'fish',
    '.config/fish/config.fish',
    `${REAL}\nfunction fish_prompt; echo -n 'mine> '; end\n`,
    '(sandbox) mine> ',
  ],
  ['sh', '.profile', '', '(sandbox) $ '],
] as const;

/** A sandbox shell on a terminal, at its prompt. */
async function sandboxShell([shell, file, text, prompt]: (typeof SHELLS)[number]) {
  const HOME = await temporaryFolder();
  mkdirSync(dirname(join(HOME, file)), { recursive: true });
  writeFileSync(join(HOME, file), text);
  const SHELL = findProgram(shell) ?? shell;
  const env = {
    ...TERMINAL_ENV,
    HOME,
    SHELL,
    SVC_TOKEN: 'svc_real_token',
    SVC_SESSION_TOKEN: 'real',
  };
  const run = onTerminal((await builtProgram()).command, {
    args: ['sandbox', 'shell'],
    env,
    columns: 120,
  });
  await run.shows(prompt);
  return run;
}

for (const row of SHELLS) {
  const shell = needs(row[0]);
  const title = `in ${row[0]}, start-up files do not undo prompt and sign-in; Ctrl-C and the exit code are its own`;
  test.skipIf(shell.missing)(shell.title(title), async () => {
    const run = await sandboxShell(row);
    run.type("sh -c 'echo go''ing; exec sleep 60'\r");
    await run.shows('going\r\n');
    run.type('\u0003');
    await run.shows('^C');
    run.type('svc whoami --json; echo "[$MINE$SVC_PROFILE$SVC_SESSION_TOKEN]" | tr a-z A-Z\r');
    await run.shows('"amina@kola-studio.example"');
    await run.shows(row[2] === '' ? '[]' : '[YES]');
    run.type('exit 7\r');
    expect(await run.ended()).toBe(7);
  });
}

test('the shell ends with SIGTERM', async () => {
  const run = await sandboxShell(SHELLS[0]);
  run.type('echo "pid $PPID."\r');
  await run.shows('.\r\n');
  const [, pid] = /pid (\d+)\./.exec(run.output()) ?? [];
  process.kill(Number(pid), 'SIGTERM');
  expect(await run.ended()).toBe(129);
});

test('the tour shows 20 stops in a pipe, without a pause, and each ends as it should', async () => {
  const [node, script] = (await builtProgram()).command;
  const { stdout } = await execa(node, [script, 'sandbox', 'tour'], {
    input: '',
    env: { npm_lifecycle_event: 'demo' },
  });
  expect(stdout.match(/^\$ svc /gm)).toHaveLength(20);
  expect(stdout).not.toMatch(/\+250|This ended with exit code/);
  expect(stdout.endsWith('\nEnd of the tour. Try it: npx svc sandbox shell')).toBe(true);
});
