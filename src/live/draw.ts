import type { View } from '../terminal/capabilities.ts';
import { formatDuration, formatLocal, formatTick } from '../terminal/dates.ts';
import { drawScreen } from '../terminal/draw.ts';
import { formatValue, isPercent } from '../terminal/numbers.ts';
import { type Chart, code, dim, type Screen, type Styled, strong, type Text, type Tone } from '../terminal/screen.ts';
import { explainKeys } from './explain.ts';
import { type LiveState, RANGES, readingOf, serviceOf } from './state.ts';

/** The size that is drawn for if the terminal does not report its rows. */
const USUAL_ROWS = 24;
/** With less room than this there is a table in place of the charts. */
const [MIN_COLUMNS, MIN_ROWS] = [60, 7];

/** Shares of 100 from which a value needs attention. */
const PERCENT_TONES: Tones = [
  [70, 'warn'],
  [90, 'bad'],
];
const ERROR_TONES: Tones = [[Number.MIN_VALUE, 'bad']];
const STALE_TONES: Tones = [[Number.NEGATIVE_INFINITY, 'dim']];

type Tones = NonNullable<Chart['tones']>;

/** Draws the whole screen of a size: a head, charts in all the rows between, and a foot. */
export async function drawLive(state: LiveState, view: View): Promise<string> {
  const rows = view.rows || USUAL_ROWS;
  const head = [
    ...(await rowsOf([headOf(state, view)], view)),
    ...(await servicesOf(state, view)),
    ...(await saidOf(troubleOf(state), view)),
  ];
  const foot = [...(await saidOf(noteOf(state), view)), ...(await rowsOf([promptOf(state, view)], view))];
  const room = Math.max(0, rows - head.length - foot.length);
  const body = (await drawBody(state, { ...view, rows: room })).slice(0, room);
  return [...head, ...body, ...Array.from({ length: room - body.length }, () => ''), ...foot].join('\n');
}

/** Draws a text on as many rows as it needs. */
async function saidOf(text: Text | undefined, view: View): Promise<string[]> {
  return text === undefined ? [] : drawPart((screen) => screen.line(text), view);
}

/** Draws each text on one row: what does not fit is left out at a space. */
async function rowsOf(texts: readonly Text[], view: View): Promise<string[]> {
  const drawn = await Promise.all(texts.map((text) => saidOf(text, view)));
  return drawn.map(([first = '']) => first.replaceAll(UNBROKEN, ' '));
}

/** A space at which no row is broken. */
const UNBROKEN = '\u00a0';

/** Keeps pieces together on a row. */
function whole(...pieces: readonly Styled[]): Styled[] {
  return pieces.map((piece) => ({ ...piece, text: piece.text.replaceAll(' ', UNBROKEN) }));
}

async function drawPart(fill: (screen: Screen) => void, view: View): Promise<string[]> {
  return (await drawScreen(fill, view)).trimEnd().split('\n');
}

function headOf(state: LiveState, view: View): Text {
  const service = serviceOf(state);
  const reading = readingOf(state);
  const trouble = state.troubles[service.id];
  const at = reading && formatTick(reading.at, 1000, view.timeZone);
  const isNamed = service.name !== undefined && service.name !== service.id;
  return [
    strong(service.name ?? service.id),
    '  ',
    ...liveness(state, trouble !== undefined, at),
    dim(`  ${spanOf(state.range)}`),
    ...(state.organization === undefined ? [] : [dim(`  ${state.organization}`)]),
    ...(isNamed ? [dim(`  ${service.id}`)] : []),
  ];
}

function spanOf(range: string): string {
  return /^\d+[a-z]+$/.test(range) ? `last ${range}` : `since ${range}`;
}

function troubleOf(state: LiveState): Text | undefined {
  const trouble = state.troubles[serviceOf(state).id];
  return trouble === undefined ? undefined : [{ text: '! ', tone: 'warn' }, trouble];
}

function liveness(
  { isPaused, pauses, range }: LiveState,
  isLost: boolean,
  at: string | undefined,
): (string | Styled)[] {
  const answered = at === undefined ? '' : `  ${at}`;
  if (isLost) return [{ text: at === undefined ? 'no answer' : `no answer since ${at}`, tone: 'bad' }];
  if (isPaused) return [{ text: 'paused', tone: 'warn' }, answered];
  return [
    { text: at === undefined ? 'reading' : 'live', tone: 'good' },
    answered,
    dim(`  every ${formatDuration((pauses[range] ?? 0) * 1000)}`),
  ];
}

/** Draws the services with their CPU, from the one that is shown on if not all have room. */
async function servicesOf({ services, shown, readings, troubles }: LiveState, view: View): Promise<string[]> {
  if (services.length < 2) return [];
  const all = services.map(({ id, name = id }, index): (string | Styled)[] => {
    const cpu = readings[id]?.charts.find((chart) => isPercent(chart.unit) && /^cpu/i.test(chart.name));
    const last = cpu?.figures?.last;
    const value = last === undefined ? '' : ` ${formatValue(last, cpu?.unit)}`;
    const tone = last === undefined ? 'plain' : toneAt(PERCENT_TONES, last);
    const valued: Styled = { text: value, tone: troubles[id] === undefined ? (tone ?? 'plain') : 'dim' };
    const [before, after] = index === shown ? [strong(`[${name}`), strong(']')] : [dim(` ${name}`), dim(' ')];
    return [...whole(before, valued, after), ' '];
  });
  const isWhole = (await saidOf(all.flat(), view)).length === 1;
  return rowsOf([isWhole ? all.flat() : [...all.slice(shown), ...all.slice(0, shown)].flat()], view);
}

function noteOf(state: LiveState): Text | undefined {
  const { restarting, note, reply } = state;
  const { name, id } = serviceOf(state);
  if (reply !== undefined) return { text: `Restart ${name ?? id}?`, tone: 'warn' };
  if (restarting !== undefined) return `Restarting ${restarting}`;
  return note && { text: note.text, tone: note.tone };
}

/** How to answer the question, or the keys. */
function promptOf(state: LiveState, view: View): Text {
  if (state.reply === undefined) return keysOf(state, view);
  return ['Type y and press Enter; any other key is No: ', strong(state.reply)];
}

/** The keys, those that one needs first at the left: a narrow screen leaves out the others. */
function keysOf(state: LiveState, { unicode }: View): Text {
  const { range, services, series, isExplaining, isPaused } = state;
  const count = readingOf(state)?.charts.length ?? 0;
  if (isExplaining) return [code('q'), dim(' quit  any other key: back to the charts')];
  const ranges = RANGES.map((one) => (one === range ? strong(`[${one}]`) : dim(one)));
  const keys: ReadonlyArray<readonly [key: string, what: string]> = [
    [unicode ? '↑↓ Enter' : 'Up Down Enter', count === 0 ? 'series' : `series ${Math.min(series + 1, count)}/${count}`],
    ...(services.length > 1 ? [['Tab', 'service'] as const] : []),
    ['p', isPaused ? 'go on' : 'pause'],
    ['r', 'refresh'],
    ['s', 'save'],
    ['o', 'open'],
    ['R', 'restart'],
  ];
  return [
    ...[code('q'), dim(' quit  '), code('?'), dim(' help  '), code(unicode ? '1–5' : '1-5')],
    ...ranges.flatMap((one) => [' ', one]),
    ...keys.flatMap(([key, what]) => ['  ', ...whole(code(key), dim(` ${what}`))]),
  ];
}

async function drawBody(state: LiveState, view: View & { readonly rows: number }): Promise<string[]> {
  const reading = readingOf(state);
  if (state.isExplaining) return drawPart((screen) => explainKeys(screen, view), view);
  if (reading === undefined) return rowsOf(['', 'Reading the usage.'], view);
  if (reading.charts.length === 0) return rowsOf(['', `No usage (${spanOf(reading.range)}).`], view);
  const isStale = reading.range !== state.range || state.troubles[serviceOf(state).id] !== undefined;
  const charts = reading.charts.map((chart, index) => decorated(chart, index, state, isStale, view));
  if (view.columns < MIN_COLUMNS || view.rows < MIN_ROWS) return drawTable(charts, view);
  const signs = marksRow(state, charts, view);
  const rows = view.rows - signs.length;
  const chosen = Math.min(state.series, charts.length - 1);
  const marks = state.marks[serviceOf(state).id] ?? [];
  const drawn = await drawPart((screen) => {
    if (state.isZoomed) screen.charts(charts.slice(chosen, chosen + 1), { rows, marks });
    else screen.charts(charts, { rows, marks, chosen });
  }, view);
  return [...drawn, ...(await rowsOf(signs, view))];
}

function drawTable(charts: readonly Chart[], view: View): Promise<string[]> {
  return drawPart((screen) => {
    screen.series(
      charts.map(({ name, unit, points, figures }) => ({
        ...{ name, unit, points: points.map(({ value }) => value), last: figures?.last },
        range: figures && [figures.min, figures.max],
      })),
    );
  }, view);
}

/** Gives a chart the colours of its values, and a title that says whether it is chosen and has changed. */
function decorated(chart: Chart, index: number, state: LiveState, isStale: boolean, { unicode }: View): Chart {
  const tones = isStale ? STALE_TONES : tonesOf(chart);
  const last = chart.figures?.last;
  const before = readingOf(state)?.before[chart.name];
  const isChosen = index === Math.min(state.series, (readingOf(state)?.charts.length ?? 1) - 1);
  const [up, down] = unicode ? ['↑', '↓'] : ['+', '-'];
  const changed = last === undefined || before === undefined || last === before ? '' : ` ${last > before ? up : down}`;
  const tone = last === undefined ? undefined : toneAt(tones, last);
  const title: Styled[] = [
    { text: isChosen && !state.isZoomed ? '> ' : '  ', tone: 'accent' },
    { text: chart.name, tone: tone ?? 'strong' },
    { text: changed, tone: tone ?? 'strong' },
  ];
  return { ...chart, title, tones };
}

function tonesOf({ name, unit }: Chart): Tones {
  if (isPercent(unit)) return PERCENT_TONES;
  return /error|fail/i.test(name) ? ERROR_TONES : [];
}

function toneAt(tones: Tones, value: number): Tone | undefined {
  return tones.findLast(([from]) => value >= from)?.[1];
}

/** Says what the signs on the time axis are, the latest first, if there are any. */
function marksRow(state: LiveState, charts: readonly Chart[], { timeZone }: View): Text[] {
  const start = Math.min(...charts.flatMap(({ points }) => points[0]?.time ?? []));
  const within = (state.marks[serviceOf(state).id] ?? []).filter(({ time }) => time >= start);
  if (within.length === 0) return [];
  return [
    [...within]
      .sort((one, other) => other.time - one.time)
      .flatMap(({ sign, text, time }) => {
        const { day, time: hour } = formatLocal(time, timeZone);
        return ['  ', ...whole(strong(sign), dim(` ${text} ${day}, ${hour}`))];
      }),
  ];
}
