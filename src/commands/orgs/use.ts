import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { document, type Result } from '../../command/result.ts';
import { CliError, quoted } from '../../errors.ts';
import type { Screen } from '../../io/screen.ts';
import { parseKey } from '../config/names.ts';
import { writeConfig } from '../config/write.ts';
import { type Override, overrideOf, showOverride } from '../shared/override.ts';
import { findOrganization, lookUpMembership } from './membership.ts';

export interface UseOptions {
  readonly organization: string;
}

interface Chosen {
  readonly organization: string;
  /** The profile or file that keeps the choice. */
  readonly savedIn: string;
  readonly overriddenBy: Override | null;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('use')
    .description('Act in this organization from now on')
    .argument('<organization>', 'id or slug of the organization');
  attach(command, {
    run,
    human,
    examples: [
      ['svc orgs use baobab-travel', 'every later command acts in this organization'],
      ['svc whoami --org baobab-travel', 'or use it for a single command'],
    ],
  });
}

export async function run(context: Context, options: UseOptions): Promise<Result<Chosen>> {
  const organization = parseIdentifier(options.organization, 'The organization');
  const { organizations } = await lookUpMembership(context);
  if (organizations.length > 0 && findOrganization(organizations, organization) === undefined) {
    throw new CliError('not_found', `You are in no organization ${quoted(organization)}.`, { hint: 'svc orgs' });
  }
  return document({ organization, ...(await save(context, organization)) });
}

export function human(screen: Screen, { organization, savedIn, overriddenBy }: Chosen): void {
  screen.success(`Commands act in ${organization} from now on.`);
  screen.fields([['Saved in', savedIn]]);
  showOverride(screen, overriddenBy);
}

/** The choice belongs to the stored sign-in; with a token from elsewhere, to the configuration. */
async function save(context: Context, organization: string): Promise<Omit<Chosen, 'organization'>> {
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
