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
export function maskUrls(text: string): string {
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
