import type { Command } from 'commander';
import type { Attach } from '../../command/attach.ts';
import type { Context } from '../../command/context.ts';
import { document, type Result } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';
import { nameArgument, parseKey } from './names.ts';
import { writeConfig } from './write.ts';

export interface UnsetOptions {
  readonly name: string;
}

interface Removed {
  readonly name: string;
  readonly path: string;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent
    .command('unset')
    .description('Remove a setting, so that its default counts again')
    .addArgument(nameArgument());
  attach(command, {
    run,
    human,
    examples: [
      ['svc config unset org', 'use the first organization again'],
      ['svc config unset assume.metrics.start', 'assume again what svc does by itself'],
    ],
  });
}

export async function run(context: Context, { name }: UnsetOptions): Promise<Result<Removed>> {
  const path = await writeConfig(context, parseKey(name), undefined);
  return document({ name, path });
}

export function human(screen: Screen, { name }: Removed): void {
  screen.success(`${name} is not set any more.`);
}
