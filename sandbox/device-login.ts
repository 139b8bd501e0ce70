import { randomBytes } from 'node:crypto';
import type { Parts } from './parts.ts';
import { hashSecret, randomText } from './secrets.ts';
import type { DeviceLogin } from './state.ts';

/** How long a code can be approved. */
export const LOGIN_LIFETIME_SECONDS = 900;
const SLOW_DOWN_SECONDS = 5;
/** How much too early a poll may come: timers and clocks round. */
const EARLY_MS = 20;
/** Consonants that are hard to confuse (RFC 8628, section 6.1). */
const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';

/** An error of operation 2, or `approved` if the token is due. */
type PollOutcome =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'
  | 'approved';

/** A login that was not completed in time is `expired`, approved or not. */
export type LoginState = DeviceLogin['status'] | 'expired';

/** Creates a login that waits for its approval. Only the hash of the device code is stored. */
export function openLogin(clientName: string, intervalSeconds: number, now: number) {
  const deviceCode = `dvc_sandbox_${randomBytes(24).toString('hex')}`;
  const login: DeviceLogin = {
    deviceCodeHash: hashSecret(deviceCode),
    userCode: formatUserCode(randomText(8, USER_CODE_ALPHABET)),
    clientName,
    intervalSeconds,
    expiresAt: now + LOGIN_LIFETIME_SECONDS * 1_000,
    lastPollAt: null,
    status: 'pending',
  };
  return { login, deviceCode };
}

/** Returns the status of a login at this time, in milliseconds since the epoch. */
export function getLoginState(login: DeviceLogin, now: number): LoginState {
  const isOver = login.status === 'delivered' || login.status === 'denied';
  return !isOver && now >= login.expiresAt ? 'expired' : login.status;
}

/**
 * Polls a login: returns the outcome and the login afterwards. The first poll is never too early; a
 * later one that comes before the interval is over makes the interval longer. An approved login
 * gives its token at once, and only once.
 */
export function poll(
  login: DeviceLogin,
  now: number,
): { login: DeviceLogin; outcome: PollOutcome } {
  const polled = { ...login, lastPollAt: now };
  switch (getLoginState(login, now)) {
    case 'expired':
      return { login: polled, outcome: 'expired_token' };
    case 'denied':
      return { login: polled, outcome: 'access_denied' };
    case 'delivered':
      return { login: polled, outcome: 'invalid_grant' };
    case 'approved':
      return { login: { ...polled, status: 'delivered' }, outcome: 'approved' };
    case 'pending':
      return isTooEarly(login, now)
        ? {
            login: { ...polled, intervalSeconds: login.intervalSeconds + SLOW_DOWN_SECONDS },
            outcome: 'slow_down',
          }
        : { login: polled, outcome: 'authorization_pending' };
  }
}

function isTooEarly(login: DeviceLogin, now: number): boolean {
  return (
    login.lastPollAt !== null && now - login.lastPollAt < login.intervalSeconds * 1_000 - EARLY_MS
  );
}

/** Turns a user code as people type it (`wdjb mjht`) into its own form (`WDJB-MJHT`). */
export function formatUserCode(text: string): string {
  const letters = text.toUpperCase().replace(/[^A-Z]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Finds a login by its user code, in the form of {@link formatUserCode}. */
export function loginWithUserCode(parts: Parts, userCode: string): DeviceLogin | undefined {
  return parts.store.state.logins.find((login) => login.userCode === userCode);
}

/** Replaces the login with the same device code. */
export function withLogin(
  logins: readonly DeviceLogin[],
  changed: DeviceLogin,
): readonly DeviceLogin[] {
  return logins.map((login) => (login.deviceCodeHash === changed.deviceCodeHash ? changed : login));
}

/** Decides a login once. Returns false if no login with this code is pending. */
export function decideLogin(parts: Parts, userCode: string, decision: 'approve' | 'deny'): boolean {
  const login = loginWithUserCode(parts, userCode);
  if (login === undefined || getLoginState(login, parts.clock.now()) !== 'pending') return false;
  const decided: DeviceLogin = { ...login, status: decision === 'approve' ? 'approved' : 'denied' };
  parts.store.commit({ logins: withLogin(parts.store.state.logins, decided) });
  parts.log(`login ${userCode}: ${decided.status}`);
  return true;
}

/** The user codes of the pending logins, oldest first. */
export function pendingUserCodes({ store, clock }: Parts): readonly string[] {
  const pending = store.state.logins.filter(
    (login) => getLoginState(login, clock.now()) === 'pending',
  );
  return pending.map(({ userCode }) => userCode);
}
