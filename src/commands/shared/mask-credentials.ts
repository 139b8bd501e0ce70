import { asText, isObject } from '../../spec/read.ts';
import type { DatabaseLookup } from '../../spec/types.ts';

/** What stands in place of a password. */
export const MASK = '********';

/** Names of fields whose whole value is a secret, wherever they stand in an answer. */
const SECRET_NAME = /pass(word|wd|phrase)?$|secret|token|private_?key/i;

/** The shortest password that is looked for inside other values; a shorter one would mask ordinary words. */
const SHORTEST_SOUGHT = 4;

/** A database answer with every password masked: in fields of that meaning, inside URLs, and wherever its text recurs. */
export function maskDatabase(answer: DatabaseLookup): DatabaseLookup {
  const sought = passwordsOf(answer);
  return maskValue(answer, '', sought) as DatabaseLookup;
}

/** A text with the password of any URL in it masked. */
export function maskUrls(text: string): string {
  // The password ends at the last @ before the host, because a careless URL may hold one unescaped.
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/[^\s:/?#@]*):([^\s]*)@/gi, `$1:${MASK}@`);
}

function maskValue(value: unknown, name: string, sought: readonly string[]): unknown {
  if (typeof value === 'string') {
    if (SECRET_NAME.test(name)) return value === '' ? value : MASK;
    return sought.reduce((text, password) => text.replaceAll(password, MASK), maskUrls(value));
  }
  if (typeof value === 'number' && SECRET_NAME.test(name)) return MASK;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, name, sought));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValue(item, key, sought)]));
}

function passwordsOf({ password, connectionUrl }: DatabaseLookup): readonly string[] {
  const inUrl = asText(connectionUrl)?.match(/^[a-z][a-z0-9+.-]*:\/\/[^:/?#@]*:(.*)@/i)?.[1];
  const plain = [asText(password), inUrl].filter((text) => text !== undefined);
  const forms = plain.flatMap((text) => [text, decoded(text), encodeURIComponent(text)]);
  return [...new Set(forms)].filter((text) => text.length >= SHORTEST_SOUGHT);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
