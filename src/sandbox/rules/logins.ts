import type { Parts } from '../parts.ts';
import type { DeviceLogin } from '../state/state.ts';
import { decide, standing } from './device-login.ts';

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
