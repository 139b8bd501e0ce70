/**
 * What the name of a field says of its value:
 * - `password`: a secret, also where it is a number;
 * - `secret`: a secret, and everything below it;
 * - `token`: a secret where it is text; an object of that name is more often a description of it;
 * - `tokens`: texts in a list of that name are secrets, and nothing else is: it may as well be a count.
 */
export type Secrecy = 'password' | 'secret' | 'token' | 'tokens';

const PASSWORD = /(?:password|passwd|passphrase|passcode)$/;
const SECRET = /(?:secret|password|passphrase)s?$/;
const KEY = '(?:api|access|private|secret|signing|encryption|master|auth|nonce|loggedin|app|account|webhook|deploy)key';
const TOKEN = new RegExp(`(?:token|authorization|^(?:set|session)?cookie|${KEY})$`);
const TOKENS = new RegExp(`(?:token|${KEY})s$`);

/** Tokens that stand for a place in a list. */
const PLACE_TOKEN = /(?:page|next|previous|prev|continuation|cursor|sync|cancel)token$/;

/** Words behind a name that leave its meaning as it is, as in `SECRET_KEY_BASE` or `passwordHash`. */
const TRAILING = /^(?:base|hash|digest|value|text|plain|raw|pem|old|new|current|primary|secondary|v?\d+)$/;

/** The folders of a shell. */
const FOLDERS = /^(?:OLD)?PWD$/;

/** What a name says of its value; `undefined` for an ordinary one, such as `tokenExpiresAt` or `AWS_ACCESS_KEY_ID`. */
export function secrecyOf(name: string): Secrecy | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && TRAILING.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const whole = words.join('').replace(/\d+$/, '');
  if (PASSWORD.test(whole) || last === 'pass' || (last === 'pwd' && !FOLDERS.test(name))) return 'password';
  if (SECRET.test(whole)) return 'secret';
  if (PLACE_TOKEN.test(whole)) return undefined;
  if (TOKEN.test(whole) || last === 'salt') return 'token';
  return TOKENS.test(whole) ? 'tokens' : undefined;
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
