import { type Place, readCredentials, type StoredCredentials } from '../sign-in/credentials.ts';
import type { CredentialStore } from '../sign-in/store.ts';

/** The stored sign-ins, read once in a run. */
export interface SignIns {
  /** See `readCredentials`. */
  read(): StoredCredentials;
  /** Reads them for a command that uses none of them: no warnings, and no journal is merged. */
  peek(): StoredCredentials;
  /** For changing them. */
  store(): Promise<CredentialStore>;
  /** Waits for the warnings, then merges the journals of logins that were killed. Never fails: a later svc retries. */
  settle(): Promise<void>;
}

/** Calls `warn` once for each problem of the credential files, and `hide` for every token that is read. */
export function createSignIns(
  place: () => Place,
  warn: (text: string, code: string) => Promise<void>,
  hide: (token: string) => void,
): SignIns {
  const warnings = new Map<string, Promise<void>>();
  let isUnmerged = false;
  const peek = (): StoredCredentials => {
    const found = readCredentials(place());
    for (const { token } of found.credentials) hide(token);
    return found;
  };
  const read = (): StoredCredentials => {
    const found = peek();
    for (const text of found.warnings) if (!warnings.has(text)) warnings.set(text, warn(text, 'store'));
    isUnmerged ||= found.unmerged > 0;
    return found;
  };
  const open = async (): Promise<CredentialStore> => {
    const { openCredentials } = await import('../sign-in/store.ts');
    return openCredentials(place());
  };
  return {
    read,
    peek,
    async store() {
      try {
        // Warn now: a change repairs the problems.
        read();
      } catch {
        // The store reports read errors.
      }
      return open();
    },
    async settle() {
      await Promise.all(warnings.values());
      if (!isUnmerged) return;
      const store = await open();
      await store.settle().catch(() => undefined);
    },
  };
}
