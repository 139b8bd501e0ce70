import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { document, type Result } from '../../command/result.ts';
import { CliError } from '../../errors.ts';
import type { Screen } from '../../io/screen.ts';
import { type EffectiveSetting, effectiveSettings } from './effective.ts';
import { NAME_ARGUMENT, parseKey } from './names.ts';

export interface GetOptions {
  readonly name: string;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('get')
    .description('Print one setting in effect')
    .argument(...NAME_ARGUMENT);
  attach(command, {
    run,
    human,
    examples: [
      ['svc config get api-url', 'the address that requests go to'],
      ['svc config get assume.job.path', 'what svc assumes about the service'],
    ],
    exitCodes: [[6, 'the setting has no value']],
  });
}

export async function run(context: Context, { name }: GetOptions): Promise<Result<EffectiveSetting>> {
  const setting = effectiveSettings(context).find((candidate) => candidate.name === name);
  if (setting === undefined) parseKey(name);
  if (setting === undefined || setting.value === null) {
    throw new CliError('not_found', `${name} is not set.`, { hint: `svc config set ${name} <value>` });
  }
  return document(setting);
}

export function human(screen: Screen, { value }: EffectiveSetting): void {
  screen.line(value ?? '');
}
