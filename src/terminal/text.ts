/** The meaning of a piece of text. The renderer chooses the colour; words must carry the meaning without it. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad' | 'accent' | 'link' | 'code' | 'badge';

export interface Styled {
  readonly text: string;
  readonly tone: Tone;
  /** The URL of a link. */
  readonly href?: string;
  /** Milliseconds since the epoch; terminals show it as local time with the distance from now. */
  readonly at?: number;
  /** Terminals show only the day of the instant. */
  readonly isDay?: boolean;
}

/** Text to show. Raw text from anywhere is safe, because the renderer escapes it. */
export type Text = string | Styled | readonly (string | Styled)[];

export function piecesOf(text: Text): readonly (string | Styled)[] {
  return isList(text) ? text : [text];
}

export function plainOf(text: Text): string {
  return piecesOf(text)
    .map((piece) => (typeof piece === 'string' ? piece : piece.text))
    .join('');
}

export function strong(text: string): Styled {
  return { text, tone: 'strong' };
}

export function dim(text: string): Styled {
  return { text, tone: 'dim' };
}

/** For the one text of a screen that must be seen first. */
export function badge(text: string): Styled {
  return { text, tone: 'badge' };
}

/** For commands, flags and ids. */
export function code(text: string): Styled {
  return { text, tone: 'code' };
}

export function link(url: string): Styled {
  return { text: url, tone: 'link', href: url };
}

/**
 * Takes an ISO 8601 text or milliseconds since the epoch. Pipes get ISO 8601, terminals local time and the distance from
 * now. Any other value is shown unchanged.
 */
export function date(value: unknown): Styled {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(new Date(at).getTime())) return { text: String(value ?? ''), tone: 'plain' };
  return { text: typeof value === 'string' ? value : new Date(at).toISOString(), tone: 'plain', at };
}

/** Like {@link date}, but terminals show the day alone: `18 Feb 2027`. */
export function day(value: unknown): Styled {
  return { ...date(value), isDay: true };
}

const GOOD = new Set(
  'live active available completed succeeded success done finished enabled ready running healthy ok'.split(' '),
);
const BAD = new Set('failed error errored cancelled canceled timed_out crashed expired suspended unhealthy'.split(' '));
const IN_PROGRESS = new Set(
  'pending queued building deploying provisioning starting processing in_progress paused'.split(' '),
);

/** Colours a state of the service, such as `live`, by its meaning. */
export function state(word: string): Styled {
  const known = word.toLowerCase();
  const tone: Tone = GOOD.has(known) ? 'good' : BAD.has(known) ? 'bad' : IN_PROGRESS.has(known) ? 'warn' : 'plain';
  return { text: word, tone };
}

/** Formats any JSON value: `yes`/`no` for booleans, `none` for null, compact JSON for objects and arrays. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isList(text: Text): text is readonly (string | Styled)[] {
  return Array.isArray(text);
}
