import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { keepNames } from '../../command/known-names.ts';
import { document, type Result } from '../../command/result.ts';
import type { Setting } from '../../command/settings.ts';
import type { CsvTable } from '../../io/csv.ts';
import { type Screen, shown } from '../../io/screen.ts';
import { asText, type JsonObject } from '../../spec/read.ts';
import { findOrganization, lookUpMembership, namesOf } from './membership.ts';

/** `svc orgs list` takes no options of its own. */
export type ListOptions = Readonly<Record<never, never>>;

/** The organizations in scope, the active one, and what chose it. */
interface Listed {
  readonly organizations: readonly JsonObject[];
  /** Null where the chosen one is not among them. */
  readonly active: JsonObject | null;
  readonly chosenBy: Setting | null;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent.command('list', { isDefault: true }).description('Show the organizations you can act in');
  attach(command, {
    run,
    human,
    csv: ['the organizations', toTable],
    examples: [
      ['svc orgs', 'your organizations and your role in each'],
      ['svc orgs --json', 'the same as JSON, for scripts'],
    ],
  });
}

export async function run(context: Context, _options: ListOptions): Promise<Result<Listed>> {
  const { organizations, usual } = await lookUpMembership(context);
  keepNames(context, 'orgs', organizations.flatMap(namesOf));
  const chosen = context.settings.org();
  const active = chosen === undefined ? usual : findOrganization(organizations, chosen.value);
  return document({ organizations, active: active ?? null, chosenBy: chosen ?? null });
}

export function human(screen: Screen, { organizations, active, chosenBy }: Listed): void {
  if (organizations.length === 0) screen.line('The service named no organizations.');
  else screen.table({ head: ['', 'Name', 'Slug', 'Role', 'Id'], rows: organizations.map((org) => row(org, active)) });
  screen.line();
  if (chosenBy === null) screen.line('None is chosen, so the service uses the first.');
  else if (active !== null) screen.line(`Chosen by ${chosenBy.where}.`);
  else screen.warning(`${chosenBy.where} chooses ${chosenBy.value}, which is not among them.`);
  screen.next(['svc orgs use <id-or-slug>']);
}

function toTable({ organizations, active }: Listed): CsvTable {
  const rows = organizations.map((org) => [org['id'], org['slug'], org['name'], org['role'], isActive(org, active)]);
  return { head: ['id', 'slug', 'name', 'role', 'active'], rows };
}

function isActive(org: JsonObject, active: JsonObject | null): boolean {
  return asText(org['id']) !== undefined && org['id'] === active?.['id'];
}

function row(org: JsonObject, active: JsonObject | null) {
  return [
    isActive(org, active) ? 'active' : '',
    asText(org['name']) ?? '',
    asText(org['slug']) ?? '',
    org['role'] === undefined ? '' : shown(org['role']),
    asText(org['id']) ?? '',
  ];
}
