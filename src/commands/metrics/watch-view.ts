import { asSentence, type CliError } from '../../errors.ts';
import { orderByInterest } from '../../metrics/series.ts';
import { drawScreen } from '../../terminal/draw.ts';
import { formatDuration, formatTick } from '../../terminal/format.ts';
import { code, dim, type Screen, type Styled, strong, type Text } from '../../terminal/screen.ts';
import type { View } from '../../terminal/terminal.ts';
import { createChart, showUsage } from './show.ts';
import type { Usage } from './usage.ts';

/** The ranges of the keys 1 to 5. */
const RANGES = ['1h', '6h', '1d', '7d', '30d'];

/** The last answers about a service. Times are milliseconds since the epoch. */
export interface Reading {
  readonly id: string;
  readonly name?: string | undefined;
  /** Whether the command line does not name it: it is asked for only while it is shown. */
  readonly isOther?: boolean;
  readonly usage?: Usage;
  /** The range of that usage, as in {@link ViewState.range}. */
  readonly range?: string;
  /** When it was answered. */
  readonly answeredAt?: number;
  /** Why the last request failed. */
  readonly trouble?: CliError | undefined;
  /** The time until which the platform asked to wait. */
  readonly waitUntil?: number | undefined;
}

/** The part of the state that is the same at each start. */
export const INITIAL_STATE = {
  /** The index of the service that is shown. */
  shown: 0,
  /** The index of the chosen series. */
  series: 0,
  /** Whether that series has the whole screen. */
  isZoomed: false,
  isPaused: false,
  /** Whether an answer is wanted now. */
  isAsking: true,
  isOver: false,
};

/** The state of the live view, which keys and answers change. */
export interface ViewState extends Readonly<typeof INITIAL_STATE> {
  readonly services: readonly Reading[];
  /** One of {@link RANGES}, or what the command line asked for. */
  readonly range: string;
  readonly pauseSeconds: number;
  /** The stop of the tour that this is, such as `8 of 20`. */
  readonly tourStop?: string | undefined;
}

/** Returns what a key changes. */
export function applyKey(state: ViewState, key: string): Partial<ViewState> {
  const { services, shown, series, isZoomed, isPaused, range } = state;
  const chosen = RANGES[Number(key) - 1];
  if (chosen !== undefined) return chosen === range ? {} : { range: chosen, isAsking: true };

  const last = Math.max(1, getShown(state).usage?.series.length ?? 0) - 1;
  const changes: Readonly<Record<string, Partial<ViewState>>> = {
    up: { series: Math.max(0, Math.min(series, last) - 1) },
    down: { series: Math.min(series + 1, last) },
    left: showService(services, shown - 1 + services.length),
    right: showService(services, shown + 1),
    '\r': { isZoomed: !isZoomed },
    '\u001b': { isZoomed: false },
    p: { isPaused: !isPaused, isAsking: isPaused },
    r: { isAsking: true },
    q: { isOver: true },
    Q: { isOver: true },
  };
  return changes[key] ?? {};
}

/** Shows another service; one that the line does not name is asked for at once. */
function showService(services: ViewState['services'], place: number): Partial<ViewState> {
  const shown = place % services.length;
  return services[shown]?.isOther ? { shown, isAsking: true } : { shown };
}

function getShown({ services, shown }: ViewState): Reading {
  return services[shown] ?? { id: '' };
}

/** The rows that are drawn for if the terminal does not report them. */
const USUAL_ROWS = 24;

/** The least room for charts; with less there is a table. */
const MIN_COLUMNS = 60;
const MIN_ROWS = 7;

/** The columns below which the keys stand on two lines. */
const KEYS_COLUMNS = 80;

/** Draws a head, charts in all the rows between, and the keys; without keys, a table. */
export async function drawLiveView(state: ViewState, view: View, hasKeys: boolean) {
  const head = await drawPart(view, (screen) => showHead(screen, state, view));
  const foot = await drawPart(view, (screen) => {
    for (const line of hasKeys ? listKeys(state, view) : [dim('Ctrl-C to stop.')]) {
      screen.line(line);
    }
  });
  const roomOfScreen = (view.rows || USUAL_ROWS) - head.length - foot.length;
  const room = hasKeys ? Math.max(0, roomOfScreen) : 0;
  const body = await drawPart(view, (screen) => showBody(screen, state, view, room));
  const rows = Array.from({ length: room }, (_, row) => body[row] ?? '');
  return [...head, ...(hasKeys ? rows : body), ...foot].join('\n');
}

async function drawPart(view: View, fill: (screen: Screen) => void): Promise<string[]> {
  const drawn = await drawScreen(fill, view);
  return drawn.trimEnd().split('\n');
}

/** Shows charts in so many rows, or a table where there is no room for them. */
function showBody(screen: Screen, state: ViewState, view: View, rows: number): void {
  const { id, usage, range, trouble } = getShown(state);
  if (usage === undefined) {
    screen.line(`Reading the usage of ${id}`);
    return;
  }
  if (view.columns < MIN_COLUMNS || rows < MIN_ROWS || usage.series.length === 0) {
    showUsage(screen, usage, false);
    return;
  }

  const series = usage.isChosen ? usage.series : orderByInterest(usage.series);
  const chosen = Math.min(state.series, series.length - 1);
  const isOld = trouble !== undefined || range !== state.range || isLate(state, view.now);
  const charts = series.map((one, index) => {
    const mark = index === chosen && !state.isZoomed ? '> ' : '  ';
    const title: Styled[] = [{ text: mark, tone: 'accent' }, strong(one.name)];
    return { ...createChart(one, usage.range), title, isOld };
  });
  if (state.isZoomed) screen.charts({ charts: charts.slice(chosen, chosen + 1), rows });
  else screen.charts({ charts, rows, chosen });
}

/** Whether two intervals have passed without an answer. */
function isLate(state: ViewState, now: number): boolean {
  const { answeredAt = now } = getShown(state);
  return !state.isPaused && now - answeredAt > 2 * state.pauseSeconds * 1000;
}

function showHead(screen: Screen, state: ViewState, view: View): void {
  const { services, shown, range, isAsking, isPaused, tourStop } = state;
  const { id, name = id, trouble } = getShown(state);
  const since = /^\d+[a-z]+$/.test(range) ? range : `since ${range}`;
  if (tourStop !== undefined) screen.line(dim(`Tour stop ${tourStop} · q goes on`));
  screen.line([
    strong(name),
    name === id ? '' : dim(`  ${id}`),
    services.length > 1 ? dim(`  ${shown + 1} of ${services.length}`) : '',
    dim(`  ${since}  `),
    isPaused ? { text: 'paused  ', tone: 'warn' } : '',
    ...describeAge(state, view),
    isAsking ? dim('  asking') : '',
  ]);
  if (trouble !== undefined) screen.warning(asSentence(trouble.message));
}

function describeAge(state: ViewState, view: View): (string | Styled)[] {
  const { isPaused, pauseSeconds } = state;
  const { answeredAt, trouble, waitUntil = 0 } = getShown(state);
  const format = (time: number) => formatTick(time, 1000, view.timeZone);
  if (trouble !== undefined || isLate(state, view.now)) {
    const age = answeredAt && `updated ${formatDuration(view.now - answeredAt)} ago`;
    const wait = waitUntil <= view.now ? '' : `, asked to wait until ${format(waitUntil)}`;
    return [{ text: (age ?? 'no answer') + wait, tone: 'bad' }];
  }
  if (answeredAt === undefined) return [];
  const every = isPaused ? '' : `, every ${formatDuration(pauseSeconds * 1000)}`;
  return [dim('updated '), format(answeredAt), dim(every)];
}

function listKeys(state: ViewState, { unicode, columns }: View): readonly Text[] {
  const { range, services, isPaused, isZoomed, tourStop } = state;
  const drawKey = (key: string, what: string) => [code(key), dim(` ${what}  `)];
  const ranges = RANGES.flatMap((one) => [' ', one === range ? strong(`[${one}]`) : dim(one)]);
  const first = [
    ...drawKey('q', tourStop === undefined ? 'quit' : 'go on'),
    code(unicode ? '1–5' : '1-5'),
    ...ranges,
  ];
  const zoom = drawKey(unicode ? '↑↓ Enter' : 'Up Down Enter', 'zoom');
  const second = [
    ...(isZoomed ? drawKey('Enter', 'all series') : zoom),
    ...(services.length > 1 ? drawKey(unicode ? '←→' : 'Left Right', 'service') : []),
    ...drawKey('p', isPaused ? 'go on' : 'pause'),
    ...drawKey('r', 'refresh'),
  ];
  return columns < KEYS_COLUMNS ? [first, second] : [[...first, '  ', ...second]];
}
