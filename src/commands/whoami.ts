import type { Command } from 'commander';
import { getUser } from '../api/account.ts';
import type { Attach } from '../command/attach.ts';
import type { Context } from '../command/context.ts';
import { answered, type Result } from '../command/result.ts';
import { date, type Screen, shown } from '../io/screen.ts';
import { asArray, asObject, asText, otherFields } from '../spec/read.ts';
import type { UserLookup } from '../spec/types.ts';

/** `svc whoami` takes no options of its own. */
export type WhoamiOptions = Readonly<Record<never, never>>;

/** The service's answer, and where the sign-in came from. */
interface Whoami {
  readonly answer: UserLookup;
  readonly address: string;
  readonly source: string;
  readonly storedExpiry: string | undefined;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent.command('whoami').description('Show who you are signed in as, and with which token');
  attach(command, {
    run,
    human,
    examples: [
      ['svc whoami', 'the account, the organization and the token in use'],
      ['svc whoami --json', "the service's answer, for scripts"],
    ],
  });
}

export async function run({ client, settings }: Context, _options: WhoamiOptions): Promise<Result<Whoami>> {
  const answer = await getUser(await client());
  const credential = settings.credential();
  return answered(answer, {
    answer: answer.value,
    address: settings.apiUrl().value,
    source: credential?.source ?? 'unknown',
    storedExpiry: credential?.record?.expiresAt,
  });
}

export function human(screen: Screen, { answer, address, source, storedExpiry }: Whoami): void {
  const user = asObject(answer.user);
  const token = asObject(answer.token);
  const expiry = asText(token['expiresAt']) ?? storedExpiry;
  screen.fields([
    ['Signed in as', nameOf(user)],
    ['Address', address],
    ['Organization', nameOf(asObject(answer.organization))],
    ['Signed in by', asText(answer.authMethod)],
    ['Token from', source],
    ['Token', nameOf(token)],
    ['Expires', expiry === undefined ? undefined : date(expiry)],
  ]);
  organizations(screen, answer);
  screen.rest(otherFields(user, NAME_FIELDS), 'User');
  screen.rest(otherFields(token, [...NAME_FIELDS, 'expiresAt']), 'Token');
  screen.rest(otherFields(answer, ['user', 'organization', 'organizations', 'authMethod', 'token']));
}

/** Fields that name a person or a thing, in the order a person would use them. */
const NAME_FIELDS = ['email', 'name', 'slug', 'id'];

function nameOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const names = NAME_FIELDS.map((field) => asText(value[field])).filter((name) => name !== undefined);
  const [first, ...others] = names;
  return first === undefined ? undefined : others.length === 0 ? first : `${first} (${others.join(', ')})`;
}

function organizations(screen: Screen, answer: UserLookup): void {
  const list = asArray(answer.organizations).map(asObject);
  if (list.length < 2) return;
  screen.line();
  screen.table({
    head: ['Organization', 'Role', 'Id'],
    rows: list.map((org) => [
      asText(org['name']) ?? asText(org['slug']) ?? '',
      asText(org['role']) ?? shown(org['role']),
      asText(org['id']) ?? '',
    ]),
  });
}
