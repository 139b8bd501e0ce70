import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { document } from '../../cli/define/document.ts';
import type { KnownName } from '../../cli/define/result.ts';
import { requireCredential } from '../../cli/settings/unauthenticated.ts';
import { parseIdentifier } from '../../cli/values/identifier.ts';
import { required } from '../../cli/values/parameters.ts';
import { CliError, quoted, usageError } from '../../errors.ts';
import { setVariable } from '../../shell-line.ts';
import { openCredentials } from '../../sign-in/store.ts';
import type { CredentialRecord } from '../../sign-in/types.ts';
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
  options: {},
  examples: [
    ['svc orgs use baobab-travel', 'every later command uses this organization'],
    ['svc whoami --org baobab-travel', 'or use it for a single command'],
  ],

  async names(context): Promise<readonly KnownName[]> {
    requireStoredSignIn(context);
    const { organizations } = await lookUpMembership(context);
    return toKnownOrganizations(organizations).organizations ?? [];
  },

  async run(context, { organization }) {
    const record = requireStoredSignIn(context, organization);
    const { organizations } = await lookUpMembership(context);
    const known = findOrganization(organizations, organization);
    if (organizations.length > 0 && known === undefined) {
      const message = `You don't belong to an organization called ${quoted(organization)}.`;
      throw new CliError('not_found', message, { hint: 'svc orgs' });
    }
    await openCredentials(context.store.signInPlace()).setOrg(record.profile, organization);
    const overriddenBy = findOverride(context.settings.org(), 'profile');
    const chosen = { organization, savedIn: `profile ${record.profile}`, overriddenBy };
    const latestFirst = known === undefined ? organizations : [known, ...organizations];
    return { ...document('orgs use', chosen), seen: toKnownOrganizations(latestFirst) };
  },

  human(screen, { organization, savedIn, overriddenBy }) {
    screen.success(`Now using organization ${organization}.`);
    screen.fields([['Saved in', savedIn]]);
    showOverride(screen, overriddenBy);
  },
});

/**
 * Returns the sign-in in which the choice is saved. A token of the environment has no such place, and
 * may belong to any account.
 */
function requireStoredSignIn({ settings }: Needs<'settings'>, organization = ''): CredentialRecord {
  const credential = requireCredential(settings);
  if (credential.record !== undefined) return credential.record;
  const isName = /^[a-z0-9]/i.test(organization);
  throw usageError(`This shell signs in with ${credential.source}, which cannot store a choice.`, {
    say: isName
      ? 'Choose the organization in this shell instead:'
      : 'Choose one of these with SVC_ORG instead:',
    run: [isName ? setVariable('SVC_ORG', organization) : 'svc orgs'],
  });
}
