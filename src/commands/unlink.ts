import { dirname } from 'node:path';
import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { editLink } from '../command/link-edit.ts';
import { findLink } from '../command/link-file.ts';
import { document, type Result } from '../command/result.ts';
import type { Screen } from '../io/screen.ts';

/** `svc unlink` takes no options of its own. */
export type UnlinkOptions = Readonly<Record<never, never>>;

interface Unlinked {
  /** The link file of this folder. */
  readonly path: string;
  readonly removed: boolean;
  /** The link file of a folder above, which still counts here. */
  readonly inherited: string | undefined;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent.command('unlink').description('Forget the default service and organization of this folder');
  attach(command, {
    run,
    human,
    examples: [
      ['svc unlink', 'leave this folder without a default service'],
      ['svc unlink --json', 'the same as JSON, for scripts'],
    ],
  });
}

export async function run(context: Context, _options: UnlinkOptions): Promise<Result<Unlinked>> {
  const {
    system: { cwd },
  } = context;
  const { path, changed } = editLink(cwd, { service: undefined, org: undefined }, context.system);
  const { link: above } = findLink(dirname(cwd), context.system);
  const inherited = above?.service === undefined && above?.org === undefined ? undefined : above.path;
  return document({ path, removed: changed, inherited: dirname(cwd) === cwd ? undefined : inherited });
}

export function human(screen: Screen, { path, removed, inherited }: Unlinked): void {
  if (removed) screen.success(`Unlinked: ${path}`);
  else screen.line('This folder has no link of its own.');
  if (inherited === undefined) return;
  screen.warning(`The link of a folder above still counts here: ${inherited}`);
  screen.next([`cd ${dirname(inherited)} && svc unlink`]);
}
