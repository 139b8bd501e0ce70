import { asText, isObject } from '../../spec/read.ts';
import type { DatabaseLookup } from '../../spec/types.ts';

/** What stands in place of a password. */
export const MASK = '********';

/** Names of fields whose whole value is a secret, wherever they stand in an answer. */
const SECRET_NAME = /pass(word|wd|phrase)?$|secret|token|(private|access|api)_?key/i;

/** The password of a URL ends at the last @, because a careless URL may hold one unescaped. */
const PASSWORD_OF_URL = /([a-z][a-z0-9+.-]*:\/\/[^\s:]*):(\S*)@/gi;

/** A password among the parameters of a URL or in a connection string such as `host=… password=…`. */
const PASSWORD_PARAMETER = /([a-z_]*(?:password|passwd|pwd|passphrase)\s*=\s*)('[^']*'|"[^"]*"|[^\s;&]+)/gi;

/** The shortest password that is looked for inside other values; a shorter one would mask ordinary words. */
const SHORTEST_SOUGHT = 4;

/** A database answer with every password masked: in fields of that meaning, inside URLs, and wherever its text recurs. */
export function maskDatabase(answer: DatabaseLookup): DatabaseLookup {
  return maskValue(answer, false, passwordsOf(answer)) as DatabaseLookup;
}

/** A text with the passwords of any URL or connection string in it masked. */
export function maskUrls(text: string): string {
  return text.replace(PASSWORD_OF_URL, `$1:${MASK}@`).replace(PASSWORD_PARAMETER, `$1${MASK}`);
}

function maskValue(value: unknown, isSecret: boolean, sought: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => maskValue(item, isSecret, sought));
  if (isObject(value)) {
    const masked = Object.entries(value).map(
      ([name, item]) => [name, maskValue(item, isSecret || SECRET_NAME.test(name), sought)] as const,
    );
    return Object.fromEntries(masked);
  }
  if (isSecret) return asText(value) === undefined ? value : MASK;
  return typeof value === 'string'
    ? sought.reduce((text, word) => text.replaceAll(word, MASK), maskUrls(value))
    : value;
}

/** Every spelling of the password that may recur, the longest first, so that none leaves a part of another behind. */
function passwordsOf({ password, connectionUrl }: DatabaseLookup): readonly string[] {
  const inUrl = asText(connectionUrl)?.match(/^[a-z][a-z0-9+.-]*:\/\/[^:]*:(.*)@/i)?.[1];
  const plain = [asText(password), inUrl].filter((text) => text !== undefined);
  const forms = plain.flatMap((text) => [text, decoded(text), encoded(text)]);
  return [...new Set(forms)].filter((text) => text.length >= SHORTEST_SOUGHT).sort((a, b) => b.length - a.length);
}

/** Half a character cannot be encoded, and is not found in a URL either. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
