import { readInstant, toInstantText } from '../json/values.ts';

/** The meaning of a piece of text, which becomes a colour; words must carry it without one. */
export type Tone =
  | 'plain'
  | 'strong'
  | 'dim'
  | 'good'
  | 'warn'
  | 'bad'
  | 'accent'
  | 'link'
  | 'code'
  | 'badge';

/** A piece of text with its meaning. */
export interface Styled {
  readonly text: string;
  readonly tone: Tone;
  readonly href?: string;
  /** Milliseconds since the epoch; terminals show it as {@link date} says. */
  readonly at?: number;
  /** Terminals show only the day of the instant. */
  readonly isDay?: boolean;
  /** Terminals show `~` for the home folder. */
  readonly isPath?: boolean;
}

/** Text to show. The renderer escapes it, wherever it is from. */
export type Text = string | Styled | readonly (string | Styled)[];

/** Returns the pieces of a text. */
export function toPieces(text: Text): readonly Styled[] {
  const pieces = typeof text === 'string' || 'text' in text ? [text] : text;
  return pieces.map((piece) =>
    typeof piece === 'string' ? { text: piece, tone: 'plain' } : piece,
  );
}

/** Returns a text without its meanings. */
export function toPlainText(text: Text): string {
  return toPieces(text)
    .map((piece) => piece.text)
    .join('');
}

const mark =
  (tone: Tone) =>
  (text: string): Styled => ({ text, tone });

/** Marks what matters most. */
export const strong = mark('strong');

/** Marks what matters less. */
export const dim = mark('dim');

/** Marks what must be seen first. */
export const badge = mark('badge');

/** Marks commands, flags and ids. */
export const code = mark('code');

/** Marks the URL of a page. */
export const link = (url: string): Styled => ({ text: url, tone: 'link', href: url });

/** Marks the path of a file or folder. */
export const filePath = (text: string): Styled => ({ text, tone: 'plain', isPath: true });

/**
 * Takes ISO 8601, or seconds or milliseconds since the epoch. Pipes get ISO 8601, terminals local
 * time, with the day unless that is today. Any other value is shown unchanged.
 */
export function date(value: unknown): Styled {
  const text = toInstantText(value) ?? String(value ?? '');
  const at = readInstant(value, { isTime: true });
  return Number.isNaN(new Date(at).getTime())
    ? { text, tone: 'plain' }
    : { text, tone: 'plain', at };
}

/** Shows a {@link date} by its day alone on terminals: `18 Feb 2027`. */
export const day = (value: unknown): Styled => ({ ...date(value), isDay: true });

const STATES = [
  [
    'good',
    /^(?:live|active|available|completed|succeeded|success|done|finished|enabled|ready|running|healthy|ok)$/,
  ],
  ['bad', /^(?:failed|error|errored|cancell?ed|timed_out|crashed|expired|suspended|unhealthy)$/],
  [
    'warn',
    /^(?:pending|queued|building|deploying|provisioning|starting|processing|in_progress|paused)$/,
  ],
] as const;

/** Shows a state such as `timed_out` as words, coloured by its meaning. */
export function state(word: string): Styled {
  const [tone = 'plain'] = STATES.find(([, words]) => words.test(word.toLowerCase())) ?? [];
  return { text: word.replaceAll('_', ' '), tone };
}

/** Formats any JSON value: `yes`, `none`, compact JSON for objects and arrays. */
export function formatJsonValue(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A column of a table, with how it may be shortened. */
export interface Column {
  readonly name: string;
  readonly align?: 'left' | 'right';
  /** Never shorten: people copy it. */
  readonly whole?: boolean;
  /** Never shorten: what does not fit goes on in its column, on further lines. */
  readonly wraps?: boolean;
  /** May be left out where not all have room: the lowest number first. */
  readonly spare?: number;
  /** Leave out a plain text that is the same in the row above. */
  readonly once?: boolean;
}

/** A table of text. A terminal shortens its columns; pipes get them whole. */
export interface TableOptions {
  readonly head: readonly (string | Column)[];
  readonly rows: readonly (readonly (Text | undefined)[])[];
  /** The most rows to show; the others are counted. */
  readonly max?: number | undefined;
  /** Nothing else is printed: from the left edge, with every column. */
  readonly alone?: { readonly header: boolean };
}

/** A line that was added or removed. */
export type DiffLine = { readonly kind: 'added' | 'removed'; readonly text: Text };

/** The figures of a series, in the order in which they are shown. */
export const FIGURES = ['last', 'min', 'avg', 'p95', 'max'] as const;

/** The figures that are shown: where there is less room, fewer. */
export const FIGURE_SETS = [FIGURES, ['last', 'avg', 'max'], ['last']] as const;

/** The figures of all measurements, also of those that a chart leaves out. */
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

/** A series for a table row; `undefined` points are gaps. */
export interface Series extends Readonly<Partial<Record<keyof Figures, number | undefined>>> {
  readonly name: string;
  readonly unit?: string | undefined;
  readonly points: readonly (number | undefined)[];
  /** Whether its line begins at 0, and is red above it. */
  readonly areErrors?: boolean;
}

/** A chart of one series. */
export interface Chart {
  readonly name: string;
  readonly unit?: string | undefined;
  /** The points in order of time, in milliseconds since the epoch; one without a value is a gap. */
  readonly points: readonly { readonly time: number; readonly value: number | undefined }[];
  /** The figures of the values; undefined without any. */
  readonly figures?: Figures | undefined;
  /** Points further apart, in milliseconds, have a gap between them. */
  readonly longestStepMs: number;
  /** Stands before the figures instead of the name. */
  readonly title?: readonly Styled[];
  /** The tones from these values up, in rising order; below them `accent`. */
  readonly tones?: readonly (readonly [from: number, tone: Tone])[];
  /** Whether its axis begins at 0, however far its values are from that. */
  readonly startsAtZero?: boolean;
  /** Whether newer values are missing; it is then dim. */
  readonly isOld?: boolean;
}

/** A label, and the value beside it. */
export type FieldRow = readonly [label: string, value: Text];

/** A command, with its purpose if that is not obvious. */
export type NextStep = string | readonly [command: string, purpose: string];

/** Sparklines and figures of series. */
export interface SeriesOptions {
  readonly rows: readonly Series[];
  /** The time that they span. */
  readonly span?: string;
  /** The head of their names. */
  readonly what?: string;
}

/** How charts are drawn. With `all`, which says how to see them all, a terminal shows the first. */
export interface ChartOptions {
  readonly charts: readonly Chart[];
  readonly all?: string | undefined;
  /** Rows for all of them and their axis; by default those of the terminal. */
  readonly rows?: number;
  /** The index of a chart that must be seen, where keys move through them. */
  readonly chosen?: number;
}

/** The contents of each kind of block. */
export interface Contents {
  readonly line: Text;
  readonly heading: Text;
  readonly success: Text;
  readonly warning: Text;
  readonly fields: readonly FieldRow[];
  readonly terms: readonly FieldRow[];
  /** Fields of answers that svc does not know. */
  readonly rest: { readonly values: readonly unknown[]; readonly title: string | undefined };
  readonly table: TableOptions;
  readonly list: readonly Text[];
  readonly steps: readonly Text[];
  readonly diff: readonly DiffLine[];
  readonly verbatim: Text;
  readonly series: SeriesOptions;
  readonly charts: ChartOptions;
  readonly next: readonly NextStep[];
  readonly exact: true;
}

/** One part of a screen, as data. */
export type Block<Kind extends keyof Contents = keyof Contents> = {
  readonly [Each in Kind]: { readonly kind: Each; readonly content: Contents[Each] };
}[Kind];

/** The blocks that a command shows to people. */
export type Screen = ReturnType<typeof createScreen>;

const MAX_NEXT = 3;

/** Returns a screen that is still empty. */
export function createScreen() {
  const blocks: Block[] = [];
  let last: readonly Block[] = [];
  const add =
    <Kind extends Block['kind']>(kind: Kind) =>
    (content: Contents[Kind]) =>
      void blocks.push({ kind, content } as Block);
  const addLine = add('line');
  const addFields = add('fields');
  const addRest = add('rest');
  return {
    get blocks(): readonly Block[] {
      return [...blocks, ...last];
    },
    /** Adds a line; without text it is empty. */
    line: (text: Text = '') => addLine(text),
    heading: add('heading'),
    /** A line after a check mark. */
    success: add('success'),
    /** A line after an exclamation mark. */
    warning: add('warning'),
    /** Rows without a value are left out. */
    fields: (rows: readonly (readonly [label: string, value: Text | undefined])[]) =>
      addFields(rows.filter((row): row is FieldRow => row[1] !== undefined)),
    terms: add('terms'),
    /**
     * Fields of an answer that svc does not know. Without titles, those below each other are one
     * block.
     */
    unknownFields(value: unknown, title?: string): void {
      const above = title === undefined ? blocks.at(-1) : undefined;
      const isMore = above?.kind === 'rest' && above.content.title === undefined;
      if (isMore) blocks.pop();
      addRest({ values: isMore ? [...above.content.values, value] : [value], title });
    },
    table: add('table'),
    list: add('list'),
    steps: add('steps'),
    diff: add('diff'),
    /** Unwrapped lines, such as a zone file. */
    verbatim: add('verbatim'),
    series: add('series'),
    charts: add('charts'),
    exact: () => add('exact')(true),
    /** Puts up to three commands at the end of the screen, on terminals only. */
    next(steps: readonly NextStep[]): void {
      last = [{ kind: 'next', content: steps.slice(0, MAX_NEXT) }];
    },
  };
}
