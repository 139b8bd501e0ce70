import type { Needs } from '../../cli/define/context.ts';
import { defineCommand, document } from '../../cli/define/define.ts';
import { required } from '../../cli/values/parameters.ts';
import { commandLine } from '../../shell-line.ts';
import { type CredentialRecord, isForAddress } from '../../sign-in/credentials.ts';
import { openCredentials } from '../../sign-in/store.ts';
import { findOverride, type Override, showOverride } from '../shared/override.ts';

export default defineCommand({
  summary: 'Make a stored sign-in the current one',
  effect: 'local',
  args: { name: required('name of the profile', { offer: 'profiles' }) },
  examples: [
    ['svc profiles use work', 'every later command uses this sign-in'],
    ['svc whoami --profile work', 'or use it for a single command'],
  ],

  async run(context, { name }) {
    const credentials = openCredentials(context.store.signInPlace());
    const before = credentials.read().current;
    const record = await credentials.use(name);
    const { profile, baseUrl } = record;
    const choice = { profile, baseUrl, overriddenBy: findStronger(record, context) };
    return { ...document('profiles use', choice), value: { ...choice, before } };
  },

  human(screen, { profile, baseUrl, overriddenBy, before }) {
    screen.success(`${profile} is the current profile: ${baseUrl}`);
    showOverride(screen, overriddenBy);
    if (before === undefined || before === profile) return;
    screen.next([[commandLine(['profiles', 'use', before]), 'go back to the one before']]);
  },
});

/** Returns what takes precedence over a profile. */
function findStronger(
  record: CredentialRecord,
  { settings, env }: Needs<'settings' | 'env'>,
): Override | null {
  const named = findOverride(settings.profileName(), 'profile');
  if (named !== null && named.value !== record.profile) return named;
  const address = env['SVC_API_URL'];
  if (!address || isForAddress(record, address)) return null;
  return { where: 'SVC_API_URL', value: address };
}
