import { defineCommand, document } from '../../cli/define/define.ts';
import { listSignInVariables } from '../../environment.ts';
import { getProfileName } from '../../sign-in/credentials.ts';
import { createTable } from '../../terminal/csv.ts';
import { day } from '../../terminal/screen.ts';

const COLUMNS = {
  profile: 'profile',
  current: 'current',
  account: 'email',
  address: 'baseUrl',
  expires: 'expiresAt',
  org: 'org',
  organizationId: 'organizationId',
  tokenId: 'tokenId',
} as const;

export default defineCommand({
  summary: 'Show the stored sign-ins, but never their tokens',
  effect: 'local',
  examples: [
    ['svc profiles', 'who is signed in where, and until when'],
    ['svc profiles --json', 'the same as JSON, for scripts'],
  ],

  async run(context) {
    const { current, credentials } = context.store.signIns();
    const profiles = credentials.map(
      ({
        profile,
        baseUrl,
        email = null,
        organizationId = null,
        org = null,
        tokenId = null,
        expiresAt = null,
      }) => ({
        profile,
        current: profile === current,
        baseUrl,
        email,
        organizationId,
        org,
        tokenId,
        expiresAt,
      }),
    );
    const [source] = listSignInVariables(context.env);
    const listed = document('profiles list', { profiles });
    return { ...listed, value: { profiles, source } };
  },

  human(screen, { profiles, source }) {
    if (profiles.length === 0) {
      if (source !== undefined) {
        return screen.line(`No stored sign-ins. This shell signs in with ${source}.`);
      }
      screen.line('You are not signed in.');
      return screen.next(['svc login']);
    }
    const showsAddress = profiles.some(
      ({ profile, baseUrl }) => getProfileName(baseUrl) !== profile,
    );
    screen.table({
      head: [
        '',
        ...['Profile', 'Account', 'Address', 'Expires'].map((name) => ({ name, whole: true })),
      ],
      rows: profiles.map(({ current, profile, email, baseUrl, expiresAt }) => [
        current ? 'current' : '',
        profile,
        email ?? '',
        showsAddress ? getProfileName(baseUrl) : '',
        expiresAt === null ? '' : day(expiresAt),
      ]),
    });
  },

  csv: {
    what: 'the sign-ins',
    columns: Object.keys(COLUMNS),
    table: ({ profiles }) => createTable(profiles, COLUMNS),
  },
});
