import { findStringEnd, replaceNumbers } from '../json/scan.ts';
import { isObject, type JsonObject, RawJson, toJsonText } from '../json/values.ts';
import { splitName } from '../split-name.ts';

/**
 * How the name of a field makes its value secret:
 * - `password`: always, even a number;
 * - `secret`: with everything inside it;
 * - `token`: only text; an object usually describes the token;
 * - `tokens`: only texts in a list; it may also be a count.
 */
type Secrecy = 'password' | 'secret' | 'token' | 'tokens';

/**
 * The first row that matches says it: the words of a name joined (`dbpassword`), or its last word
 * behind a space (` pwd`).
 */
const NAMES = [
  [
    /(?:password|passwd|passphrase|passcode|(?:recovery|backup|scratch|otp|mfa)codes?)$/,
    'password',
  ],
  // Not `pinCode`, which is a postal code in India.
  [/ (?:pass|pw|pwd|pin|t?otp|cvv|cvc)$/, 'password'],
  [/(?:secret|password|passphrase)s?$/, 'secret'],
  // For pagination, and for publication in the DNS.
  [/(?:page|next|previous|prev|continuation|cursor|sync|cancel)token$/, undefined],
  [/^(?:domain|dns|site|txt)?verificationtoken$/, undefined],
  // Public keys, and keys that find things.
  [/(?:public|publishable|site|dkim|idempotency|object|storage|cache|file)keys?$/, undefined],
  [/(?:primary|foreign|sort|partition)keys?$/, undefined],
  [/(?:token|authorization|^(?:set|session)?cookie|sess(?:ion)?id|devicecode)$/, 'token'],
  [/ (?:salt|jwt|bearer|session|(?:api|access|private|secret)?key)$/, 'token'],
  [/(?:token|^session|^jwt)s$| (?:api|access|private|secret)?keys$/, 'tokens'],
] as const;

/** Words behind that of the secret, as in `SECRET_KEY_BASE` or `passwordHash`. */
const TRAILING =
  /^(?:base|hash|digest|value|text|plain|raw|pem|old|new|current|primary|secondary|v?\d+)$/;

const SHELL_FOLDERS = /^(?:OLD)?PWD$/;

/** Lists repeat the same names. */
const cache = new Map<string, Secrecy | undefined>();
const MAX_CACHED = 1_000;

/** Returns `undefined` for an ordinary name, such as `tokenExpiresAt` or `AWS_ACCESS_KEY_ID`. */
export function getSecrecy(name: string): Secrecy | undefined {
  if (cache.has(name)) return cache.get(name);
  const secrecy = SHELL_FOLDERS.test(name) ? undefined : readName(name);
  if (cache.size < MAX_CACHED) cache.set(name, secrecy);
  return secrecy;
}

function readName(name: string): Secrecy | undefined {
  // `DB_PASSWORD`, `dbPassword` and `DBPass` have two words each. A split too many does no harm.
  const words = splitName(name.slice(-100));
  while (words.length > 1 && TRAILING.test(words.at(-1) ?? '')) words.pop();
  const joined = words.join('').replace(/(?<!\d)\d+$/, '');
  const last = ` ${words.at(-1)}`;
  return NAMES.find(([pattern]) => pattern.test(joined) || pattern.test(last))?.[1];
}

function isSecretText(secrecy: Secrecy | undefined, text: string): boolean {
  return secrecy !== undefined && secrecy !== 'tokens' && text !== '';
}

/** Under a name such as `tokens` a text is a list of secrets. */
export function isSecret(name: string, text: string): boolean {
  const secrecy = getSecrecy(name);
  return secrecy === 'tokens' || isSecretText(secrecy, text);
}

/** Stands for a hidden secret, whatever its length. */
export const MASK = '********';

/** Passwords in URL parameters and in connection strings such as `host=… password=…`. */
const PASSWORD_PARAMETER =
  /((?:password|passwd|passphrase|[a-z_]pwd|\bpwd(?!=\/)|AccountKey|SharedAccessKey)\s*=\s*)(?!\*{8})('[^']*'|"[^"]*"|[^\s;&]+)/gi;

const HEADER = /(\bauthorization:\s*(?:bearer|basic|token)\s+)(?!\*{8})\S+/gi;

/** Variables as in a shell or `.env` file; `<token>` and `$TOKEN` are placeholders. */
const VARIABLE = /\b([A-Z][A-Z0-9_]*)=(?!<|…|\$[A-Z{(]|\*{8})('[^']*'|"[^"]*"|\S+)/g;

/** The start of a JSON string field inside a text. */
const JSON_FIELD = /"([\w.-]{1,60})"\s*:\s*"/g;

/** Tokens known by their prefix: Stripe, GitHub, GitLab, Slack, SendGrid, JWT. */
const TOKEN =
  /(?<![\w-])(?:[rs]k_(?:live|test)_\w{8,}|whsec_\w{8,}|gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/g;

const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)[\s\S]*?(?:(?=-----END)|$)/g;

/** Masks passwords, tokens, private keys, and variables and JSON fields with secret names. */
export function maskText(text: string): string {
  // No pattern can match most texts.
  if (!/[=:_-]|eyJ|SG\./i.test(text)) return text;
  return maskJsonFields(
    maskUrls(text)
      .replace(PASSWORD_PARAMETER, `$1${MASK}`)
      .replace(HEADER, `$1${MASK}`)
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
    const end = findStringEnd(text, start);
    if (end === text.length) break;
    if (end === start || !isSecret(name, text.slice(start, end))) continue;
    masked += text.slice(done, start) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}

/** White space, the end of a JSON string, and where another URL begins as a parameter. */
const BETWEEN_URLS = /(\s|"(?=[,:}\]])|(?<=[=,;([{<'|])(?=[a-z\d+.-]{1,40}:\/\/))/i;

function maskUrls(text: string): string {
  return text.includes('://') ? text.split(BETWEEN_URLS).map(maskUrl).join('') : text;
}

/**
 * A password ends at the last `@`, as it may contain others, or at the `…` where the URL was cut.
 */
function maskUrl(url = ''): string {
  const start = url.indexOf('://');
  const colon = url.indexOf(':', start + 3);
  const last = Math.max(url.lastIndexOf('@'), url.lastIndexOf('…'));
  if (start < 1 || colon === -1 || colon > last || url.startsWith(`${MASK}@`, colon + 1)) {
    return url;
  }
  const user = url.slice(start + 3, colon);
  const password = url.slice(colon + 1, last);
  const isWeb = /(?:^|[^a-z\d+.-])(?:https?|wss?)$/i.test(url.slice(0, start));
  const isPort = /^\d{1,5}(?:[/?#]|$)/.test(password);
  if (isPort && (isWeb || user.includes('@') || url[last] === '…')) return url;
  // `https://host/a:b@c` has a path; database URLs may have such users and passwords.
  if (isWeb && /[/?#]/.test(user)) return url;
  // After an @ before the first path separator, later ones belong to the path.
  const beforePath = isWeb ? /^[^/?#]*(?=@[^/?#@]*[/?#])/.exec(password)?.[0] : undefined;
  const { length } = beforePath ?? password;
  return url.slice(0, colon + 1) + MASK + url.slice(colon + 1 + length);
}

/** Fields that only describe a secret around them. */
const DESCRIBES =
  /^(?:id|name|label|title|description|type|kind|status|state|provider|version)$|(?:At|_at|Id|_id|On)$/;
const CONTAINS_TOKEN = /^(?:value|key|plain\w*|raw|data|content|text|hash)$/i;

/** The fields of a pair such as `{ "name": "DB_PASSWORD", "value": "…" }`. */
const PAIR_NAMES = ['name', 'key', 'variable', 'env', 'header', 'field'];
const PAIR_VALUES = ['value', 'val', 'content', 'data', 'default', 'defaultValue'];
const PAIR_FLAGS = ['secret', 'isSecret', 'sensitive', 'isSensitive'];

/**
 * Masks values with secret names, and secrets within text. Returns the same value if it has none.
 */
export function maskSecrets(value: unknown, secrecy?: Secrecy): unknown {
  if (typeof value === 'string') return isSecretText(secrecy, value) ? MASK : maskText(value);
  if (typeof value === 'number' || value instanceof RawJson) {
    return secrecy === 'password' ? MASK : value;
  }
  if (Array.isArray(value)) {
    const masked = value.map((item) => maskSecrets(item, secrecy === 'tokens' ? 'token' : secrecy));
    return masked.some((item, index) => item !== value[index]) ? masked : value;
  }
  return isObject(value) ? maskObject(value, secrecy) : value;
}

/** Masks secrets in JSON text. Returns the same text if it has none; numbers stay as written. */
export function maskJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return maskSecrets(value) === value ? text : toJsonText(maskSecrets(withRawNumbers(text)));
}

function maskObject(object: JsonObject, secrecy: Secrecy | undefined): JsonObject {
  const pairSecrecy = getPairSecrecy(object);
  // The `key` of a pair is its name.
  const isPair = PAIR_VALUES.some((name) => Object.hasOwn(object, name));
  const entries = Object.entries(object).map(([name, field]) => {
    const valueSecrecy = PAIR_VALUES.includes(name) ? pairSecrecy : undefined;
    const nameSecrecy = name === 'key' && isPair ? undefined : getSecrecy(name);
    const own = valueSecrecy ?? nameSecrecy ?? inheritSecrecy(name, secrecy);
    return [name, maskSecrets(field, own)] as const;
  });
  return entries.some(([name, masked]) => masked !== object[name])
    ? Object.fromEntries(entries)
    : object;
}

function getPairSecrecy(object: JsonObject): Secrecy | undefined {
  if (PAIR_FLAGS.some((name) => object[name] === true)) return 'secret';
  return getSecrecy(
    PAIR_NAMES.map((field) => object[field]).find((field) => typeof field === 'string') ?? '',
  );
}

function inheritSecrecy(name: string, secrecy: Secrecy | undefined): Secrecy | undefined {
  if (secrecy === 'token') return CONTAINS_TOKEN.test(name) ? secrecy : undefined;
  return secrecy === 'tokens' || DESCRIBES.test(name) ? undefined : secrecy;
}

const NUMBER_FIELD = '\u0000number';

/** Keeps numbers as text: JavaScript would round long ones, and write 1.1 for `1.10`. */
function withRawNumbers(text: string): unknown {
  const marked = replaceNumbers(text, (number) => JSON.stringify({ [NUMBER_FIELD]: number }));
  return JSON.parse(marked, (_name, value: unknown) => {
    const number = isObject(value) ? value[NUMBER_FIELD] : undefined;
    return typeof number === 'string' && /^-?\d[\d.eE+-]*$/.test(number)
      ? new RawJson(number)
      : value;
  });
}
