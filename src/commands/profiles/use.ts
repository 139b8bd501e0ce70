import type { Command } from 'commander';
import type { Attach } from '../../command/attach.ts';
import type { Context } from '../../command/context.ts';
import { document, type Result } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';

export interface UseOptions {
  readonly name: string;
}

interface Used {
  readonly profile: string;
  readonly baseUrl: string;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent
    .command('use')
    .description('Make a stored sign-in the current one')
    .argument('<name>', 'name of the profile');
  attach(command, {
    run,
    human,
    examples: [
      ['svc profiles use work', 'every later command uses this sign-in'],
      ['svc whoami --profile work', 'or only one command'],
    ],
  });
}

export async function run(context: Context, { name }: UseOptions): Promise<Result<Used>> {
  const store = await context.store();
  const { profile, baseUrl } = await store.use(name);
  return document({ profile, baseUrl });
}

export function human(screen: Screen, { profile, baseUrl }: Used): void {
  screen.success(`${profile} is the current profile: ${baseUrl}`);
}
