import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { document, type Result } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';
import { type Override, showOverride } from '../shared/override.ts';
import { strongerThanConfig } from './effective.ts';
import { NAME_ARGUMENT, parseKey } from './names.ts';
import { writeConfig } from './write.ts';

export interface UnsetOptions {
  readonly name: string;
}

interface Removed {
  readonly name: string;
  readonly path: string;
  readonly overriddenBy: Override | null;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('unset')
    .description('Remove a setting, so that its default applies again')
    .argument(...NAME_ARGUMENT);
  attach(command, {
    run,
    human,
    examples: [
      ['svc config unset org', 'use the first organization again'],
      ['svc config unset assume.metrics.start', 'go back to what svc assumes by default'],
    ],
  });
}

export async function run(context: Context, { name }: UnsetOptions): Promise<Result<Removed>> {
  const path = await writeConfig(context, parseKey(name), undefined);
  const isChosenByProfile = name === 'org' && (await forgetOrgOfProfile(context));
  return document({ name, path, overriddenBy: isChosenByProfile ? null : strongerThanConfig(context, name) });
}

export function human(screen: Screen, { name, overriddenBy }: Removed): void {
  screen.success(`${name} is not set any more.`);
  showOverride(screen, overriddenBy);
}

/** `svc orgs use` keeps the organization with the sign-in; for the user, it is the same setting. */
async function forgetOrgOfProfile(context: Context): Promise<boolean> {
  if (context.settings.org()?.origin !== 'profile') return false;
  const profile = context.settings.profile()?.profile;
  if (profile === undefined) return false;
  const store = await context.store();
  await store.setOrg(profile, undefined);
  return true;
}
