import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { keepProfiles } from '../../command/known-names.ts';
import { document, type Result } from '../../command/result.ts';
import { type CsvTable, tableOf } from '../../io/csv.ts';
import type { Screen } from '../../io/screen.ts';
import { profileNameOf } from '../../login/credentials/records.ts';
import { dayOf } from '../../login/expiry.ts';

/** `svc profiles list` takes no options of its own. */
export type ListOptions = Readonly<Record<never, never>>;

/** A stored sign-in without its token. */
interface Profile {
  readonly profile: string;
  readonly current: boolean;
  readonly baseUrl: string;
  readonly email: string | null;
  readonly organizationId: string | null;
  readonly org: string | null;
  readonly tokenId: string | null;
  readonly expiresAt: string | null;
}

interface Listed {
  readonly profiles: readonly Profile[];
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('list', { isDefault: true })
    .description('Show the stored sign-ins, but never their tokens');
  attach(command, {
    run,
    human,
    csv: ['the sign-ins', toTable],
    examples: [
      ['svc profiles', 'who is signed in where, and until when'],
      ['svc profiles --json', 'the same as JSON, for scripts'],
    ],
  });
}

export async function run(context: Context, _options: ListOptions): Promise<Result<Listed>> {
  const { current, credentials } = context.storedSignIns();
  const profiles = credentials.map((record) => ({
    profile: record.profile,
    current: record.profile === current,
    baseUrl: record.baseUrl,
    email: record.email ?? null,
    organizationId: record.organizationId ?? null,
    org: record.org ?? null,
    tokenId: record.tokenId ?? null,
    expiresAt: record.expiresAt ?? null,
  }));
  keepProfiles(context);
  return document({ profiles });
}

/** The columns of `--csv`. */
const COLUMNS = [
  'profile',
  'current',
  'baseUrl',
  'email',
  'organizationId',
  'org',
  'tokenId',
  'expiresAt',
] as const satisfies readonly (keyof Profile)[];

function toTable({ profiles }: Listed): CsvTable {
  return tableOf(profiles, COLUMNS);
}

/** A profile that is named after its address needs no other column to say so. */
export function human(screen: Screen, { profiles }: Listed): void {
  if (profiles.length === 0) {
    screen.line('No sign-in is stored.');
    screen.next(['svc login --api-url <address>']);
    return;
  }
  screen.table({
    head: ['', { name: 'Profile', whole: true }, 'Account', 'Address', { name: 'Expires', whole: true }],
    rows: profiles.map(({ current, profile, email, baseUrl, expiresAt }) => [
      current ? 'current' : '',
      profile,
      email ?? '',
      profileNameOf(baseUrl) === profile ? '' : baseUrl,
      expiresAt === null ? '' : dayIn(expiresAt),
    ]),
  });
}

/** A day is enough for a list; what is no date is shown as it is. */
function dayIn(expiresAt: string): string {
  return Number.isNaN(Date.parse(expiresAt)) ? expiresAt : dayOf(expiresAt);
}
