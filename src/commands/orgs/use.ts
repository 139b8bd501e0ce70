import type { Command } from 'commander';
import { getUser } from '../../api/account.ts';
import type { Attach } from '../../command/attach.ts';
import type { Context } from '../../command/context.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { document, type Result } from '../../command/result.ts';
import { CliError, quoted } from '../../errors.ts';
import type { Screen } from '../../io/screen.ts';
import { asArray, asObject, asText } from '../../spec/read.ts';
import { parseKey } from '../config/names.ts';
import { writeConfig } from '../config/write.ts';

export interface UseOptions {
  readonly organization: string;
}

interface Chosen {
  readonly organization: string;
  /** The profile or file that keeps the choice. */
  readonly savedIn: string;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent
    .command('use')
    .description('Act in this organization from now on')
    .argument('<organization>', 'id or slug of the organization');
  attach(command, {
    run,
    human,
    examples: [
      ['svc orgs use baobab-travel', 'every later command acts in this organization'],
      ['svc whoami --org baobab-travel', 'or only one command'],
    ],
  });
}

export async function run(context: Context, options: UseOptions): Promise<Result<Chosen>> {
  const organization = parseIdentifier(options.organization, 'organization');
  await checkIsMember(context, organization);
  return document({ organization, savedIn: await save(context, organization) });
}

export function human(screen: Screen, { organization, savedIn }: Chosen): void {
  screen.success(`Commands act in ${organization} from now on.`);
  screen.fields([['Saved in', savedIn]]);
}

async function checkIsMember({ client }: Context, organization: string): Promise<void> {
  const { value } = await getUser(await client());
  const known = asArray(value.organizations).map(asObject);
  const names = known.flatMap((org) => [asText(org['id']), asText(org['slug'])]);
  if (known.length === 0 || names.includes(organization)) return;
  throw new CliError('not_found', `You are in no organization ${quoted(organization)}.`, { hint: 'svc orgs' });
}

/** The choice belongs to the stored sign-in; with a token from elsewhere, to the configuration. */
async function save(context: Context, organization: string): Promise<string> {
  const record = context.settings.credential()?.record;
  if (record === undefined) return writeConfig(context, parseKey('org'), organization);
  const store = await context.store();
  await store.setOrg(record.profile, organization);
  return `profile ${record.profile}`;
}
