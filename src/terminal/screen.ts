import type { Text } from './text.ts';

export type { Styled, Text, Tone } from './text.ts';
export { code, date, dim, link, shown, state, strong } from './text.ts';

/** The head of a table column. */
export interface Column {
  readonly name: string;
  /** Numbers stand at the right. */
  readonly align?: 'left' | 'right';
  /** Never shortened on a terminal, for what people copy: ids, addresses, records. */
  readonly whole?: boolean;
  /** A text like that of the row above is left out where the eye finds it there; plain text only. */
  readonly once?: boolean;
}

/** Rows under heads. */
export interface TableOptions {
  readonly head: readonly (string | Column)[];
  readonly rows: readonly (readonly (Text | undefined)[])[];
  /** Rows to show at most; the rest is counted. */
  readonly max?: number;
}

/** One line of a comparison. */
export interface DiffLine {
  readonly kind: 'added' | 'removed';
  readonly text: Text;
}

/** One series of measurements and what is known of it; `undefined` points are gaps. */
export interface Series {
  readonly name: string;
  readonly unit?: string | undefined;
  readonly points: readonly (number | undefined)[];
  readonly min?: number | undefined;
  readonly avg?: number | undefined;
  readonly p95?: number | undefined;
  readonly max?: number | undefined;
  readonly last?: number | undefined;
}

/** One measurement; an `undefined` value is a gap. */
export interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly value: number | undefined;
}

/** What is known of all the values behind a chart. */
export interface Figures {
  readonly count: number;
  /** Runs of missing values between values. */
  readonly gaps: number;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly last: number;
}

/** A series drawn over time. */
export interface Chart {
  readonly name: string;
  readonly unit?: string | undefined;
  /** What the line goes through; of very many measurements a selection. */
  readonly points: readonly ChartPoint[];
  /** Absent where there is no value at all. */
  readonly figures?: Figures | undefined;
  /** Points that are further apart, in milliseconds, have a gap between them. */
  readonly longestStepMs: number;
}

/** A label and its value. */
export type Field = readonly [label: string, value: Text];

/** A command to go on with, and what for where that is not plain. */
export type NextStep = string | readonly [command: string, purpose: string];

/** What a screen holds; the renderer knows how each looks. */
export type Block =
  | { readonly kind: 'line'; readonly text: Text }
  | { readonly kind: 'heading'; readonly text: Text }
  | { readonly kind: 'success'; readonly text: Text }
  | { readonly kind: 'warning'; readonly text: Text }
  | { readonly kind: 'fields'; readonly rows: readonly Field[] }
  | { readonly kind: 'rest'; readonly value: unknown; readonly title: string | undefined }
  | { readonly kind: 'table'; readonly table: TableOptions }
  | { readonly kind: 'list'; readonly items: readonly Text[]; readonly numbered: boolean }
  | { readonly kind: 'diff'; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'verbatim'; readonly text: string }
  | { readonly kind: 'series'; readonly rows: readonly Series[] }
  | { readonly kind: 'charts'; readonly charts: readonly Chart[] }
  | { readonly kind: 'next'; readonly steps: readonly NextStep[] }
  | { readonly kind: 'exact' };

/** What a command shows to a person: it collects, and prints nothing. */
export interface Screen {
  readonly blocks: readonly Block[];
  /** A line of text; an empty one without. */
  line(text?: Text): void;
  heading(text: Text): void;
  /** What was done, behind a check mark. */
  success(text: Text): void;
  /** Something to look at, behind an exclamation mark. */
  warning(text: Text): void;
  /** Labels and values; a row without a value is left out. */
  fields(rows: readonly (readonly [label: string, value: Text | undefined])[]): void;
  /** Fields of an answer that svc does not know, shown as they are. */
  rest(value: unknown, title?: string): void;
  table(options: TableOptions): void;
  list(items: readonly Text[]): void;
  /** A numbered list. */
  steps(items: readonly Text[]): void;
  diff(lines: readonly DiffLine[]): void;
  /** Lines that are kept as they are, such as a zone file. */
  verbatim(text: string): void;
  /** A table of series, each with a small drawing. */
  series(rows: readonly Series[]): void;
  /** Series below each other over one axis of time; the more there are, the lower each is. */
  charts(charts: readonly Chart[]): void;
  /** Nothing here is masked: what would be was asked for, or is no secret. */
  exact(): void;
  /** Commands to go on with, at most three; terminals only. They stand at the end, whenever they are given. */
  next(steps: readonly NextStep[]): void;
}

/** Commands that `next` shows at most. */
const MOST_NEXT = 3;

/** An empty screen. */
export function createScreen(): Screen {
  const blocks: Block[] = [];
  let last: readonly Block[] = [];
  const add = (block: Block) => void blocks.push(block);
  return {
    get blocks() {
      return [...blocks, ...last];
    },
    line: (text = '') => add({ kind: 'line', text }),
    heading: (text) => add({ kind: 'heading', text }),
    success: (text) => add({ kind: 'success', text }),
    warning: (text) => add({ kind: 'warning', text }),
    fields: (rows) => add({ kind: 'fields', rows: rows.filter(isFilled) }),
    rest: (value, title) => add({ kind: 'rest', value, title }),
    table: (table) => add({ kind: 'table', table }),
    list: (items) => add({ kind: 'list', items, numbered: false }),
    steps: (items) => add({ kind: 'list', items, numbered: true }),
    diff: (lines) => add({ kind: 'diff', lines }),
    verbatim: (text) => add({ kind: 'verbatim', text }),
    series: (rows) => add({ kind: 'series', rows }),
    charts: (charts) => add({ kind: 'charts', charts }),
    exact: () => add({ kind: 'exact' }),
    next: (steps) => {
      last = [{ kind: 'next', steps: steps.slice(0, MOST_NEXT) }];
    },
  };
}

function isFilled(row: readonly [string, Text | undefined]): row is Field {
  const [, value] = row;
  return value !== undefined;
}
