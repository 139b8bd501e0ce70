import { getUser } from '../api/call.ts';
import { readPlatformTime } from '../api/retry.ts';
import { defineCommand, readAnswer } from '../cli/define/define.ts';
import { describeVariableRenewal } from '../cli/settings/unauthenticated.ts';
import { option } from '../cli/values/parameters.ts';
import { parseDuration } from '../cli/values/time.ts';
import { NAMES, ORGANIZATION, TOKEN, USER_LOOKUP } from '../contract/fields/operations.ts';
import type { Organization, User } from '../contract/operations.ts';
import {
  asArray,
  asObject,
  asText,
  createFieldReaders,
  isObject,
  unreadFields,
  unreadParts,
} from '../json/values.ts';
import { findExpiry } from '../sign-in/expiry.ts';
import { toKnownOrganizations } from './shared/membership.ts';
import { describeExpiry, findExpiryFailure } from './whoami/expiry.ts';

export default defineCommand({
  summary: 'Show your account, organization and token',
  effect: 'reads',
  options: {
    failIfExpires: option(
      'duration',
      'fail (exit 9) if the token expires within this time',
      parseDuration,
    ),
  },
  tool: {
    title: 'Who is signed in',
    description:
      'The user, every organization with its id, and the token in use. For days left on the token call status. About 250 tokens.',
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
    const nowMs = readPlatformTime(answer.headers, time.clock.now());
    const result = readAnswer(answer, (value) => ({
      answer: value,
      address: settings.apiUrl().value,
      source: credential?.source ?? 'unknown',
      expiresAt,
      renewal: describeVariableRenewal(settings),
      now: nowMs,
    }));
    return {
      ...result,
      failure: findExpiryFailure(expiresAt, failIfExpires, settings, nowMs),
      namesToCache: toKnownOrganizations(asArray(answer.value.organizations).filter(isObject)),
    };
  },

  human(screen, { answer, address, source, expiresAt, renewal, now }) {
    const user = asObject(answer.user);
    const organization = asObject(answer.organization);
    const token = asObject(answer.token);
    const method = asText(answer.authMethod);
    const list: readonly Organization[] = asArray(answer.organizations).filter(isObject);
    const used = list.find((org) => asText(org.id) !== undefined && org.id === organization.id);
    screen.fields([
      ['Signed in as', describeNames(user)],
      ['Address', address],
      ['Organization', describeNames(organization)],
      ['Role', asText(organization.role) ?? asText(used?.role)],
      ['Signed in with', method?.replaceAll('_', ' ').replace(/\bapi\b/, 'API')],
      ['Token from', source],
      ['Token', describeNames(token)],
      describeExpiry(expiresAt, now, renewal),
    ]);
    const others = list.filter((org) => org !== used);
    if (others.length > 0) {
      screen.line(used === undefined ? 'Organizations:' : 'Other organizations:');
      screen.list(others.map((org) => listTexts([describeNames(org), org.role]).join(', ')));
    }
    for (const org of list)
      screen.unknownFields(unreadFields(org, createFieldReaders(ORGANIZATION)), describeNames(org));
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

function describeNames({ email, name, slug, id }: User): string | undefined {
  const [first, ...others] = listTexts([email, name, slug, id]);
  return others.length === 0 ? first : `${first} (${others.join(', ')})`;
}

function listTexts(values: readonly unknown[]): readonly string[] {
  return values.map(asText).filter((text) => text !== undefined);
}
