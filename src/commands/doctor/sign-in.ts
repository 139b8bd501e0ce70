import { getUser } from '../../api/account.ts';
import type { Context } from '../../command/context.ts';
import { asObject, asText } from '../../spec/read.ts';
import type { Check } from './checks.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 7;

/** Whether the service accepts the sign-in, and as whom. */
export async function checkSignIn({ settings, client }: Context): Promise<Check> {
  const name = 'sign-in';
  const address = settings.findApiUrl();
  const credential = settings.credential();
  if (credential === undefined) {
    // Without an address, how to set one is told already, and signing in does both.
    const fix = address === undefined ? null : 'svc login';
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
export function checkToken({ settings, clock }: Context): Check {
  const name = 'token';
  const expiresAt = settings.credential()?.record?.expiresAt;
  if (expiresAt === undefined) return { name, state: 'note', found: 'its expiry is not known here', fix: null };
  const days = Math.floor((Date.parse(expiresAt) - clock.now()) / DAY_MS);
  if (days < 0) return { name, state: 'bad', found: `expired on ${expiresAt}`, fix: 'svc login' };
  const soon = days < SOON_DAYS;
  return {
    name,
    state: soon ? 'note' : 'good',
    found: `${days} days left, until ${expiresAt}`,
    fix: soon ? 'svc login' : null,
  };
}
