import { appendFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { PROGRAM } from '../support/program.ts';
import { svcOnPath, testShell } from '../support/shell.ts';
import { temporaryFolder } from '../support/svc.ts';

const tmux = needs('tmux');

interface Installed {
  readonly setup: { readonly file: string; readonly lines: readonly string[] } | null;
}

for (const name of ['bash', 'zsh', 'fish'] as const) {
  const shell = needs(name);

  test.skipIf(shell.missing || tmux.missing)(
    shell.title(tmux.title(`what svc completion install says makes a new ${name} complete`)),
    async () => {
      const home = await temporaryFolder();
      const env = { HOME: home, SHELL: shell.path };
      const [runner, program] = PROGRAM;
      const words = [program, 'completion', 'install', '--json'];
      const { stdout } = await execa(runner, words, { env, extendEnv: false });
      const { setup } = JSON.parse(stdout) as Installed;
      if (setup !== null) appendFileSync(setup.file, setup.lines.map((line) => `${line}\n`).join(''));

      const fresh = await testShell(name, { home, startupFiles: true, env: svcOnPath(home) });
      expect(await fresh.complete('svc domains imp')).toEqual(['svc', 'domains', 'import']);
      expect(await fresh.complete('svc help exit')).toEqual(['svc', 'help', 'exit-codes']);
    },
  );
}
