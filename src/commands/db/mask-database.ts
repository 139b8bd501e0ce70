import { maskSecrets } from '../../io/mask.ts';
import { MASK } from '../../io/mask-text.ts';
import { asText, isObject } from '../../spec/read.ts';
import type { DatabaseLookup } from '../../spec/types.ts';
import { decoded, encoded } from './connection.ts';

/** The shortest password that is looked for inside other values; a shorter one would mask ordinary words. */
const SHORTEST_SOUGHT = 4;

/** A database answer as people may see it, with the password masked wherever else its text recurs. */
export function maskDatabase(answer: DatabaseLookup): DatabaseLookup {
  return maskSecrets(without(passwordsOf(answer), answer)) as DatabaseLookup;
}

function without(passwords: readonly string[], value: unknown): unknown {
  if (typeof value === 'string') return passwords.reduce((text, word) => text.replaceAll(word, MASK), value);
  if (Array.isArray(value)) return value.map((item) => without(passwords, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, without(passwords, item)]));
}

/** Every spelling of the password that may recur, the longest first, so that none leaves a part of another behind. */
function passwordsOf({ password, connectionUrl }: DatabaseLookup): readonly string[] {
  const inUrl = asText(connectionUrl)?.match(/^[a-z][a-z0-9+.-]*:\/\/[^:]*:(.*)@/i)?.[1];
  const plain = [asText(password), inUrl].filter((text) => text !== undefined);
  const forms = plain.flatMap((text) => [text, decoded(text), encoded(text)]);
  return [...new Set(forms)].filter((text) => text.length >= SHORTEST_SOUGHT).sort((a, b) => b.length - a.length);
}
