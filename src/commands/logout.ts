import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { keepProfiles } from '../command/known-names.ts';
import { document, type Result } from '../command/result.ts';
import { signInVariablesIn } from '../environment.ts';
import type { Screen } from '../io/screen.ts';
import { type CredentialRecord, findByProfile } from '../login/credentials/records.ts';
import { type Forgotten, forgotten, showForgotten } from './shared/forgotten.ts';

export interface LogoutOptions {
  /** Every stored sign-in, not only the current one. */
  readonly all?: boolean;
}

interface LoggedOut {
  readonly removed: readonly Forgotten[];
  /** Variables that still sign in. */
  readonly stillInEffect: readonly string[];
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('logout')
    .description('Forget the stored token on this machine')
    .option('--all', 'forget every stored token');
  attach(command, {
    run,
    human,
    examples: [
      ['svc logout', 'forget the token of the current address'],
      ['svc logout --all', 'forget every stored token'],
    ],
  });
}

export async function run(context: Context, options: LogoutOptions): Promise<Result<LoggedOut>> {
  const isMeant = options.all ? () => true : meantRecord(context);
  const store = await context.store();
  const removed = await store.remove(isMeant);
  keepProfiles(context);
  const stillInEffect = signInVariablesIn(context.env);
  return document({ removed: removed.map(forgotten), stillInEffect });
}

export function human(screen: Screen, { removed, stillInEffect }: LoggedOut): void {
  if (removed.length === 0) screen.line('No token was stored, so there is nothing to forget.');
  showForgotten(screen, removed);
  for (const name of stillInEffect) screen.warning(`${name} is still in effect.`);
}

/** The sign-in that commands would use here; nothing where none is, so that it may be forgotten twice. */
function meantRecord({ settings, storedSignIns }: Context): (record: CredentialRecord) => boolean {
  const named = settings.profileName();
  if (named !== undefined && findByProfile(storedSignIns(), named.value) === undefined) return () => false;
  const profile = settings.profile()?.profile;
  return (record) => record.profile === profile;
}
