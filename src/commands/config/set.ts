import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { document, type Result } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';
import { type Override, showOverride } from '../shared/override.ts';
import { strongerThanConfig } from './effective.ts';
import { NAME_ARGUMENT, parseKey, parseValue } from './names.ts';
import { writeConfig } from './write.ts';

export interface SetOptions {
  readonly name: string;
  readonly value: string;
}

interface Changed {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly overriddenBy: Override | null;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('set')
    .description('Change a setting for every folder')
    .argument(...NAME_ARGUMENT)
    .argument('<value>', 'its value');
  attach(command, {
    run,
    human,
    examples: [
      ['svc config set org kola-studio', 'act in this organization from now on'],
      ['svc config set assume.metrics.start from', 'another name for what the API document does not show'],
    ],
  });
}

export async function run(context: Context, options: SetOptions): Promise<Result<Changed>> {
  const key = parseKey(options.name);
  const value = parseValue(key, options.value, context);
  const path = await writeConfig(context, key, value);
  return document({ name: options.name, value, path, overriddenBy: strongerThanConfig(context, options.name) });
}

export function human(screen: Screen, { name, value, path, overriddenBy }: Changed): void {
  screen.success(`${name} is ${value} from now on.`);
  screen.fields([['Saved in', path]]);
  showOverride(screen, overriddenBy);
}
