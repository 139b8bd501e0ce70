import { defineCommand, document } from '../../cli/define/define.ts';
import { requireCredential } from '../../cli/settings/unauthenticated.ts';
import { parseIdentifier } from '../../cli/values/names.ts';
import { required } from '../../cli/values/parameters.ts';
import { CliError, quote } from '../../errors.ts';
import { commandLine, setVariable } from '../../shell-line.ts';
import { openCredentials } from '../../sign-in/store.ts';
import { findOrganization, lookUpMembership, toKnownOrganizations } from '../shared/membership.ts';
import { findOverride, showOverride } from '../shared/override.ts';

export default defineCommand({
  summary: 'Use an organization from now on',
  effect: 'local',
  args: {
    organization: required('id or slug of the organization', {
      read: parseIdentifier,
      offer: 'organizations',
    }),
  },
  examples: [
    ['svc orgs use baobab-travel', 'every later command uses this organization'],
    ['svc whoami --org baobab-travel', 'or use it for a single command'],
  ],

  async names(context) {
    const { record, source } = requireCredential(context.settings);
    if (record === undefined) {
      throw cannotStoreError(source, 'Choose one of these with SVC_ORG instead:', 'svc orgs');
    }
    const { organizations } = await lookUpMembership(context);
    return toKnownOrganizations(organizations).organizations ?? [];
  },

  async run(context, { organization }) {
    const { record, source } = requireCredential(context.settings);
    const { organizations } = await lookUpMembership(context);
    const known = findOrganization(organizations, organization);
    if (organizations.length > 0 && known === undefined) {
      throw new CliError(
        'not_found',
        `You don't belong to an organization called ${quote(organization)}.`,
        { hint: 'svc orgs' },
      );
    }
    if (record === undefined) {
      const command = setVariable('SVC_ORG', organization);
      throw cannotStoreError(source, 'Choose the organization in this shell instead:', command);
    }
    await openCredentials(context.store.signInPlace()).setOrg(record.profile, organization);
    const inUse = context.settings.org();
    const choice = {
      organization,
      savedIn: `profile ${record.profile}`,
      overriddenBy: findOverride(inUse, 'profile'),
    };
    return {
      ...document('orgs use', choice),
      value: { ...choice, before: inUse?.value },
      namesToCache: toKnownOrganizations(
        known === undefined ? organizations : [known, ...organizations],
      ),
    };
  },

  human(screen, { organization, savedIn, overriddenBy, before }) {
    screen.success(`Now using organization ${organization}.`);
    screen.fields([['Saved in', savedIn]]);
    showOverride(screen, overriddenBy);
    if (overriddenBy !== null || before === organization) return;
    const back = commandLine(before ? ['orgs', 'use', before] : ['config', 'unset', 'org']);
    screen.next([[back, 'go back to the one before']]);
  },
});

/** Refuses a token of the environment: it has no place for a choice, and may be anybody's. */
function cannotStoreError(source: string, say: string, command: string): CliError {
  return new CliError('usage', `This shell signs in with ${source}, which cannot store a choice.`, {
    hint: { say, run: [command] },
  });
}
