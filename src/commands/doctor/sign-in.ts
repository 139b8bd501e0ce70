import { getUser } from '../../api/operations.ts';
import type { Context } from '../../command/context.ts';
import { signInCommand } from '../../command/unauthenticated.ts';
import { plural } from '../../io/numbers.ts';
import { dayOf, expiryOf } from '../../login/expiry.ts';
import { asObject, asText } from '../../spec/read.ts';
import type { Check } from './check.ts';

/** Whether the service accepts the sign-in, and as whom. */
export async function checkSignIn({ settings, api: { client } }: Context): Promise<Check> {
  const name = 'sign-in';
  const address = settings.findApiUrl();
  const credential = settings.credential();
  if (credential === undefined) {
    // Without an address, how to set one is told already, and signing in does both.
    const fix = address === undefined ? null : signInCommand(settings);
    return { name, state: 'bad', found: 'Not signed in.', fix };
  }
  if (address === undefined) return { name, state: 'note', found: `not checked (${credential.source})`, fix: null };
  const { value } = await getUser(await client());
  const account = asText(asObject(value.user)['email']) ?? 'accepted';
  const org = asObject(value.organization);
  const place = asText(org['slug']) ?? asText(org['name']) ?? asText(org['id']);
  const chosen = settings.org();
  const where = chosen === undefined ? '' : `, chosen by ${chosen.where}`;
  const organization = place === undefined ? '' : `, in ${place}${where}`;
  return { name, state: 'good', found: `${account}${organization} (${credential.source})`, fix: null };
}

/** How long the stored token lives. */
export function checkToken({ settings, system: { clock } }: Context): Check {
  const name = 'token';
  const credential = settings.credential();
  if (credential === undefined) return { name, state: 'note', found: 'none', fix: null };
  const expiry = credential.record && expiryOf(credential.record, clock.now());
  if (expiry === undefined) return { name, state: 'note', found: 'svc whoami shows when it expires', fix: null };
  const { at, daysLeft, isPast, isSoon } = expiry;
  if (isPast) return { name, state: 'bad', found: `expired on ${dayOf(at)}`, fix: signInCommand(settings) };
  const fix = isSoon ? signInCommand(settings) : null;
  return { name, state: isSoon ? 'note' : 'good', found: `${plural(daysLeft, 'day')} left, until ${dayOf(at)}`, fix };
}
