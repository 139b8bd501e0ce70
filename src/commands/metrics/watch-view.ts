import { asSentence, type CliError } from '../../errors.ts';
import { orderByInterest } from '../../metrics/interest.ts';
import { formatDuration, formatTick } from '../../terminal/dates.ts';
import { drawScreen } from '../../terminal/draw.ts';
import {
  type Chart,
  code,
  dim,
  type Screen,
  type Styled,
  strong,
  type Text,
} from '../../terminal/screen.ts';
import type { View } from '../../terminal/terminal.ts';
import { chartOf, showUsage } from './show.ts';
import type { Usage } from './usage.ts';

/** The ranges of the keys 1 to 5. */
const RANGES = ['1h', '6h', '1d', '7d', '30d'] as const;

/** What is known of a service. Times are milliseconds since the epoch. */
export interface Reading {
  readonly id: string;
  readonly name?: string | undefined;
  /** Whether the command line does not name it: it is asked for only while it is shown. */
  readonly isOther?: boolean;
  readonly usage?: Usage;
  /** The range of that usage, as in {@link Watched.range}. */
  readonly range?: string;
  /** When it was answered. */
  readonly at?: number;
  /** Why the last request failed. */
  readonly trouble?: CliError | undefined;
  /** How often it was not there, in a row. */
  readonly misses?: number;
  /** Until when the platform asked to wait. */
  readonly waitUntil?: number | undefined;
}

/** Changed by keys and answers alone. */
export interface Watched {
  readonly services: readonly Reading[];
  readonly shown: number;
  /** One of {@link RANGES}, or what the command line asked for. */
  readonly range: string;
  readonly pauseSeconds: number;
  readonly series: number;
  /** Whether that series has the whole screen. */
  readonly isZoomed: boolean;
  readonly isPaused: boolean;
  /** Whether an answer is wanted now. */
  readonly isAsking: boolean;
  readonly isOver: boolean;
  /** The stop of the tour that this is, such as `8 of 20`. */
  readonly tourStop?: string | undefined;
}

/** Before the first answer. */
export const BEGUN = {
  shown: 0,
  series: 0,
  isZoomed: false,
  isPaused: false,
  isAsking: true,
  isOver: false,
};

/** Returns what a key changes. */
export function afterKey(state: Watched, key: string): Partial<Watched> {
  const { services, shown, series, isZoomed, isPaused, range } = state;
  const chosen = /^[1-5]$/.test(key) ? RANGES[Number(key) - 1] : undefined;
  if (chosen !== undefined) return chosen === range ? {} : { range: chosen, isAsking: true };
  const last = Math.max(0, (readingOf(state).usage?.series.length ?? 0) - 1);
  switch (key) {
    case 'up':
      return { series: Math.max(0, Math.min(series, last) - 1) };
    case 'down':
      return { series: Math.min(series + 1, last) };
    case 'left':
      return showService(state, shown - 1 + services.length);
    case 'right':
      return showService(state, shown + 1);
    case '\r':
      return { isZoomed: !isZoomed };
    case '\u001b':
      return { isZoomed: false };
    case 'p':
      return { isPaused: !isPaused, isAsking: isPaused };
    case 'r':
      return { isAsking: true };
    default:
      return key === 'q' || key === 'Q' ? { isOver: true } : {};
  }
}

/** Shows another service; one that the line does not name is asked for at once. */
function showService({ services }: Watched, place: number): Partial<Watched> {
  const shown = place % services.length;
  return services[shown]?.isOther ? { shown, isAsking: true } : { shown };
}

function readingOf({ services, shown }: Watched): Reading {
  return services[shown] ?? { id: '' };
}

/** The size that is drawn for if the terminal does not report its rows. */
const USUAL_ROWS = 24;
/** With less room than this there is a table in place of the charts. */
const [MIN_COLUMNS, MIN_ROWS] = [60, 7];
/** With fewer columns the keys stand on two lines. */
const KEYS_COLUMNS = 80;

/** Draws a head, charts in all the rows between, and the keys; without keys, a table. */
export async function drawWatched(state: Watched, view: View, keys: boolean): Promise<string> {
  const part = async (fill: (screen: Screen) => void, rows = view.rows) =>
    (await drawScreen(fill, { ...view, rows: rows ?? 0 })).trimEnd().split('\n');
  const { trouble } = readingOf(state);
  const head = await part((screen) => {
    if (state.tourStop !== undefined) screen.line(dim(`Tour stop ${state.tourStop} · q goes on`));
    screen.line(headOf(state, view));
    if (trouble !== undefined) screen.warning(asSentence(trouble.message));
  });
  const footOf = keys ? keysOf(state, view) : [dim('Ctrl-C to stop.')];
  const foot = await part((screen) => {
    for (const line of footOf) screen.line(line);
  });
  if (!keys)
    return [...head, ...(await part((screen) => showTable(screen, state))), ...foot].join('\n');
  const room = Math.max(0, (view.rows || USUAL_ROWS) - head.length - foot.length);
  const isSmall = view.columns < MIN_COLUMNS || room < MIN_ROWS;
  const fill = (screen: Screen) =>
    isSmall ? showTable(screen, state) : showCharts(screen, state, view, room);
  const body = (await part(fill, room)).slice(0, room);
  return [...head, ...body, ...Array.from({ length: room - body.length }, () => ''), ...foot].join(
    '\n',
  );
}

function showTable(screen: Screen, state: Watched): void {
  const { id, usage } = readingOf(state);
  if (usage === undefined) screen.line(`Reading the usage of ${id}`);
  else showUsage(screen, usage, false);
}

function showCharts(screen: Screen, state: Watched, view: View, rows: number): void {
  const { usage, range, trouble } = readingOf(state);
  if (usage === undefined || usage.series.length === 0) {
    showTable(screen, state);
    return;
  }
  const { asked } = usage;
  const series = usage.isChosen ? usage.series : orderByInterest(usage.series);
  const chosen = Math.min(state.series, series.length - 1);
  const isOld = trouble !== undefined || range !== state.range || isLate(state, view.now);
  const charts = series.map((one, index): Chart => {
    const chart = chartOf(one, asked);
    const mark: Styled = {
      text: index === chosen && !state.isZoomed ? '> ' : '  ',
      tone: 'accent',
    };
    return { ...chart, title: [mark, strong(chart.name)], isOld };
  });
  if (state.isZoomed) screen.charts(charts.slice(chosen, chosen + 1), { rows });
  else screen.charts(charts, { rows, chosen });
}

/** Whether two intervals have passed without an answer. */
function isLate(state: Watched, now: number): boolean {
  const { at = now } = readingOf(state);
  return !state.isPaused && now - at > 2 * state.pauseSeconds * 1000;
}

function headOf(state: Watched, view: View): Text {
  const { services, shown, range, isAsking, isPaused } = state;
  const { id, name = id } = readingOf(state);
  return [
    strong(name),
    name === id ? '' : dim(`  ${id}`),
    services.length > 1 ? dim(`  ${shown + 1} of ${services.length}`) : '',
    dim(`  ${/^\d+[a-z]+$/.test(range) ? range : `since ${range}`}  `),
    isPaused ? { text: 'paused  ', tone: 'warn' } : '',
    ...ageOf(state, view),
    isAsking ? dim('  asking') : '',
  ];
}

function ageOf(state: Watched, view: View): (string | Styled)[] {
  const { isPaused, pauseSeconds } = state;
  const { at, trouble, waitUntil } = readingOf(state);
  const clock = (time: number) => formatTick(time, 1000, view.timeZone);
  const wait =
    waitUntil === undefined || waitUntil < view.now
      ? ''
      : `, asked to wait until ${clock(waitUntil)}`;
  if (trouble === undefined && !isLate(state, view.now)) {
    if (at === undefined) return [];
    const every = isPaused ? '' : `, every ${formatDuration(pauseSeconds * 1000)}`;
    return [dim('updated '), clock(at), dim(every)];
  }
  const age = at === undefined ? 'no answer' : `updated ${formatDuration(view.now - at)} ago`;
  return [{ text: age + wait, tone: 'bad' }];
}

function keysOf(state: Watched, { unicode, columns }: View): readonly Text[] {
  const { range, services, isPaused, isZoomed, tourStop } = state;
  const ranges = RANGES.flatMap((one) => [' ', one === range ? strong(`[${one}]`) : dim(one)]);
  const zoom = [unicode ? '↑↓ Enter' : 'Up Down Enter', 'zoom'];
  const keys = [
    isZoomed ? ['Enter', 'all series'] : zoom,
    ...(services.length > 1 ? [[unicode ? '←→' : 'Left Right', 'service']] : []),
    ['p', isPaused ? 'go on' : 'pause'],
    ['r', 'refresh'],
  ];
  const leaves = tourStop === undefined ? ' quit  ' : ' go on  ';
  const first = [code('q'), dim(leaves), code(unicode ? '1–5' : '1-5'), ...ranges];
  const second = keys.flatMap(([key = '', what]) => [code(key), dim(` ${what}  `)]);
  return columns < KEYS_COLUMNS ? [first, second] : [[...first, '  ', ...second]];
}
