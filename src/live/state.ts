import type { Chart } from '../terminal/screen.ts';

/** The ranges of the keys 1 to 5. */
export const RANGES = ['1h', '6h', '1d', '7d', '30d'] as const;

/** A service that the view can show. */
export interface LiveService {
  readonly id: string;
  readonly name?: string | undefined;
}

/** Something that happened to a service, for the time axis. */
export interface Mark {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `D` for a deployment, `R` for a restart. */
  readonly sign: 'D' | 'R';
  readonly text: string;
}

/** The usage of a service in a range, as the API answered. */
export interface Reading {
  readonly range: string;
  readonly charts: readonly Chart[];
  /** When it was answered, in milliseconds since the epoch. */
  readonly at: number;
}

/** A reading with the last values of the one before, by series. */
type Kept = Reading & { readonly before: Readonly<Record<string, number>> };

/** What was said last, until the next key. */
export interface Note {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'warn';
}

/** All that the view knows. It changes by {@link step} alone. */
export interface LiveState {
  readonly services: readonly LiveService[];
  /** The index of the service that is shown. */
  readonly shown: number;
  readonly organization?: string | undefined;
  /** One of {@link RANGES}, or what the command line asked for. */
  readonly range: string;
  /** Seconds between two requests, by range. */
  readonly pauses: Readonly<Record<string, number>>;
  /** The index of the series that `↑↓` have chosen. */
  readonly series: number;
  /** Whether that series has the whole screen. */
  readonly isZoomed: boolean;
  readonly isExplaining: boolean;
  readonly isPaused: boolean;
  /** What is typed so far to the question whether to restart; undefined while nothing is asked. */
  readonly reply?: string | undefined;
  /** The service whose restart is under way. */
  readonly restarting?: string | undefined;
  readonly readings: Readonly<Record<string, Kept>>;
  readonly marks: Readonly<Record<string, readonly Mark[]>>;
  /** Why the last request for a service got no answer. */
  readonly troubles: Readonly<Record<string, string>>;
  readonly note?: Note | undefined;
  /** When the last key was pressed, in milliseconds of the monotonic clock. */
  readonly keyAt: number;
}

/** What the person and the platform do. */
export type LiveEvent =
  | { readonly kind: 'key'; readonly key: string; readonly alone: boolean; readonly at: number }
  | { readonly kind: 'answer'; readonly service: string; readonly reading: Reading }
  | { readonly kind: 'trouble'; readonly service: string; readonly text: string }
  | { readonly kind: 'marks'; readonly service: string; readonly marks: readonly Mark[] }
  | { readonly kind: 'restarted'; readonly service: string; readonly note: Note; readonly mark?: Mark | undefined }
  | { readonly kind: 'note'; readonly note: Note };

/** What is to be done after a step; `ask` asks now, and `turn` goes by the new state. */
export type Deed = 'ask' | 'turn' | 'save' | 'open' | 'restart' | 'quit';

/** What an event leads to. */
export interface LiveStep {
  readonly state: LiveState;
  readonly effect?: Deed;
}

/** Returns the state before the first answer, with the first service shown. */
export function beginLive(start: Pick<LiveState, 'services' | 'organization' | 'range' | 'pauses'>): LiveState {
  const nothing = { isZoomed: false, isExplaining: false, isPaused: false, readings: {}, marks: {}, troubles: {} };
  return { ...start, ...nothing, shown: 0, series: 0, keyAt: Number.NEGATIVE_INFINITY };
}

/** Returns the service that is shown. */
export function serviceOf({ services, shown }: LiveState): LiveService {
  return services[shown] ?? { id: '' };
}

/** Returns the last reading of the service that is shown; of another range until the new one is there. */
export function readingOf(state: LiveState): Kept | undefined {
  return state.readings[serviceOf(state).id];
}

/** Returns the state after an event, and what is to be done. Never changes the state that it is given. */
export function step(state: LiveState, event: LiveEvent): LiveStep {
  switch (event.kind) {
    case 'key':
      return afterKey(state, event);
    case 'answer':
      return { state: afterAnswer(state, event.service, event.reading) };
    case 'trouble':
      return { state: { ...state, troubles: { ...state.troubles, [event.service]: event.text } } };
    case 'marks':
      return { state: withMarks(state, event.service, event.marks) };
    case 'restarted': {
      const { service, note, mark } = event;
      return { state: { ...withMarks(state, service, mark === undefined ? [] : [mark]), note, restarting: undefined } };
    }
    case 'note':
      return { state: { ...state, note: event.note } };
  }
}

function withMarks(state: LiveState, service: string, marks: readonly Mark[]): LiveState {
  return { ...state, marks: { ...state.marks, [service]: [...(state.marks[service] ?? []), ...marks] } };
}

function afterAnswer(state: LiveState, service: string, reading: Reading): LiveState {
  const last = state.readings[service];
  const before = last?.range === reading.range ? lastValues(last.charts) : {};
  const { [service]: _, ...troubles } = state.troubles;
  return { ...state, troubles, readings: { ...state.readings, [service]: { ...reading, before } } };
}

function lastValues(charts: readonly Chart[]): Record<string, number> {
  return Object.fromEntries(
    charts.flatMap(({ name, figures }) => (figures === undefined ? [] : [[name, figures.last]])),
  );
}

/** An Enter that comes within this time of the key before was pasted: it confirms nothing. */
const TOGETHER_MS = 10;

type Press = Extract<LiveEvent, { kind: 'key' }>;

function afterKey(given: LiveState, { key, alone, at }: Press): LiveStep {
  const isTyped = alone && (key === 'y' || at - given.keyAt >= TOGETHER_MS);
  const state: LiveState = { ...given, keyAt: at, note: undefined };
  if (given.reply !== undefined) return afterReply(state, given.reply, isTyped ? key : '');
  if (key === 'q' || key === 'Q') return { state, effect: 'quit' };
  if (given.isExplaining) return { state: { ...state, isExplaining: false } };
  return moved(state, key) ?? done(state, key) ?? { state };
}

/** Only `y` and then Enter restart, each typed alone. A key that was pasted is no answer; any other is No. */
function afterReply(state: LiveState, reply: string, key: string): LiveStep {
  if (key === '') return { state };
  if (key === '\r' && reply === 'y') {
    return { state: { ...state, reply: undefined, restarting: serviceOf(state).id }, effect: 'restart' };
  }
  if (/^y$/i.test(key) && reply === '') return { state: { ...state, reply: 'y' } };
  return { state: { ...state, reply: undefined, note: { text: 'Not restarted.', tone: 'plain' } } };
}

/** Keys that show something else. */
function moved(state: LiveState, key: string): LiveStep | undefined {
  const { services, shown, series, isZoomed } = state;
  const range = /^[1-5]$/.test(key) ? RANGES[Number(key) - 1] : undefined;
  if (range !== undefined) return range === state.range ? { state } : { state: { ...state, range }, effect: 'ask' };
  const count = readingOf(state)?.charts.length ?? 0;
  const turned = TURNS[key];
  if (turned !== undefined) {
    if (services.length < 2) return { state };
    return { state: { ...state, shown: (shown + turned + services.length) % services.length }, effect: 'ask' };
  }
  switch (key) {
    case 'up':
      return { state: { ...state, series: Math.max(0, Math.min(series, count - 1) - 1) } };
    case 'down':
      return { state: { ...state, series: Math.max(0, Math.min(series + 1, count - 1)) } };
    case '\r':
    case '\n':
      return { state: { ...state, isZoomed: !isZoomed } };
    case '\u001b':
      return { state: { ...state, isZoomed: false } };
  }
  return undefined;
}

const TURNS: Readonly<Record<string, number>> = { '\t': 1, right: 1, 'back tab': -1, left: -1 };

/** Keys that do something. */
function done(state: LiveState, key: string): LiveStep | undefined {
  switch (key) {
    case '?':
      return { state: { ...state, isExplaining: true } };
    case 'p':
      return { state: { ...state, isPaused: !state.isPaused }, effect: state.isPaused ? 'ask' : 'turn' };
    case 'r':
      return { state, effect: 'ask' };
    case 's':
      return { state, effect: 'save' };
    case 'o':
      return { state, effect: 'open' };
    case 'R':
      if (state.restarting === undefined) return { state: { ...state, reply: '' } };
      return { state: { ...state, note: { text: 'A restart is under way already.', tone: 'plain' } } };
  }
  return undefined;
}
