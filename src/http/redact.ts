import { hasHalfCharacter } from '../spec/plain-text.ts';

/** Keeps secrets out of everything that svc prints. */
export interface Redactor {
  /** From now on the text is a secret, in every spelling that URLs and JSON give it. */
  add(secret: string | undefined): void;
  /** The text with every known secret replaced: for results, where an id may look like a token. */
  conceal(text: string): string;
  /** The text with every known secret, and everything that looks like a token of the service, replaced. */
  redact(text: string): string;
}

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter secrets would black out ordinary words. */
const SHORTEST_SECRET = 4;
/** Short ones are left alone, unless they are the sandbox's: ids of the service may start alike. */
const LOOKS_LIKE_A_TOKEN = /svc_(?:sandbox_[A-Za-z0-9_-]+|[A-Za-z0-9_-]{20,})/g;

/** A redactor that knows no secret yet, only what tokens look like. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let longestFirst: readonly string[] = [];
  const conceal = (text: string) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return {
    conceal,
    add(secret) {
      if (secret === undefined || secret.length < SHORTEST_SECRET) return;
      for (const spelling of spellings(secret)) secrets.add(spelling);
      longestFirst = [...secrets].sort((a, b) => b.length - a.length);
    },
    redact: (text) => conceal(text).replace(LOOKS_LIKE_A_TOKEN, REDACTED),
  };
}

function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const isText = !hasHalfCharacter(secret);
  return isText ? [secret, inJson, encodeURIComponent(secret)] : [secret, inJson];
}
