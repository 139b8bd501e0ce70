import type { Env } from '../../environment.ts';
import { defineCommand } from '../../kit/define.ts';
import { required } from '../../kit/parameters.ts';
import { document } from '../../kit/result.ts';
import { type CredentialRecord, isAt } from '../../vault/credentials/records.ts';
import { type Override, showOverride } from '../shared/override.ts';

export default defineCommand({
  path: 'profiles use',
  summary: 'Make a stored sign-in the current one',
  effect: 'local',
  args: { name: required('name of the profile', { offer: 'profiles' }) },
  options: {},
  examples: [
    ['svc profiles use work', 'every later command uses this sign-in'],
    ['svc whoami --profile work', 'or use it for a single command'],
  ],

  async run(context, { name }) {
    const record = await (await context.vault.store()).use(name);
    const { profile, baseUrl } = record;
    return document('profiles use', { profile, baseUrl, overriddenBy: variableFor(context.system.env, record) });
  },

  human(screen, { profile, baseUrl, overriddenBy }) {
    screen.success(`${profile} is the current profile: ${baseUrl}`);
    showOverride(screen, overriddenBy);
  },
});

/** Returns the variable that makes commands use another profile in this shell. */
function variableFor(env: Env, record: CredentialRecord): Override | null {
  const { SVC_PROFILE: named, SVC_API_URL: address } = env;
  if (named && named !== record.profile) return { where: 'SVC_PROFILE', value: named };
  return address && !isAt(record, address) ? { where: 'SVC_API_URL', value: address } : null;
}
