import { endOfString } from '../spec/json-tokens.ts';
import { MASK, maskUrls } from './mask-urls.ts';
import { isSecret } from './secret-names.ts';

export { MASK } from './mask-urls.ts';

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
