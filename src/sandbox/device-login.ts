import { randomBytes } from 'node:crypto';
import type { Parts } from './parts.ts';
import { hashOf, randomText } from './secrets.ts';
import type { DeviceLogin } from './state.ts';

/** How long a login may wait for its approval, in seconds. */
export const LOGIN_LIFETIME_SECONDS = 900;
/** What each poll that comes too early adds to the interval, for good. */
const SLOW_DOWN_SECONDS = 5;
/** Timers and clocks round to the millisecond; so little is not "too fast". */
const EARLY_MS = 20;
/** Consonants that are hard to confuse, as RFC 8628 (section 6.1) advises. */
const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';

/** What a poll is answered: an error of the service's document, or `approved` when the token is due. */
type PollOutcome =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'
  | 'approved';

/** How a login stands. A login that nobody used in time is `expired`, approved or not. */
export type Standing = DeviceLogin['status'] | 'expired';

/** A login that waits for its approval. The device code exists only in the result. */
export function startLogin(
  clientName: string,
  intervalSeconds: number,
  now: number,
): { login: DeviceLogin; deviceCode: string } {
  const deviceCode = `dvc_sandbox_${randomBytes(24).toString('hex')}`;
  const letters = randomText(8, USER_CODE_ALPHABET);
  const login: DeviceLogin = {
    deviceCodeHash: hashOf(deviceCode),
    userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`,
    clientName,
    intervalSeconds,
    expiresAt: now + LOGIN_LIFETIME_SECONDS * 1_000,
    lastPollAt: null,
    status: 'pending',
  };
  return { login, deviceCode };
}

/** How a login stands now. */
export function standing(login: DeviceLogin, now: number): Standing {
  const isOver = login.status === 'delivered' || login.status === 'denied';
  return !isOver && now >= login.expiresAt ? 'expired' : login.status;
}

/**
 * One poll: the outcome, and the login after it. The first poll is never too fast; a poll that comes before the
 * interval is over makes the interval longer. An approved login gives its token at once, and only once.
 */
export function poll(login: DeviceLogin, now: number): { login: DeviceLogin; outcome: PollOutcome } {
  const polled = { ...login, lastPollAt: now };
  switch (standing(login, now)) {
    case 'expired':
      return { login: polled, outcome: 'expired_token' };
    case 'denied':
      return { login: polled, outcome: 'access_denied' };
    case 'delivered':
      return { login: polled, outcome: 'invalid_grant' };
    case 'approved':
      return { login: { ...polled, status: 'delivered' }, outcome: 'approved' };
    case 'pending':
      return isTooFast(login, now)
        ? { login: { ...polled, intervalSeconds: login.intervalSeconds + SLOW_DOWN_SECONDS }, outcome: 'slow_down' }
        : { login: polled, outcome: 'authorization_pending' };
  }
}

function isTooFast(login: DeviceLogin, now: number): boolean {
  return login.lastPollAt !== null && now - login.lastPollAt < login.intervalSeconds * 1_000 - EARLY_MS;
}

/** The login after the user's decision; `undefined` where there is nothing left to decide. */
function decide(login: DeviceLogin, decision: 'approve' | 'deny', now: number): DeviceLogin | undefined {
  if (standing(login, now) !== 'pending') return undefined;
  return { ...login, status: decision === 'approve' ? 'approved' : 'denied' };
}

/** A user code as people type it, in the form that it was given out in: `wdjb mjht` is `WDJB-MJHT`. */
export function typedUserCode(text: string): string {
  const letters = text.toUpperCase().replace(/[^A-Z]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The login with a user code. */
export function loginWithUserCode(parts: Parts, userCode: string): DeviceLogin | undefined {
  return parts.store.state.logins.find((login) => login.userCode === userCode);
}

/** Puts a login in the place of the one with the same device code. */
export function withLogin(logins: readonly DeviceLogin[], changed: DeviceLogin): readonly DeviceLogin[] {
  return logins.map((login) => (login.deviceCodeHash === changed.deviceCodeHash ? changed : login));
}

/** Decides a login once. Answers `false` where no login waits for this code. */
export function decideLogin(parts: Parts, userCode: string, decision: 'approve' | 'deny'): boolean {
  const login = loginWithUserCode(parts, userCode);
  const decided = login && decide(login, decision, parts.clock.now());
  if (decided === undefined) return false;
  parts.store.commit({ logins: withLogin(parts.store.state.logins, decided) });
  parts.log(`login ${userCode}: ${decided.status}`);
  return true;
}

/** The user codes that wait for a decision, the oldest first. */
export function pendingUserCodes({ store, clock }: Parts): readonly string[] {
  const pending = store.state.logins.filter((login) => standing(login, clock.now()) === 'pending');
  return pending.map(({ userCode }) => userCode);
}
