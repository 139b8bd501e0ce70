import { type Place, readCredentials, type StoredCredentials } from '../vault/credentials/read.ts';
import type { CredentialStore } from '../vault/credentials/store.ts';

/** The stored sign-ins of one run, and what they ask of it beside: warnings that are said, journals that are merged. */
export interface SignIns {
  /** As they are now; see `readCredentials`. */
  read(): StoredCredentials;
  /** Changes them; loaded only for that. */
  store(): Promise<CredentialStore>;
  /** Merges what a login that was killed has left. Never fails: where it cannot be done now, another svc does it. */
  settle(): Promise<void>;
}

/**
 * The sign-ins of a place; `warn` is told once of each thing that is odd about their files, `hide` of every token.
 */
export function createSignIns(
  place: () => Place,
  warn: (text: string) => Promise<void>,
  hide: (token: string) => void,
): SignIns {
  const said = new Map<string, Promise<void>>();
  let isUnmerged = false;
  const read = (): StoredCredentials => {
    const found = readCredentials(place());
    for (const { token } of found.credentials) hide(token);
    for (const text of found.warnings) if (!said.has(text)) said.set(text, warn(text));
    isUnmerged ||= found.unmerged > 0;
    return found;
  };
  const open = async (): Promise<CredentialStore> => {
    const { openCredentials } = await import('../vault/credentials/store.ts');
    return openCredentials(place());
  };
  return {
    read,
    async store() {
      // A change would mend what is odd, and nobody would be told.
      quietly(read);
      return open();
    },
    async settle() {
      await Promise.all(said.values());
      if (!isUnmerged) return;
      const store = await open();
      await store.settle().catch(() => undefined);
    },
  };
}

/** What cannot be read is the error of whoever needs it. */
function quietly(look: () => unknown): void {
  try {
    look();
  } catch {
    // See above.
  }
}
