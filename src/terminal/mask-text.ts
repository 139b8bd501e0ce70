import { endOfString } from '../json/scan.ts';

/**
 * How the name of a field makes its value secret:
 * - `password`: always, even a number;
 * - `secret`: with everything inside it;
 * - `token`: only text; an object usually describes the token;
 * - `tokens`: only texts in a list; it may also be a count;
 * - `key`: only text that looks random; most keys are names.
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

/** Tokens for pagination, and for publication in the DNS. */
const PUBLIC_TOKEN =
  /(?:(?:page|next|previous|prev|continuation|cursor|sync|cancel)|^(?:domain|dns|site|txt)?verification)token$/;

/** Public keys, and keys that find things. */
const PUBLIC_KEY = /(?:public|publishable|site|dkim|idempotency|object|storage|cache|file)keys?$/;

/** Trailing words that do not change the meaning, as in `SECRET_KEY_BASE` or `passwordHash`. */
const TRAILING = /^(?:base|hash|digest|value|text|plain|raw|pem|old|new|current|primary|secondary|v?\d+)$/;

const SHELL_FOLDERS = /^(?:OLD)?PWD$/;

/** Long lists repeat the same names. */
const cache = new Map<string, Secrecy | undefined>();
const MAX_CACHED = 1_000;

/** Returns `undefined` for an ordinary name, such as `tokenExpiresAt` or `AWS_ACCESS_KEY_ID`. */
export function secrecyOf(name: string): Secrecy | undefined {
  if (cache.has(name)) return cache.get(name);
  const secrecy = readName(name);
  if (cache.size < MAX_CACHED) cache.set(name, secrecy);
  return secrecy;
}

function readName(name: string): Secrecy | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && TRAILING.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const whole = words.join('').replace(/(?<!\d)\d+$/, '');
  if (PASSWORD.test(whole) || PASSWORD_WORD.test(last) || (last === 'pwd' && !SHELL_FOLDERS.test(name)))
    return 'password';
  if (SECRET.test(whole)) return 'secret';
  if (PUBLIC_TOKEN.test(whole)) return undefined;
  if (TOKEN_NAME.test(whole) || TOKEN_WORD.test(last)) return 'token';
  if (TOKENS_NAME.test(whole)) return 'tokens';
  return /^keys?$/.test(last) && !PUBLIC_KEY.test(whole) ? 'key' : undefined;
}

/** Returns true if a text is secret under a name of this secrecy. */
export function isSecretText(secrecy: Secrecy | undefined, text: string): boolean {
  if (secrecy === undefined || secrecy === 'tokens' || text === '') return false;
  return secrecy !== 'key' || looksRandom(text);
}

/** Like {@link isSecretText}; under a name such as `tokens` the text is a list of secrets. */
export function isSecret(name: string, text: string): boolean {
  const secrecy = secrecyOf(name);
  return secrecy === 'tokens' || isSecretText(secrecy, text);
}

/** Matches 20 or more mixed capitals, small letters and digits, or 32 or more hexadecimal digits. */
function looksRandom(text: string): boolean {
  const mixes = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text));
  return mixes ? /^[\w+=~-]{20,}$/.test(text) : /^[\da-f]{32,}$/i.test(text);
}

/** Only the end of a name decides. */
const MAX_NAME = 100;

/**
 * Splits `DB_PASSWORD`, `dbPassword` and `DBPass` into two words each. A split too many does no harm, because most rules
 * join the words again.
 */
function wordsOf(name: string): string[] {
  return name
    .slice(-MAX_NAME)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

/** Stands for a hidden secret, whatever its length. */
export const MASK = '********';

/** Passwords in URL parameters and in connection strings such as `host=… password=…`. */
const PASSWORD_PARAMETER =
  /((?:password|passwd|passphrase|[a-z_]pwd|\bpwd(?!=\/)|AccountKey|SharedAccessKey)\s*=\s*)(?!\*{8})('[^']*'|"[^"]*"|[^\s;&]+)/gi;

/** `The new password is …`, followed by a letter and a digit or sign, unlike a plain word. */
const PASSWORD_IN_SENTENCE = /\b((?:password|passphrase)(?:\s+is|:)\s+)(?!\*{8})(?=\S*[a-z])(?=\S*[\d!#$%^&*])\S{6,}/gi;

const HEADER = /(\bauthorization:\s*(?:bearer|basic|token)\s+)(?!\*{8})\S+/gi;

/** Variables as in a shell or `.env` file; `<token>` and `$TOKEN` are placeholders. */
const VARIABLE = /\b([A-Z][A-Z0-9_]*)=(?!<|…|\$[A-Z{(]|\*{8})('[^']*'|"[^"]*"|\S+)/g;

/** The start of a JSON string field inside a text. */
const JSON_FIELD = /"([\w.-]{1,60})"\s*:\s*"/g;

/** Database clients and their password option; `-p3306:3306` maps a port. */
const CLIENT = /\b(?:mysql|mariadb)[^\n]*/g;
const CLIENT_PASSWORD = /(\s-p)(?!\*{8}|\d+:\d)('[^']*'|"[^"]*"|[^\s'"]+)/g;

/** Tokens known by their prefix: Stripe, GitHub, GitLab, Slack, SendGrid, JWT. */
const TOKEN =
  /(?<![\w-])(?:[rs]k_(?:live|test)_\w{8,}|whsec_\w{8,}|gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/g;

const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)[\s\S]*?(?:(?=-----END)|$)/g;

/** Masks passwords in URLs and connection strings, variables and JSON fields with secret names, tokens, private keys. */
export function maskText(text: string): string {
  // Skip texts that no pattern can match, which is most of them.
  if (!/[=:_-]|pass|eyJ|SG\./i.test(text)) return text;
  return maskJsonFields(
    maskUrls(text)
      .replace(PASSWORD_PARAMETER, `$1${MASK}`)
      .replace(PASSWORD_IN_SENTENCE, `$1${MASK}`)
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

const MAX_SCHEME = 40;
const IN_SCHEME = /[a-z0-9+.-]/i;
const WEB = /^(?:https?|wss?)$/i;

/** URLs end at white space and at the end of a JSON string. */
const URL_END = /\s|"(?=[,:}\]])/g;

/** Masks the passwords of URLs in linear time. */
function maskUrls(text: string): string {
  let masked = '';
  let done = 0;
  let run = { end: 0, last: -1 };
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

/** Finds the end of a URL, and its last `@`, as passwords may contain others, or the `…` of a URL that was cut. */
function runFrom(text: string, start: number) {
  URL_END.lastIndex = start;
  const end = URL_END.exec(text)?.index ?? text.length;
  const piece = text.slice(start, end);
  return { end, last: start + Math.max(piece.lastIndexOf('@'), piece.lastIndexOf('…')) };
}

function schemeBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < MAX_SCHEME && IN_SCHEME.test(text[start - 1] ?? '')) start -= 1;
  return text.slice(start, end);
}

/**
 * Returns the length of a password, or `undefined` if it is none: `https://host:8080/@x` has a port, and
 * `https://host/a:b@c` a path. Database URLs may have such passwords.
 */
function lengthOfPassword(scheme: string, user: string, password: string, isCut: boolean): number | undefined {
  const isWeb = WEB.test(scheme);
  const isPort = /^\d{1,5}(?:[/?#]|$)/.test(password);
  if (isPort && (isWeb || user.includes('@') || isCut)) return undefined;
  if (!isWeb) return password.length;
  if (/[/?#]/.test(user)) return undefined;
  // After an @ before the first path separator, later ones belong to the path.
  return /^[^/?#]*(?=@[^/?#@]*[/?#])/.exec(password)?.[0].length ?? password.length;
}
