import type Table from 'cli-table3';
import widthOf from 'fast-string-width';
import { lazy } from '../../lazy.ts';
import { parseUrl } from '../../parse-url.ts';
import { formatLocal } from '../format.ts';
import { safeLine, withTilde } from '../safe-text.ts';
import { type FieldRow, type Styled, type Text, type Tone, toPieces } from '../screen.ts';
import type { View } from '../terminal.ts';

// Text is painted first; then it is measured, broken and cut with its colours, which take no
// columns.

/** The things that every block needs to be drawn. */
export interface DrawContext {
  readonly view: View;
  readonly paint: (text: string, tone: Tone) => string;
  /** The zones that are named already, each with the first instant that is in it. */
  readonly zones: Map<string, Styled>;
  /** The class of cli-table3, loaded for tables only. */
  readonly Table: typeof Table | undefined;
}

/** The indent of everything below a heading. */
export const INDENT = '  ';

/** A grey that is readable on light and dark backgrounds; every other colour is the theme's own. */
const DIM = 244;

/** A stand-in for a space at which no line is broken; safe text never contains it. */
const UNBROKEN = '\ue000';

/** Loads chalk for outputs with colours only. */
export async function createPaint({ colorLevel }: View): Promise<DrawContext['paint']> {
  if (colorLevel === 0) return (text) => text;
  const Chalk = await lazy.chalk();
  const chalk = new Chalk({ level: colorLevel });
  const tones: Record<Tone, (text: string) => string> = {
    plain: (text) => text,
    strong: chalk.bold,
    dim: chalk.level > 1 ? chalk.ansi256(DIM) : chalk.dim,
    good: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    accent: chalk.cyan,
    link: chalk.cyan.underline,
    code: chalk.cyan,
    badge: (text) => chalk.bold.inverse(`${UNBROKEN}${text}${UNBROKEN}`),
  };
  return (text, tone) => (text === '' ? '' : tones[tone](text));
}

/** Returns where text is broken: nowhere off a terminal, so that `grep` finds whole records. */
export function textColumns({ tty, columns }: View): number {
  return tty ? columns : Number.POSITIVE_INFINITY;
}

/**
 * Escapes, redacts, formats and paints a text, each word alone, so that a line may end behind it.
 */
export function paintText(text: Text, context: DrawContext): string {
  const { view, paint } = context;
  const { conceal, unicode, pageOf, links } = view;
  const painted = toPieces(text).map((piece) => {
    const { text: words, tone, href = pageOf?.(words) } = formatPiece(piece, context);
    const concealed = conceal(words);
    const safe = safeLine(unicode ? joinLines(concealed) : concealed);
    const unbroken = tone === 'code' || tone === 'badge' ? safe.replaceAll(' ', UNBROKEN) : safe;
    // A URL with a secret must not stay behind a redacted text.
    const target = links && href && conceal(href) === href ? href : '';
    return unbroken.replace(/[^ ]+/g, (word) => addLink(paint(word, tone), target));
  });
  return painted.join('');
}

function joinLines(text: string): string {
  return text.includes('\n') ? text.replace(/\r?\n/g, ' ⏎ ').trimEnd() : text;
}

/** Formats an instant and a path as terminals show them. */
function formatPiece(piece: Styled, { view, zones }: DrawContext): Styled {
  const { tty, home, now, timeZone } = view;
  if (!tty) return piece;
  if (piece.at === undefined) {
    return piece.isPath ? { ...piece, text: withTilde(piece.text, home) } : piece;
  }

  const { day, time, zone } = formatLocal(piece.at, timeZone);
  if (piece.isDay) return { text: day, tone: piece.tone };
  // The first instant of a screen names the zone, also if it is laid out twice.
  if (!zones.has(zone)) zones.set(zone, piece);
  const isToday = day === formatLocal(now, timeZone).day;
  const date = isToday ? time : `${day}, ${time}`;
  const text = zones.get(zone) === piece ? `${date} ${zone}` : date;
  return { text, tone: piece.tone };
}

/**
 * Makes an OSC 8 link of a web address. Serializing the parsed URL removes what could break out of
 * it.
 */
function addLink(text: string, href: string): string {
  const url = href === '' ? undefined : parseUrl(href);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  return `\u001b]8;;${url.href}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** Returns a line as it is printed. */
export function printable(line: string): string {
  return line.replaceAll(UNBROKEN, ' ');
}

/** Returns the columns of the widest text. */
export function maxWidth(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0);
}

/**
 * Breaks a painted text at its spaces; further lines are indented like the first. Wider words and
 * commands stay whole, so that people can copy them.
 */
export function wrap(text: string, columns: number): string[] {
  if (columns === Number.POSITIVE_INFINITY || widthOf(text) <= columns) return [text];
  const [indent = ''] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = indent;
  let gap = '';
  for (const part of text.slice(indent.length).split(/( +)/)) {
    if (part === '' || part.startsWith(' ')) {
      gap = part;
    } else if (line === indent || widthOf(line + gap + part) <= columns) {
      line += line === indent ? part : gap + part;
    } else {
      lines.push(line);
      line = indent + part;
    }
  }
  return [...lines, line];
}

/** Breaks a text without colours at its spaces, and within words that are wider. */
export function fold(text: string, columns: number): string[] {
  return wrap(text, columns).flatMap((line) => {
    const parts: string[] = [];
    for (let rest = line; rest !== ''; rest = rest.slice(parts.at(-1)?.length)) {
      parts.push(takeColumns(rest, columns) || rest);
    }
    return parts;
  });
}

/** Cuts a painted text to `columns`, ending with an ellipsis. */
export function cut(text: string, columns: number, { view, paint }: DrawContext): string {
  if (widthOf(text) <= columns) return text;
  const ellipsis = (view.unicode ? '…' : '...').slice(0, columns);
  const endOfColor = view.colorLevel > 0 ? '\u001b[0m' : '';
  return takeColumns(text, columns - ellipsis.length) + endOfColor + paint(ellipsis, 'dim');
}

function takeColumns(text: string, columns: number): string {
  let fit = '';
  for (const [part] of text.matchAll(/\u001b\[[\d;]*m|./gsu)) {
    if (widthOf(fit + part) > columns) break;
    fit += part;
  }
  return fit;
}

/** Wider labels do not move the values of their own block, or of other blocks, to the right. */
const MAX_LABEL = 28;
const MAX_SHARED_LABEL = 20;
const GAP = 2;

/** The columns beside its label that a value needs; else it goes below. */
const MIN_VALUE = 16;

/** Draws labels and values; the values start at column `shared` or further right. */
export function drawFields(
  rows: readonly FieldRow[],
  context: DrawContext,
  shared = 0,
  tone: Tone = 'dim',
): string[] {
  const { view } = context;
  const column = Math.max(shared, findSharedColumn(rows, context, MAX_LABEL));
  const room = textColumns(view) - INDENT.length - column;
  const roomBelow = view.columns - 2 * INDENT.length;
  return rows.flatMap(([name, text]) => {
    const label = paintText({ text: name, tone }, context);
    const value = paintText(text, context);
    if (view.accessible) return `${label}: ${value}`;

    const widest = maxWidth(value.split(' '));
    const fitsBelowOnly = widest > room && widest <= roomBelow;
    if (view.tty && (widthOf(label) >= column || room < MIN_VALUE || fitsBelowOnly)) {
      const below = wrap(value, roomBelow);
      return [INDENT + label, ...below.map((line) => INDENT + INDENT + line)];
    }
    const head = label + ' '.repeat(Math.max(GAP, column - widthOf(label)));
    return wrap(value, room).map((line, index) => {
      const start = index === 0 ? head : ' '.repeat(column);
      return `${INDENT}${start}${line}`.trimEnd();
    });
  });
}

/** Finds the column at which values line up. */
export function findSharedColumn(
  rows: readonly FieldRow[],
  context: DrawContext,
  max = MAX_SHARED_LABEL,
): number {
  const widths = rows.map(([label]) => widthOf(paintText(label, context)));
  return Math.max(0, ...widths.filter((width) => width <= max)) + GAP;
}
