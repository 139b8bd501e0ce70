import type { Needs } from '../../cli/define/context.ts';
import { defineCommand, document } from '../../cli/define/define.ts';
import { commandLine } from '../../shell-line.ts';
import { openCredentials } from '../../sign-in/store.ts';
import { showOverride } from '../shared/override.ts';
import { findStrongerSetting, NAME_ARGUMENT, parseKey, writeConfig } from './settings.ts';

export default defineCommand({
  summary: 'Remove a setting, so that its default applies again',
  effect: 'local',
  isDestructiveLocally: true,
  args: { name: NAME_ARGUMENT },
  examples: [
    ['svc config unset org', 'use the first organization again'],
    ['svc config unset assume.metrics.start', 'go back to what svc assumes by default'],
  ],

  async run(context, { name }) {
    const { path, before } = await writeConfig(context, parseKey(name));
    const profileOrg = name === 'org' ? await forgetOrgOfProfile(context) : undefined;
    const overriddenBy = profileOrg ? null : findStrongerSetting(context, name);
    const setting = { name, path, overriddenBy };
    return { ...document('config unset', setting), value: { ...setting, before, profileOrg } };
  },

  human(screen, { name, overriddenBy, before, profileOrg }) {
    screen.success(`${name} is no longer set.`);
    showOverride(screen, overriddenBy);
    const again = profileOrg ? ['orgs', 'use', profileOrg] : ['config', 'set', name, before ?? ''];
    if (profileOrg || before) screen.next([[commandLine(again), 'set it again']]);
  },
});

/** `svc orgs use` saves the organization in the profile; for the user, it is the same setting. */
async function forgetOrgOfProfile({ settings, store }: Needs<'settings' | 'store'>) {
  const org = settings.org();
  const profile = org?.origin === 'profile' ? settings.profile()?.profile : undefined;
  if (profile === undefined) return undefined;
  await openCredentials(store.signInPlace()).setOrg(profile, undefined);
  return org?.value;
}
