import { endOfString } from '../json/tokens.ts';

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
const TOKEN_NAME = new RegExp(`(?:token|authorization|^(?:set|session)?cookie|sess(?:ion)?id|devicecode|${KEY})$`);
const TOKEN_WORD = /^(?:salt|jwt|bearer|session)$/;
const TOKENS_NAME = new RegExp(`(?:token|^session|^jwt|${KEY})s$`);

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
  if (TOKEN_NAME.test(whole) || TOKEN_WORD.test(last)) return 'token';
  if (TOKENS_NAME.test(whole)) return 'tokens';
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

/** What stands in place of a secret. */
export const MASK = '********';

/** A scheme is not longer. */
const LONGEST_SCHEME = 40;
const IN_SCHEME = /[a-z0-9+.-]/i;
const WEB = /^(?:https?|wss?)$/i;

/** A URL ends at a space, and where a field of JSON does. */
const END = /\s|"(?=[,:}\]])/g;

/** A piece of text without spaces. */
interface Run {
  readonly end: number;
  /** Where its last @ is, which ends a password as a careless URL may hold one unescaped; or the `…` of one that was cut. */
  readonly last: number;
}

/** A text with the passwords of its URLs masked. Each character is looked at a few times, whatever the text. */
function maskUrls(text: string): string {
  let masked = '';
  let done = 0;
  let run: Run = { end: 0, last: -1 };
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', Math.max(at + 3, done))) {
    if (at >= run.end) run = runFrom(text, at);
    const colon = text.indexOf(':', at + 3);
    const scheme = schemeBefore(text, at);
    if (scheme === '' || colon === -1 || colon > run.last || text.startsWith(`${MASK}@`, colon + 1)) continue;
    const password = text.slice(colon + 1, run.last);
    const length = lengthOfPassword(scheme, text.slice(at + 3, colon), password, text[run.last] === '…');
    if (length === undefined) continue;
    masked += text.slice(done, colon + 1) + MASK;
    done = colon + 1 + length;
  }
  return masked + text.slice(done);
}

function runFrom(text: string, start: number): Run {
  END.lastIndex = start;
  const end = END.exec(text)?.index ?? text.length;
  const piece = text.slice(start, end);
  return { end, last: start + Math.max(piece.lastIndexOf('@'), piece.lastIndexOf('…')) };
}

function schemeBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < LONGEST_SCHEME && IN_SCHEME.test(text[start - 1] ?? '')) start -= 1;
  return text.slice(start, end);
}

/**
 * How much of what may be a password is one. `https://host:8080/@x` has a port, and `https://host/a:b@c` a path; a
 * database may well have such a password.
 */
function lengthOfPassword(scheme: string, user: string, password: string, isCut: boolean): number | undefined {
  const isWeb = WEB.test(scheme);
  const isPort = /^\d{1,5}(?:[/?#]|$)/.test(password);
  if (isPort && (isWeb || user.includes('@') || isCut)) return undefined;
  if (!isWeb) return password.length;
  if (/[/?#]/.test(user)) return undefined;
  // A later @ belongs to the path where there is one before it.
  return /^[^/?#]*(?=@[^/?#@]*[/?#])/.exec(password)?.[0].length ?? password.length;
}

/** A password among the parameters of a URL or in a connection string such as `host=… password=…`. */
const PASSWORD_PARAMETER =
  /((?:password|passwd|passphrase|[a-z_]pwd|\bpwd(?!=\/)|AccountKey|SharedAccessKey)\s*=\s*)(?!\*{8})('[^']*'|"[^"]*"|[^\s;&]+)/gi;

/** `The new password is …`, where what follows looks like one and not like a word about it. */
const PASSWORD_SAID = /\b((?:password|passphrase)(?:\s+is|:)\s+)(?!\*{8})(?=\S*[a-z])(?=\S*[\d!#$%^&*])\S{6,}/gi;

const HEADER = /(\bauthorization:\s*(?:bearer|basic|token)\s+)(?!\*{8})\S+/gi;

/** A variable as a shell or a `.env` file writes it; `<token>` and `$TOKEN` only stand for a value. */
const VARIABLE = /\b([A-Z][A-Z0-9_]*)=(?!<|…|\$[A-Z{(]|\*{8})('[^']*'|"[^"]*"|\S+)/g;

/** The beginning of a field of JSON that stands inside a text. */
const JSON_FIELD = /"([\w.-]{1,60})"\s*:\s*"/g;

/** A database client on a command line, and the password that it takes there; `-p3306:3306` maps a port. */
const CLIENT = /\b(?:mysql|mariadb)[^\n]*/g;
const CLIENT_PASSWORD = /(\s-p)(?!\*{8}|\d+:\d)('[^']*'|"[^"]*"|[^\s'"]+)/g;

/** Tokens that can be told by their beginning: Stripe, GitHub, GitLab, Slack, SendGrid, and JWTs. */
const TOKEN =
  /(?<![\w-])(?:[rs]k_(?:live|test)_\w{8,}|whsec_\w{8,}|gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/g;

const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)[\s\S]*?(?:(?=-----END)|$)/g;

/** A text with its secrets masked: passwords of URLs and connection strings, variables and JSON of such names, tokens, keys. */
export function maskText(text: string): string {
  // Nearly every text has none of the signs that the patterns look for.
  if (!/[=:_-]|pass|eyJ|SG\./i.test(text)) return text;
  return maskJsonFields(
    maskUrls(text)
      .replace(PASSWORD_PARAMETER, `$1${MASK}`)
      .replace(PASSWORD_SAID, `$1${MASK}`)
      .replace(HEADER, `$1${MASK}`)
      .replace(CLIENT, (line) => line.replace(CLIENT_PASSWORD, `$1${MASK}`))
      .replace(VARIABLE, (whole: string, name: string, value: string) =>
        isSecret(name, value) ? `${name}=${MASK}` : whole,
      ),
  )
    .replace(TOKEN, MASK)
    .replace(PRIVATE_KEY, `$1 ${MASK} `);
}

function maskJsonFields(text: string): string {
  let masked = '';
  let done = 0;
  for (const { 0: head, 1: name = '', index } of text.matchAll(JSON_FIELD)) {
    if (index < done) continue;
    const start = index + head.length;
    const end = endOfString(text, start);
    if (end === text.length) break;
    if (end === start || !isSecret(name, text.slice(start, end))) continue;
    masked += text.slice(done, start) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}
