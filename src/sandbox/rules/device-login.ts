import { randomBytes } from 'node:crypto';
import type { DeviceLogin } from '../state/state.ts';
import { hashOf, randomText } from './secrets.ts';

/** How long a login may wait for its approval, in seconds. */
export const LOGIN_LIFETIME_SECONDS = 900;
/** What each poll that comes too early adds to the interval, for good. */
const SLOW_DOWN_SECONDS = 5;
/** Timers and clocks round to the millisecond; so little is not "too fast". */
const EARLY_MS = 20;
/** Consonants that are hard to confuse, as RFC 8628 (section 6.1) advises. */
const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';

/** What a poll is answered: an error of the service's document, or `approved` when the token is due. */
export type PollOutcome =
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
export function decide(login: DeviceLogin, decision: 'approve' | 'deny', now: number): DeviceLogin | undefined {
  if (standing(login, now) !== 'pending') return undefined;
  return { ...login, status: decision === 'approve' ? 'approved' : 'denied' };
}

/** A user code as people type it, in the form that it was given out in: `wdjb mjht` is `WDJB-MJHT`. */
export function typedUserCode(text: string): string {
  const letters = text.toUpperCase().replace(/[^A-Z]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
