import { defineCommand } from '../../cli/define/define.ts';
import { document } from '../../cli/define/document.ts';
import type { KnownName } from '../../cli/define/result.ts';
import { requireCredential } from '../../cli/settings/unauthenticated.ts';
import { parseIdentifier } from '../../cli/values/identifier.ts';
import { required } from '../../cli/values/parameters.ts';
import { CliError, quote, usageError } from '../../errors.ts';
import { setVariable } from '../../shell-line.ts';
import { openCredentials } from '../../sign-in/store.ts';
import { findOrganization, lookUpMembership, toKnownOrganizations } from '../shared/membership.ts';
import { findOverride, showOverride } from '../shared/override.ts';

export default defineCommand({
  path: 'orgs use',
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

  async names(context): Promise<readonly KnownName[]> {
    const { record, source } = requireCredential(context.settings);
    if (record === undefined) throw cannotStoreError(source);
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
    if (record === undefined) throw cannotStoreError(source, organization);
    await openCredentials(context.store.signInPlace()).setOrg(record.profile, organization);
    return {
      ...document('orgs use', {
        organization,
        savedIn: `profile ${record.profile}`,
        overriddenBy: findOverride(context.settings.org(), 'profile'),
      }),
      namesToCache: toKnownOrganizations(
        known === undefined ? organizations : [known, ...organizations],
      ),
    };
  },

  human(screen, { organization, savedIn, overriddenBy }) {
    screen.success(`Now using organization ${organization}.`);
    screen.fields([['Saved in', savedIn]]);
    showOverride(screen, overriddenBy);
  },
});

/** Refuses a token of the environment: it has no place for a choice, and may be anybody's. */
function cannotStoreError(source: string, organization?: string): CliError {
  return usageError(
    `This shell signs in with ${source}, which cannot store a choice.`,
    organization === undefined
      ? { say: 'Choose one of these with SVC_ORG instead:', run: ['svc orgs'] }
      : {
          say: 'Choose the organization in this shell instead:',
          run: [setVariable('SVC_ORG', organization)],
        },
  );
}
