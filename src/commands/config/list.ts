import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { document, type Result } from '../../command/result.ts';
import { tableOf } from '../../io/csv.ts';
import { dim, type Screen } from '../../io/screen.ts';
import { type EffectiveSetting, effectiveSettings } from './effective.ts';

/** `svc config list` takes no options of its own. */
export type ListOptions = Readonly<Record<never, never>>;

interface Listed {
  readonly folder: string | undefined;
  readonly settings: readonly EffectiveSetting[];
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('list', { isDefault: true })
    .summary('Show the settings in effect and their sources')
    .description('Show every setting with its value and where it came from');
  attach(command, {
    run,
    human,
    csv: ['the settings', ({ settings }) => tableOf(settings, ['name', 'value', 'origin', 'where'])],
    examples: [
      ['svc config list', 'the settings in effect here, and where each comes from'],
      ['svc config list --json', 'the same as JSON, for scripts'],
    ],
  });
}

export async function run(context: Context, _options: ListOptions): Promise<Result<Listed>> {
  return document({ folder: folderOf(context), settings: effectiveSettings(context) });
}

export function human(screen: Screen, { folder, settings }: Listed): void {
  const told = settings.filter(({ origin }) => origin !== 'default');
  screen.table({
    head: [{ name: 'Setting', whole: true }, { name: 'Value', whole: true }, 'From'],
    rows: told.map(({ name, value, where }) => [name, value ?? dim('not set'), where]),
  });
  const usual = settings.length - told.length;
  if (usual > 0) screen.line(dim(`${usual} more have their default (--json shows them).`));
  screen.line();
  screen.fields([['Folder', folder ?? 'none']]);
}

function folderOf(context: Context): string | undefined {
  try {
    return context.configFolder();
  } catch {
    return undefined;
  }
}
