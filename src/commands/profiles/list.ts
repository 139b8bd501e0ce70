import { defineCommand } from '../../command/define.ts';
import { document } from '../../command/result.ts';
import { dayOf } from '../../login/expiry.ts';
import { tableOf } from '../../terminal/csv.ts';
import { profileNameOf } from '../../vault/credentials/records.ts';

export default defineCommand({
  path: 'profiles list',
  summary: 'Show the stored sign-ins, but never their tokens',
  effect: 'local',
  args: {},
  options: {},
  examples: [
    ['svc profiles', 'who is signed in where, and until when'],
    ['svc profiles --json', 'the same as JSON, for scripts'],
  ],

  async run(context) {
    const { current, credentials } = context.vault.signIns();
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
    return document({ profiles });
  },

  human(screen, { profiles }) {
    if (profiles.length === 0) {
      screen.line('You are not signed in.');
      screen.next(['svc login --api-url <address>']);
      return;
    }
    screen.table({
      head: ['', { name: 'Profile', whole: true }, 'Account', 'Address', { name: 'Expires', whole: true }],
      rows: profiles.map(({ current, profile, email, baseUrl, expiresAt }) => [
        current ? 'current' : '',
        profile,
        email ?? '',
        // The name of a profile is usually its address.
        profileNameOf(baseUrl) === profile ? '' : baseUrl,
        expiresAt === null ? '' : dayIn(expiresAt),
      ]),
    });
  },

  csv: {
    what: 'the sign-ins',
    table: ({ profiles }) =>
      tableOf(profiles, ['profile', 'current', 'baseUrl', 'email', 'organizationId', 'org', 'tokenId', 'expiresAt']),
  },
});

/** Shortens a date to its day, which is enough for a list; anything else stays. */
function dayIn(expiresAt: string): string {
  return Number.isNaN(Date.parse(expiresAt)) ? expiresAt : dayOf(expiresAt);
}
