import type { Context } from '../../command/context.ts';
import { defineCommand } from '../../command/define.ts';
import { required } from '../../command/parameters.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { document } from '../../command/result.ts';
import { CliError, quoted } from '../../errors.ts';
import { parseKey } from '../config/names.ts';
import { writeConfig } from '../config/write.ts';
import { type Override, overrideOf, showOverride } from '../shared/override.ts';
import { findOrganization, lookUpMembership, seenIn } from './membership.ts';

interface Saved {
  /** The profile or file that keeps the choice. */
  readonly savedIn: string;
  readonly overriddenBy: Override | null;
}

export default defineCommand({
  path: 'orgs use',
  summary: 'Act in this organization from now on',
  effect: 'local',
  args: {
    organization: required('id or slug of the organization', { read: parseIdentifier, offer: 'organizations' }),
  },
  options: {},
  examples: [
    ['svc orgs use baobab-travel', 'every later command acts in this organization'],
    ['svc whoami --org baobab-travel', 'or use it for a single command'],
  ],

  async run(context, { organization }) {
    const { organizations } = await lookUpMembership(context);
    if (organizations.length > 0 && findOrganization(organizations, organization) === undefined) {
      throw new CliError('not_found', `You are in no organization ${quoted(organization)}.`, { hint: 'svc orgs' });
    }
    return { ...document({ organization, ...(await save(context, organization)) }), seen: seenIn(organizations) };
  },

  human(screen, { organization, savedIn, overriddenBy }) {
    screen.success(`Commands act in ${organization} from now on.`);
    screen.fields([['Saved in', savedIn]]);
    showOverride(screen, overriddenBy);
  },
});

/** The choice belongs to the stored sign-in; with a token from elsewhere, to the configuration. */
async function save(context: Context, organization: string): Promise<Saved> {
  const { settings } = context;
  const record = settings.credential()?.record;
  if (record === undefined) {
    const savedIn = await writeConfig(context, parseKey('org'), organization);
    return { savedIn, overriddenBy: overrideOf(settings.org(), 'config') };
  }
  const store = await context.store();
  await store.setOrg(record.profile, organization);
  return { savedIn: `profile ${record.profile}`, overriddenBy: overrideOf(settings.org(), 'profile') };
}
