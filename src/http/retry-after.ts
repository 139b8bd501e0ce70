/** The form of a date that RFC 9110 prefers (5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The milliseconds that a `Retry-After` asks to wait (RFC 9110, 10.2.3): 1 to 9 digits, or a date in the preferred
 * form, counted from the answer's own `Date` so that a wrong local clock does not matter.
 * `undefined` where there is none or it is written any other way.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const untilMs = parseHttpDate(text);
  if (untilMs === undefined) return undefined;
  return Math.max(0, untilMs - (parseHttpDate(headers['date']) ?? nowMs));
}

/** The instant of an IMF-fixdate, in milliseconds since the epoch; `undefined` for anything else, also a date that does not exist. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !IMF_FIXDATE.test(text)) return undefined;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : undefined;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A wait that the service asks for, as people say it: `text` follows "asks to wait", and `whenOver` follows what to do when it
 * is over. A wait of days is the day (UTC) on which it ends.
 */
export function waitInWords(seconds: number, nowMs: number): { readonly text: string; readonly whenOver: string } {
  if (seconds < 2 * DAY) {
    const text = lengthInWords(seconds);
    return { text, whenOver: `in ${text}` };
  }
  const day = new Date(nowMs + seconds * 1000).toISOString().slice(0, 10);
  return { text: `until ${day}`, whenOver: `after ${day}: the service asks to wait until then` };
}

function lengthInWords(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`;
  return `${Math.ceil(seconds / HOUR)} hours`;
}
