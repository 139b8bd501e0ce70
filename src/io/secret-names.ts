/**
 * What the name of a field says of its value:
 * - `password`: a secret, also where it is a number;
 * - `secret`: a secret, and everything below it;
 * - `token`: a secret where it is text; an object of that name is more often a description of it;
 * - `tokens`: texts in a list of that name are secrets, and nothing else is: it may as well be a count;
 * - `key`: a secret where it is text that looks like one; most keys are names of things.
 */
export type Secrecy = 'password' | 'secret' | 'token' | 'tokens' | 'key';

const PASSWORD = /(?:password|passwd|passphrase|passcode|(?:recovery|backup|scratch|otp|mfa)codes?)$/;
/** Not `pinCode`, which is a postal code in India. */
const PASSWORD_WORD = /^(?:pass|pw|pin|t?otp|cvv|cvc)$/;
const SECRET = /(?:secret|password|passphrase)s?$/;
const KEY =
  '(?:api|access|private|secret|signing|encryption|master|auth|nonce|loggedin|app|account|webhook|deploy|licen[cs]e|stripe)key';
const TOKEN = new RegExp(`(?:token|authorization|^(?:set|session)?cookie|sess(?:ion)?id|devicecode|${KEY})$`);
const TOKEN_WORD = /^(?:salt|jwt|bearer|session)$/;
const TOKENS = new RegExp(`(?:token|^session|^jwt|${KEY})s$`);

/** Tokens that stand for a place in a list, and one that is to be published in the DNS. */
const PUBLIC_TOKEN =
  /(?:(?:page|next|previous|prev|continuation|cursor|sync|cancel)|^(?:domain|dns|site|txt)?verification)token$/;

/** Keys that everybody may know, and those that find things. */
const PUBLIC_KEY = /(?:public|publishable|site|dkim|idempotency|object|storage|cache|file)keys?$/;

/** Words behind a name that leave its meaning as it is, as in `SECRET_KEY_BASE` or `passwordHash`. */
const TRAILING = /^(?:base|hash|digest|value|text|plain|raw|pem|old|new|current|primary|secondary|v?\d+)$/;

/** The folders of a shell. */
const FOLDERS = /^(?:OLD)?PWD$/;

/** What is known of names: a long list has the same ones in every entry. */
const known = new Map<string, Secrecy | undefined>();
const MOST_KNOWN = 1_000;

/** What a name says of its value; `undefined` for an ordinary one, such as `tokenExpiresAt` or `AWS_ACCESS_KEY_ID`. */
export function secrecyOf(name: string): Secrecy | undefined {
  if (known.has(name)) return known.get(name);
  const secrecy = readName(name);
  if (known.size < MOST_KNOWN) known.set(name, secrecy);
  return secrecy;
}

function readName(name: string): Secrecy | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && TRAILING.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const whole = words.join('').replace(/(?<!\d)\d+$/, '');
  if (PASSWORD.test(whole) || PASSWORD_WORD.test(last) || (last === 'pwd' && !FOLDERS.test(name))) return 'password';
  if (SECRET.test(whole)) return 'secret';
  if (PUBLIC_TOKEN.test(whole)) return undefined;
  if (TOKEN.test(whole) || TOKEN_WORD.test(last)) return 'token';
  if (TOKENS.test(whole)) return 'tokens';
  return /^keys?$/.test(last) && !PUBLIC_KEY.test(whole) ? 'key' : undefined;
}

/** Whether a text is a secret, where its name says this. */
export function hidesText(secrecy: Secrecy | undefined, text: string): boolean {
  if (secrecy === undefined || secrecy === 'tokens' || text === '') return false;
  return secrecy !== 'key' || looksSecret(text);
}

/** Whether a text of this name is a secret, which a list of them is as well. */
export function isSecret(name: string, text: string): boolean {
  const secrecy = secrecyOf(name);
  return secrecy === 'tokens' || hidesText(secrecy, text);
}

/** A long run of capitals, small letters and digits, or of hexadecimal digits; words with hyphens have no capitals. */
function looksSecret(text: string): boolean {
  const mixes = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text));
  return mixes ? /^[\w+=~-]{20,}$/.test(text) : /^[\da-f]{32,}$/i.test(text);
}

/** The last characters of a name are enough to know it by. */
const LONGEST = 100;

/**
 * `DB_PASSWORD`, `dbPassword` and `db-password` are the same two words. Unlike in names of metrics, capitals in a row
 * are cut before the last, so that `DBPass` is known; a cut too many does no harm, as most rules join the words again.
 */
function wordsOf(name: string): string[] {
  return name
    .slice(-LONGEST)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}
