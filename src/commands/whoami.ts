import { asArray, asObject, asText, isObject, readersOf, unreadFields, unreadParts } from '../json/values.ts';
import { defineCommand } from '../kit/define.ts';
import { readAnswer } from '../kit/result.ts';
import { expiryOf } from '../login/expiry.ts';
import { getUser } from '../service/operations.ts';
import { NAMES, ORGANIZATION, TOKEN, USER_LOOKUP } from '../spec/fields/user.ts';
import type { Organization, TokenInUse, User } from '../spec/types.ts';
import { date, type Text } from '../terminal/screen.ts';
import { organizationsSeen } from './shared/membership.ts';

export default defineCommand({
  path: 'whoami',
  summary: 'Show who you are signed in as, and with which token',
  effect: 'reads',
  args: {},
  options: {},
  tool: {
    title: 'Who is signed in',
    says: 'The user, every organization with its id, and the token in use. For days left on the token call status. About 250 tokens.',
    takes: {},
  },
  examples: [
    ['svc whoami', 'the account, the organization and the token in use'],
    ['svc whoami --json', "the service's answer, for scripts"],
  ],

  async run({ api: { client }, settings, system: { clock } }) {
    const answer = await getUser(await client());
    const credential = settings.credential();
    const result = readAnswer(answer, (value) => ({
      answer: value,
      address: settings.apiUrl().value,
      source: credential?.source ?? 'unknown',
      storedExpiry: credential?.record?.expiresAt,
      now: clock.now(),
    }));
    const organizations = asArray(answer.value.organizations).filter(isObject);
    return { ...result, seen: organizationsSeen(organizations) };
  },

  human(screen, { answer, address, source, storedExpiry, now }) {
    const user: User = asObject(answer.user);
    const organization: Organization = asObject(answer.organization);
    const token: TokenInUse = asObject(answer.token);
    const expiry = asText(token.expiresAt) ?? storedExpiry;
    const list: readonly Organization[] = asArray(answer.organizations).filter(isObject);
    const used = list.find((org) => asText(org.id) !== undefined && org.id === organization.id);
    screen.fields([
      ['Signed in as', nameOf(user)],
      ['Address', address],
      ['Organization', nameOf(organization)],
      ['Role', asText(organization.role) ?? asText(used?.role)],
      [
        'Signed in with',
        asText(answer.authMethod)
          ?.replaceAll('_', ' ')
          .replace(/\bapi\b/, 'API'),
      ],
      ['Token from', source],
      ['Token', nameOf(token)],
      expiryRow(expiry, now),
    ]);
    const others = list.filter((org) => org !== used);
    if (others.length > 0) {
      screen.line(used === undefined ? 'Organizations:' : 'Other organizations:');
      screen.list(others.map(inOneLine));
    }
    for (const org of list) screen.rest(unreadFields(org, readersOf(ORGANIZATION)), nameOf(org));
    screen.rest({
      ...unreadParts({
        user: unreadFields(user, readersOf(NAMES)),
        organization: unreadFields(organization, readersOf(ORGANIZATION)),
        token: unreadFields(token, readersOf(TOKEN)),
      }),
      ...unreadFields(answer, readersOf(USER_LOOKUP)),
    });
  },
});

function expiryRow(expiry: string | undefined, now: number): [label: string, value: Text | undefined] {
  if (expiry === undefined) return ['Token expires', undefined];
  const { isPast = false, isSoon = false } = expiryOf({ expiresAt: expiry }, now) ?? {};
  if (isPast) return ['Token expired', { ...date(expiry), tone: 'bad' }];
  return ['Token expires', { ...date(expiry), tone: isSoon ? 'warn' : 'plain' }];
}

function nameOf({ email, name, slug, id }: User): string | undefined {
  const names = [email, name, slug, id].map(asText);
  const [first, ...others] = names.filter((name) => name !== undefined);
  return first === undefined || others.length === 0 ? first : `${first} (${others.join(', ')})`;
}

function inOneLine(organization: Organization): string {
  return [nameOf(organization), asText(organization.role)].filter((text) => text !== undefined).join(', ');
}
