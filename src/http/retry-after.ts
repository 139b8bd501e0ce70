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
