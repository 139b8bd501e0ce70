import type { Settings } from './settings.ts';

/** Why the service did not accept the sign-in (401), and the way out. */
export interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** Says which sign-in was refused and what to do about it; a stored one is never deleted for it. */
export function explainUnauthenticated(settings: Settings, nowMs: number): Explanation | undefined {
  const credential = settings.credential();
  if (credential === undefined) return undefined;
  const { record, source, kind } = credential;
  if (record === undefined) {
    const what = kind === 'session' ? 'dashboard session' : 'token';
    return {
      message: `The service did not accept the ${what} in ${source}.`,
      hint: `put a valid ${what} into ${source}, or unset it and run svc login`,
    };
  }
  const expired = record.expiresAt !== undefined && Date.parse(record.expiresAt) <= nowMs;
  return {
    message: expired
      ? `The stored token (${source}) expired on ${record.expiresAt}.`
      : `The service did not accept the stored token (${source}). It may have been revoked.`,
    hint:
      record.profile === record.baseUrl.replace(/^https?:\/\//, '')
        ? 'svc login'
        : `svc login --profile ${record.profile}`,
  };
}

/** Why there is nothing to sign in with. */
export function explainMissing(settings: Settings): Explanation {
  const address = settings.findApiUrl()?.value ?? 'the service';
  return {
    message: `Not signed in to ${address}.`,
    hint: 'svc login, or set SVC_TOKEN',
  };
}
