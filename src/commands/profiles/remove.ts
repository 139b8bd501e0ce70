import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { keepProfiles } from '../../command/known-names.ts';
import { document, type Result } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';
import { unknownProfile } from '../../login/credentials/records.ts';
import { type Forgotten, forgotten, showForgotten } from '../shared/forgotten.ts';

export interface RemoveOptions {
  readonly name: string;
}

interface Removed {
  readonly removed: readonly Forgotten[];
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('remove')
    .description('Forget a stored sign-in; its token stays valid at the service')
    .argument('<name>', 'name of the profile');
  attach(command, {
    run,
    human,
    examples: [
      ['svc profiles remove work', 'forget this sign-in on this machine'],
      ['svc logout --all', 'forget all of them'],
    ],
  });
}

export async function run(context: Context, { name }: RemoveOptions): Promise<Result<Removed>> {
  const store = await context.store();
  const records = await store.remove((record) => record.profile === name);
  if (records.length === 0) throw unknownProfile(name, context.storedSignIns());
  keepProfiles(context);
  return document({ removed: records.map(forgotten) });
}

export function human(screen: Screen, { removed }: Removed): void {
  showForgotten(screen, removed);
}
