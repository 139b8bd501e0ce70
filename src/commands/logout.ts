import type { Needs } from '../cli/define/context.ts';
import { defineCommand, document } from '../cli/define/define.ts';
import { flag } from '../cli/values/parameters.ts';
import { listSignInVariables } from '../environment.ts';
import { listNames } from '../errors.ts';
import { shellWord } from '../shell-line.ts';
import { type CredentialRecord, findByProfile } from '../sign-in/credentials.ts';
import { openCredentials } from '../sign-in/store.ts';
import { date, filePath, type Screen } from '../terminal/screen.ts';

export default defineCommand({
  summary: 'Sign out on this machine',
  effect: 'local',
  isDestructiveLocally: true,
  options: {
    all: flag('sign out everywhere: forget every stored token, including those in damaged files'),
  },
  examples: [
    ['svc logout', 'sign out of the current address'],
    ['svc logout --profile work', 'forget this sign-in'],
    ['svc logout --all', 'sign out of every address'],
  ],

  async run(context, { all }) {
    const store = openCredentials(context.store.signInPlace());
    const meant = all ? undefined : findMeant(context);
    const { removed, files } = all
      ? await store.forgetAll()
      : { removed: await store.remove(({ profile }) => profile === meant), files: [] };
    const loggedOut = document('logout', {
      removed: removed.map(toForgotten),
      removedFiles: files,
      stored: context.store.signIns().credentials.map(({ profile }) => profile),
      stillInEffect: listSignInVariables(context.env),
    });
    const isDamaged = files.some((path) => path.includes('.corrupt-'));
    return { ...loggedOut, warnings: isDamaged ? [UNNAMED] : [] };
  },

  human(screen, { removed, removedFiles, stored, stillInEffect }) {
    showForgotten(screen, removed);
    for (const path of removedFiles) screen.success(['Removed ', filePath(path), '.']);
    if (removed.length + removedFiles.length === 0) showNothing(screen, stored);
    for (const name of stillInEffect) screen.warning(`${name} is still in effect.`);
  },
});

/** Returns a sign-in that was forgotten, without its token. */
function toForgotten({ profile, baseUrl, tokenId, expiresAt }: CredentialRecord) {
  return { profile, baseUrl, tokenId: tokenId ?? null, expiresAt: expiresAt ?? null };
}

/** The API has no operation that revokes a token. */
function showForgotten(screen: Screen, records: readonly ReturnType<typeof toForgotten>[]): void {
  for (const { profile, tokenId, expiresAt } of records) {
    screen.success(`Signed out of ${profile}.`);
    screen.fields([
      ['Token', tokenId ?? undefined],
      ['Valid until', expiresAt === null ? undefined : date(expiresAt)],
    ]);
  }
  if (records.length === 0) return;
  const tokens = records.length === 1 ? 'token. Revoke it' : 'tokens. Revoke them';
  screen.line(`The platform still accepts the ${tokens} in Settings > API tokens.`);
}

const UNNAMED = {
  text: 'A damaged file may have held a token that svc cannot name. Revoke it in Settings > API tokens.',
  code: 'token_unnamed',
};

function showNothing(screen: Screen, stored: readonly string[]): void {
  const [first] = stored;
  if (first === undefined) {
    screen.line('You are not signed in.');
  } else {
    screen.line(`You are not signed in here. Other profiles: ${listNames(stored)}.`);
    screen.next([`svc logout --profile ${shellWord(first)}`, 'svc logout --all']);
  }
}

/** Returns the profile that is meant: an unknown one means none, as a second logout is no error. */
function findMeant({ globals, settings, store }: Needs<'globals' | 'settings' | 'store'>) {
  const { profile, apiUrl } = globals;
  // Nothing is sent, so variables that speak of another address do not matter.
  if (profile !== undefined && apiUrl === undefined) return profile;
  const named = settings.profileName();
  if (named && findByProfile(store.signIns(), named.value) === undefined) return undefined;
  return settings.profile()?.profile;
}
