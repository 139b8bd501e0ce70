import { basename, join } from 'node:path';
import type { Context, System } from '../../command/context.ts';
import { shellWord } from '../../command/shell-word.ts';

/** The shells that svc has completions for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/** The file of each shell in `completions/`. */
const FILES: Readonly<Record<Shell, string>> = {
  bash: 'svc.bash',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};

/** What the shell's start-up file needs, where the shell does not look in the place of the completions by itself. */
export interface Setup {
  readonly file: string;
  readonly lines: readonly string[];
  /** Whether a file of this text needs nothing more. */
  readonly isDone: (text: string) => boolean;
}

/** Where a shell's completions go, and what is left to do there. */
export interface Completion {
  readonly shell: Shell;
  /** The file of the package. */
  readonly source: string;
  /** Where it belongs in the user's home. */
  readonly path: string;
  readonly setup: Setup | undefined;
}

/** The completion of a shell; of the user's own where none is named. `undefined` for a shell that svc does not know. */
export function completionOf(context: Context, named?: Shell): Completion | undefined {
  const shell = named ?? shellOf(context);
  return shell && { shell, source: sourceOf(context, shell), ...PLACES[shell](context.system) };
}

/** The file of the package that completes a shell. */
export function sourceOf({ system: { packageFolder } }: Context, shell: Shell): string {
  return join(packageFolder, 'completions', FILES[shell]);
}

type Place = Pick<Completion, 'path' | 'setup'>;

const PLACES: Readonly<Record<Shell, (system: System) => Place>> = {
  bash({ env, home, platform }) {
    const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
    const path = join(data, 'bash-completion', 'completions', 'svc');
    const file = join(home, platform === 'darwin' ? '.bash_profile' : '.bashrc');
    // bash-completion finds the file itself, but it is not everywhere.
    return {
      path,
      setup: { file, lines: [`. ${shellWord(path)}`], isDone: (text) => /bash[-_]completion/.test(text) },
    };
  },
  zsh({ env, home }) {
    const folder = join(env['ZDOTDIR'] || home, '.zfunc');
    const lines = [`fpath=(${shellWord(folder)} $fpath)`, 'autoload -Uz compinit && compinit'];
    const isDone = (text: string) => text.includes('.zfunc') && text.includes('compinit', text.indexOf('.zfunc'));
    return { path: join(folder, '_svc'), setup: { file: join(env['ZDOTDIR'] || home, '.zshrc'), lines, isDone } };
  },
  fish({ env, home }) {
    const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
    return { path: join(config, 'fish', 'completions', 'svc.fish'), setup: undefined };
  },
  powershell({ home }) {
    const path = join(home, '.config', 'powershell', 'svc.ps1');
    return {
      path,
      setup: {
        file: '$PROFILE',
        lines: [`. '${path.replaceAll("'", "''")}'`],
        isDone: (text) => text.includes('svc.ps1'),
      },
    };
  },
};

function shellOf({ system: { env, platform } }: Context): Shell | undefined {
  const name = basename(env['SHELL'] ?? '');
  return SHELLS.find((shell) => shell === name) ?? (platform === 'win32' ? 'powershell' : undefined);
}
