import type { Command } from 'commander';
import { getUser } from '../../api/account.ts';
import type { Attach } from '../../command/attach.ts';
import type { Context } from '../../command/context.ts';
import { keepNames } from '../../command/known-names.ts';
import { document, type Result } from '../../command/result.ts';
import type { Setting } from '../../command/settings.ts';
import { type Screen, shown } from '../../io/screen.ts';
import { asArray, asObject, asText, type JsonObject } from '../../spec/read.ts';

/** `svc orgs list` takes no options of its own. */
export type ListOptions = Readonly<Record<never, never>>;

/** The organizations in scope, the active one, and what chose it. */
interface Listed {
  readonly organizations: readonly JsonObject[];
  readonly active: JsonObject;
  readonly chosenBy: Setting | null;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent.command('list', { isDefault: true }).description('Show the organizations you can act in');
  attach(command, {
    run,
    human,
    examples: [
      ['svc orgs', 'your organizations and your role in each'],
      ['svc orgs --json', 'the same, for scripts'],
    ],
  });
}

export async function run(context: Context, _options: ListOptions): Promise<Result<Listed>> {
  const { value } = await getUser(await context.client());
  const organizations = asArray(value.organizations).map(asObject);
  keepNames(
    context,
    'orgs',
    organizations.flatMap(({ slug, id }) => [asText(slug), asText(id)]),
  );
  return document({
    organizations,
    active: asObject(value.organization),
    chosenBy: context.settings.org() ?? null,
  });
}

export function human(screen: Screen, { organizations, active, chosenBy }: Listed): void {
  if (organizations.length === 0) screen.line('The service named no organizations.');
  else screen.table({ head: ['', 'Name', 'Slug', 'Role', 'Id'], rows: organizations.map((org) => row(org, active)) });
  screen.line();
  screen.line(chosenBy ? `Chosen by ${chosenBy.where}.` : 'None is chosen, so the service uses the first.');
  screen.next(['svc orgs use <id-or-slug>']);
}

function row(org: JsonObject, active: JsonObject) {
  const isActive = asText(org['id']) !== undefined && org['id'] === active['id'];
  return [
    isActive ? 'active' : '',
    asText(org['name']) ?? '',
    asText(org['slug']) ?? '',
    org['role'] === undefined ? '' : shown(org['role']),
    asText(org['id']) ?? '',
  ];
}
