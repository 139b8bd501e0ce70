/** How a piece of text is meant; the renderer chooses the colour, and words carry the meaning without it. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad' | 'accent' | 'link' | 'code';

/** A piece of text with a meaning. */
export interface Styled {
  readonly text: string;
  readonly tone: Tone;
  /** Where a link leads, when the text is something else than the address. */
  readonly href?: string;
  /** An instant in milliseconds since the epoch: terminals show it in local time and say how far away it is. */
  readonly at?: number;
}

/** What may be shown: raw text from anywhere is safe here, because the renderer escapes it. */
export type Text = string | Styled | readonly (string | Styled)[];

/** The pieces of a text, in order. */
export function piecesOf(text: Text): readonly (string | Styled)[] {
  return typeof text === 'string' || !isList(text) ? [text] : text;
}

/** The words of a text without their tones. */
export function plainOf(text: Text): string {
  return piecesOf(text)
    .map((piece) => (typeof piece === 'string' ? piece : piece.text))
    .join('');
}

/** Something to stand out. */
export function strong(text: string): Styled {
  return { text, tone: 'strong' };
}

/** Something less important. */
export function dim(text: string): Styled {
  return { text, tone: 'dim' };
}

/** Something to type: a command, a flag, an id. */
export function code(text: string): Styled {
  return { text, tone: 'code' };
}

/** An address to open; shown in full. */
export function link(url: string): Styled {
  return { text: url, tone: 'link', href: url };
}

/**
 * A point in time: an ISO 8601 text, or milliseconds since the epoch. Pipes get ISO 8601, terminals local time and the
 * distance from now. What is not an instant is shown as it came.
 */
export function date(value: unknown): Styled {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(new Date(at).getTime())) return { text: String(value ?? ''), tone: 'plain' };
  return { text: typeof value === 'string' ? value : new Date(at).toISOString(), tone: 'plain', at };
}

const GOOD = new Set(
  'live active available completed succeeded success done finished enabled ready running healthy ok'.split(' '),
);
const BAD = new Set('failed error errored cancelled canceled timed_out crashed expired suspended unhealthy'.split(' '));
const GOING = new Set(
  'pending queued building deploying provisioning starting processing in_progress paused'.split(' '),
);

/** A state of the service, such as `live`: its own word, in the colour of what it means. */
export function state(word: string): Styled {
  const known = word.toLowerCase();
  const tone: Tone = GOOD.has(known) ? 'good' : BAD.has(known) ? 'bad' : GOING.has(known) ? 'warn' : 'plain';
  return { text: word, tone };
}

/** Any value of an answer in words: `yes`/`no` for booleans, `none` for null, compact JSON for what is nested. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isList(text: Text): text is readonly (string | Styled)[] {
  return Array.isArray(text);
}
