import { getUser } from '../api/operations.ts';
import { defineCommand } from '../cli/define/define.ts';
import { readAnswer } from '../cli/define/result.ts';
import { signInCommand } from '../cli/settings/unauthenticated.ts';
import { option } from '../cli/values/parameters.ts';
import { parseDuration } from '../cli/values/time.ts';
import { NAMES, ORGANIZATION, TOKEN, USER_LOOKUP } from '../contract/fields/operations.ts';
import type { Organization, TokenInUse, User } from '../contract/types.ts';
import { CliError, quoted } from '../errors.ts';
import {
  asArray,
  asObject,
  asText,
  createFieldReaders,
  isObject,
  unreadFields,
  unreadParts,
} from '../json/values.ts';
import { findExpiry, formatDay, isEndless, judgeExpiry } from '../sign-in/expiry.ts';
import { formatDistance } from '../terminal/dates.ts';
import { date, type Text } from '../terminal/screen.ts';
import { toKnownOrganizations } from './shared/membership.ts';

export default defineCommand({
  path: 'whoami',
  summary: 'Show your account, organization and token',
  effect: 'reads',
  args: {},
  options: {
    failIfExpires: option(
      'duration',
      'fail (exit 9) if the token expires within this time',
      parseDuration,
    ),
  },
  tool: {
    title: 'Who is signed in',
    says: 'The user, every organization with its id, and the token in use. For days left on the token call status. About 250 tokens.',
    takes: {},
  },
  examples: [
    ['svc whoami', 'the account, the organization and the token in use'],
    ['svc whoami --json', "the API's answer, for scripts"],
    ['svc whoami --fail-if-expires 14d', 'a check for a nightly job'],
  ],
  exitCodes: [
    [9, 'with --fail-if-expires: the token expires within that time, or has expired'],
    [12, 'with --fail-if-expires: nobody says when the token expires'],
  ],

  async run({ api, settings, time }, { failIfExpires }) {
    const answer = await getUser(await api.client());
    const credential = settings.credential();
    const expiresAt = findExpiry(answer.value.token, credential?.record);
    const result = readAnswer(answer, (value) => ({
      answer: value,
      address: settings.apiUrl().value,
      source: credential?.source ?? 'unknown',
      expiresAt,
      now: time.clock.now(),
    }));
    const organizations = asArray(answer.value.organizations).filter(isObject);
    const failure =
      failIfExpires === undefined
        ? undefined
        : expiryFailure(expiresAt, failIfExpires, time.clock.now(), signInCommand(settings));
    return { ...result, failure, seen: toKnownOrganizations(organizations) };
  },

  human(screen, { answer, address, source, expiresAt, now }) {
    const user = asObject(answer.user);
    const organization = asObject(answer.organization);
    const token: TokenInUse = asObject(answer.token);
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
      expiryRow(expiresAt, now),
    ]);
    const others = list.filter((org) => org !== used);
    if (others.length > 0) {
      screen.line(used === undefined ? 'Organizations:' : 'Other organizations:');
      screen.list(others.map(inOneLine));
    }
    for (const org of list)
      screen.unknownFields(unreadFields(org, createFieldReaders(ORGANIZATION)), nameOf(org));
    screen.unknownFields({
      ...unreadParts({
        user: unreadFields(user, createFieldReaders(NAMES)),
        organization: unreadFields(organization, createFieldReaders(ORGANIZATION)),
        token: unreadFields(token, createFieldReaders(TOKEN)),
      }),
      ...unreadFields(answer, createFieldReaders(USER_LOOKUP)),
    });
  },
});

const DAY_SECONDS = 86_400;

function expiryFailure(
  expiresAt: string | undefined,
  seconds: number,
  nowMs: number,
  signIn: string,
): CliError | undefined {
  const expiry = judgeExpiry(expiresAt, nowMs);
  if (expiry === undefined) {
    const hint = { say: 'Make a token that svc remembers:', run: [signIn] };
    const message =
      expiresAt === undefined
        ? 'The answer has no token.expiresAt, so nobody says when this token expires.'
        : `svc cannot read ${quoted(expiresAt)} as the time when this token expires.`;
    return new CliError('no_data', message, { hint });
  }
  const left = (Date.parse(expiry.at) - nowMs) / 1000;
  if (left > seconds) return undefined;
  const [value, limit] = [left, seconds].map(
    (one) => Math.round((one / DAY_SECONDS) * 100) / 100,
  ) as [number, number];
  const when = `${expiry.isPast ? 'expired' : 'expires'} ${formatDistance(Date.parse(expiry.at), nowMs)}`;
  return new CliError('alert', `The token ${when}, on ${formatDay(expiry.at)}.`, {
    hint: signIn,
    alerts: [{ series: 'token', figure: 'days', value, limit, at: expiry.at }],
  });
}

function expiryRow(
  expiry: string | undefined,
  now: number,
): [label: string, value: Text | undefined] {
  if (expiry === undefined || isEndless(expiry)) return ['Token expires', undefined];
  const { isPast = false, isSoon = false } = judgeExpiry(expiry, now) ?? {};
  if (isPast) return ['Token expired', { ...date(expiry), tone: 'bad' }];
  return ['Token expires', { ...date(expiry), tone: isSoon ? 'warn' : 'plain' }];
}

function nameOf({ email, name, slug, id }: User): string | undefined {
  const names = [email, name, slug, id].map(asText);
  const [first, ...others] = names.filter((name) => name !== undefined);
  return first === undefined || others.length === 0 ? first : `${first} (${others.join(', ')})`;
}

function inOneLine(organization: Organization): string {
  return [nameOf(organization), asText(organization.role)]
    .filter((text) => text !== undefined)
    .join(', ');
}
