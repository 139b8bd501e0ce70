import { secrecyOf } from './secret-names.ts';

/** What stands in place of a secret. */
export const MASK = '********';

/**
 * A URL with a password, which ends at the last @ because a careless URL may hold one unescaped; and one that was cut
 * before its end, with `…`. It ends where a field of JSON does. What is masked already is passed by. The limits keep the
 * search quick in any text.
 */
const PASSWORD_OF_URL = /([a-z0-9+.-]{1,40}):\/\/([^\s:]*):(?!\*{8}@)((?:(?!"[,:}\]])\S){0,2000})([@…])/gi;

/** A password among the parameters of a URL or in a connection string such as `host=… password=…`. */
const PASSWORD_PARAMETER =
  /((?:password|passwd|passphrase|[a-z_]pwd|\bpwd(?!=\/)|AccountKey|SharedAccessKey)\s*=\s*)(?!\*{8})('[^']*'|"[^"]*"|[^\s;&]+)/gi;

/** `The new password is …`, where what follows looks like one and not like a word about it. */
const PASSWORD_SAID = /\b((?:password|passphrase)(?:\s+is|:)\s+)(?!\*{8})(?=\S*[a-z])(?=\S*[\d!#$%^&*])\S{6,}/gi;

const HEADER = /(\bauthorization:\s*(?:bearer|basic|token)\s+)(?!\*{8})\S+/gi;

/** A variable as a shell or a `.env` file writes it; `<token>` and `$TOKEN` only stand for a value. */
const VARIABLE = /\b([A-Z][A-Z0-9_]*)=(?!<|…|\$[A-Z{(]|\*{8})('[^']*'|"[^"]*"|\S+)/g;

/** A field of JSON that stands inside a text. */
const JSON_FIELD = /"([\w.-]{1,60})"(\s*:\s*)"((?:[^"\\]|\\.)+)"/g;

const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)[\s\S]*?(?:(?=-----END)|$)/g;

/** A text with its secrets masked: passwords of URLs and connection strings, variables and JSON of such names, private keys. */
export function maskText(text: string): string {
  // Nearly every text has none of the signs that the patterns look for.
  if (!/[=:]|-----|pass/i.test(text)) return text;
  return text
    .replace(PASSWORD_OF_URL, maskUrl)
    .replace(PASSWORD_PARAMETER, `$1${MASK}`)
    .replace(PASSWORD_SAID, `$1${MASK}`)
    .replace(HEADER, `$1${MASK}`)
    .replace(VARIABLE, (whole: string, name: string) => (secrecyOf(name) ? `${name}=${MASK}` : whole))
    .replace(JSON_FIELD, (whole: string, name: string, colon: string) =>
      secrecyOf(name) ? `"${name}"${colon}"${MASK}"` : whole,
    )
    .replace(PRIVATE_KEY, `$1 ${MASK} `);
}

const WEB = /^(?:https?|wss?)$/i;

/** `https://host:8080/@x` has a port, and `https://host/a:b@c` a path; a database may well have such a password. */
function maskUrl(whole: string, scheme: string, user: string, password: string, end: string): string {
  const isWeb = WEB.test(scheme);
  const isPort = /^\d{1,5}(?:[/?#]|$)/.test(password);
  if (isPort && (isWeb || user.includes('@') || end === '…')) return whole;
  if (isWeb && /[/?#]/.test(user)) return whole;
  // A later @ belongs to the path where there is one before it.
  const before = isWeb ? /^[^/?#]*(?=@[^/?#@]*[/?#])/.exec(password)?.[0] : undefined;
  const rest = before === undefined ? end : maskText(password.slice(before.length) + end);
  return `${scheme}://${user}:${MASK}${rest}`;
}
