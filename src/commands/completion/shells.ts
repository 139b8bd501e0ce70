import { basename, join } from 'node:path';
import type { Context } from '../../command/context.ts';

/** The shells that svc has completions for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** The file of each shell in `completions/`. */
const FILES: Readonly<Record<Shell, string>> = {
  bash: 'svc.bash',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};

/** Where a shell's completions go, and what is left to do there. */
export interface Completion {
  readonly shell: Shell;
  /** The file of the package. */
  readonly source: string;
  /** Where it belongs in the user's home. */
  readonly path: string;
  /** Lines for the shell's start-up file, where the shell does not look in that place by itself. */
  readonly setup: readonly string[];
  /** The start-up file that the lines belong to. */
  readonly setupFile: string | undefined;
}

/** The completion of a shell; of the user's own where none is named. `undefined` for a shell that svc does not know. */
export function completionOf(context: Context, named?: Shell): Completion | undefined {
  const shell = named ?? shellOf(context);
  if (shell === undefined) return undefined;
  const source = sourceOf(context, shell);
  const { env, home } = context;
  if (shell === 'bash') {
    const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
    return {
      shell,
      source,
      path: join(data, 'bash-completion', 'completions', 'svc'),
      setup: [],
      setupFile: undefined,
    };
  }
  if (shell === 'fish') {
    const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
    return { shell, source, path: join(config, 'fish', 'completions', 'svc.fish'), setup: [], setupFile: undefined };
  }
  if (shell === 'zsh') {
    const folder = join(env['ZDOTDIR'] || home, '.zfunc');
    const setup = [`fpath=(${folder} $fpath)`, 'autoload -Uz compinit && compinit'];
    return { shell, source, path: join(folder, '_svc'), setup, setupFile: join(env['ZDOTDIR'] || home, '.zshrc') };
  }
  const path = join(home, '.config', 'powershell', 'svc.ps1');
  return { shell, source, path, setup: [`. "${path}"`], setupFile: '$PROFILE' };
}

/** The file of the package that completes a shell. */
export function sourceOf({ packageFolder }: Context, shell: Shell): string {
  return join(packageFolder, 'completions', FILES[shell]);
}

function shellOf({ env, platform }: Context): Shell | undefined {
  const name = basename(env['SHELL'] ?? '');
  return SHELLS.find((shell) => shell === name) ?? (platform === 'win32' ? 'powershell' : undefined);
}
