import { defineCommand, document } from '../../cli/define/define.ts';
import type { Organization } from '../../contract/operations.ts';
import { asText } from '../../json/values.ts';
import { setVariable } from '../../shell-line.ts';
import { filePath, formatJsonValue } from '../../terminal/screen.ts';
import {
  findOrganization,
  findOrganizationName,
  lookUpMembership,
  toKnownOrganizations,
} from '../shared/membership.ts';

const COLUMNS = ['id', 'slug', 'name', 'role', 'active'] as const;

export default defineCommand({
  summary: 'List the organizations you belong to',
  effect: 'reads',
  tool: {
    title: 'Organizations',
    description:
      'The organizations of the user, and the one in use. The argument org of other tools accepts their slugs. About 150 tokens.',
  },
  examples: [
    ['svc orgs', 'your organizations and your role in each'],
    ['svc orgs --columns slug --no-header', 'the slugs alone, one a line'],
  ],

  async run(context) {
    const { organizations, isListed, usual } = await lookUpMembership(context);
    const chosen = context.settings.org();
    const active = chosen === undefined ? usual : findOrganization(organizations, chosen.value);
    // The chosen one may be none of them.
    const listed = { organizations, active: active ?? null, chosenBy: chosen ?? null };
    // A choice is kept with a stored sign-in only.
    const keepsChoice = context.settings.credential()?.record !== undefined;
    const slug = asText(organizations.find((org) => !isActive(org, listed.active))?.slug);
    const ownNext = slug === undefined ? [] : [setVariable('SVC_ORG', slug)];
    const next = keepsChoice ? ['svc orgs use'] : ownNext;
    return {
      ...document('orgs list', listed),
      value: { ...listed, isListed, next },
      warnings: isListed
        ? []
        : [
            {
              text: 'The answer does not list your organizations. You may belong to some.',
              code: 'organizations_not_listed',
            },
          ],
      namesToCache: toKnownOrganizations(organizations),
    };
  },

  human(screen, { organizations, isListed, active, chosenBy, next }) {
    if (!isListed) screen.line('The answer does not list your organizations.');
    else if (organizations.length === 0) screen.line('You do not belong to an organization yet.');
    else screen.table({ head: HEAD, rows: organizations.map((org) => row(org, active)) });
    screen.line();
    if (chosenBy === null) screen.line(describeUsual(active));
    else if (active !== null) screen.line(['Selected by ', filePath(chosenBy.where), '.']);
    else screen.warning(`${chosenBy.where} selects ${chosenBy.value}, which is not one of them.`);
    screen.next(next);
  },

  csv: {
    what: 'the organizations',
    columns: COLUMNS,
    table: ({ organizations, active }) => ({
      head: COLUMNS,
      rows: organizations.map((org) => [
        org.id,
        org.slug,
        org.name,
        org.role,
        isActive(org, active),
      ]),
    }),
  },
});

const HEAD = [
  '',
  'Name',
  { name: 'Slug', whole: true },
  'Role',
  { name: 'Id', whole: true, spare: 1 },
];

function describeUsual(usual: Organization | null): string {
  const name = findOrganizationName(usual ?? {});
  const named = name === undefined ? '' : ` (${name})`;
  return `No organization is selected, so the first one${named} is used.`;
}

function isActive(org: Organization, active: Organization | null): boolean {
  return asText(org.id) !== undefined && org.id === active?.id;
}

function row(org: Organization, active: Organization | null) {
  const [name = '', slug = '', id = ''] = [org.name, org.slug, org.id].map(asText);
  return [
    isActive(org, active) ? 'active' : '',
    name,
    slug,
    org.role === undefined ? '' : formatJsonValue(org.role),
    id,
  ];
}
