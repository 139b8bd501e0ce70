import { once, unicodePattern } from '../../once.ts';
import { formatDistance, formatLocal } from '../dates.ts';
import { safeLine, withTilde } from '../safe-text.ts';
import { piecesOf, type Styled, type Text } from '../screen.ts';
import type { View } from '../terminal.ts';

/**
 * Text in which every code unit is a character of one column: Latin, Greek and Cyrillic letters, punctuation, arrows,
 * lines and blocks. Any other text needs `Intl.Segmenter`, which takes as long to load as Node itself.
 */
const SIMPLE =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0373\u0384-\u038a\u038e-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2199\u23ce\u2500-\u259f\u2713\u2717]*$/;

/** East Asian Wide and Fullwidth characters (Unicode 16) take two columns. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

/** Combining marks, and the inner letters of a Hangul syllable. */
const noWidth = unicodePattern('[\\p{Mn}\\p{Me}\\u1160-\\u11ff\\ud7b0-\\ud7fb]');

/** Emoji by default, or through the emoji selector. */
const emoji = unicodePattern('\\p{Emoji_Presentation}|\\ufe0f');

const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Code units to segment at a time: the time of `Intl.Segmenter` grows with the square of the text. */
const WINDOW = 256;

/** Splits text into user-perceived characters (grapheme clusters): a letter with its accents, a flag. */
export function clustersOf(text: string): string[] {
  if (SIMPLE.test(text)) return text.split('');
  const clusters: string[] = [];
  for (let start = 0; start < text.length; ) {
    const window = windowAt(text, start);
    const found = Array.from(segmenter().segment(window), ({ segment }) => segment);
    // The last one may continue after the window.
    const last = start + window.length < text.length && found.length > 1 ? found.pop() : undefined;
    clusters.push(...found);
    start += window.length - (last?.length ?? 0);
  }
  return clusters;
}

/** Returns the next window, which never cuts a surrogate pair. */
function windowAt(text: string, start: number): string {
  const window = text.slice(start, start + WINDOW);
  return start + WINDOW < text.length ? window.replace(/[\ud800-\udbff]$/, '') : window;
}

/** Returns the columns that a safe text takes on a terminal. */
export function widthOf(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  return clustersOf(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0);
}

/** Returns the columns of the widest text; 0 without texts. */
export function maxWidth(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0);
}

/** Returns the columns that a grapheme cluster takes on a terminal: 0, 1 or 2. */
export function clusterWidth(cluster: string): number {
  if (SIMPLE.test(cluster)) return cluster.length;
  if (emoji().test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) {
    if (!noWidth().test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Emoji that are joined or chosen by a character of no width: terminals disagree about their columns. */
const disputed = unicodePattern('[\\u200d\\ufe0f\\u20e3]|\\p{Emoji_Modifier}|\\p{Regional_Indicator}');

const CODES = /(\u001b(?:\[[\d;]*m|\]8;;[^\u001b]*\u001b\\))/;

/** Puts what follows such emoji where {@link widthOf} says, in a painted line that begins at the left edge. */
export function aligned(line: string): string {
  if (!disputed().test(line)) return line;
  let column = 0;
  const parts = line.split(CODES).map((part, index) => {
    if (index % 2 === 1) return part;
    const clusters = clustersOf(part).map((cluster) => {
      column += clusterWidth(cluster);
      return disputed().test(cluster) ? `${cluster}\u001b[${column + 1}G` : cluster;
    });
    return clusters.join('');
  });
  return parts.join('');
}

/** Returns the start of a text that fits into `columns`, and its width. */
export function fitting(text: string, columns: number): { text: string; width: number } {
  let width = 0;
  let fit = '';
  for (const cluster of clustersOf(text)) {
    const next = width + clusterWidth(cluster);
    if (next > columns) break;
    fit += cluster;
    width = next;
  }
  return { text: fit, width };
}

/** Safe pieces of text, next to each other. */
export type Line = readonly Styled[];

/** Escapes and redacts the pieces of a text, and formats instants for the output. */
export function safePieces(text: Text, view: View): Line {
  const { conceal = (words: string) => words, unicode } = view;
  return piecesOf(text)
    .flatMap((piece) => formatPiece(piece, view))
    .map(({ href, ...piece }) => {
      const safe = { ...piece, text: safeLine(unicode ? onOneLine(conceal(piece.text)) : conceal(piece.text)) };
      const target = href ?? view.pageOf?.(piece.text);
      // A URL with a secret must not stay behind a redacted text.
      return target === undefined || conceal(target) !== target ? safe : { ...safe, href: target };
    });
}

function onOneLine(text: string): string {
  return text.includes('\n') ? text.replace(/\r?\n/g, ' ⏎ ').trimEnd() : text;
}

function formatPiece(piece: string | Styled, view: View): Styled[] {
  const { tty, home, now, timeZone, areDatesBrief, zones = new Map() } = view;
  if (typeof piece === 'string') return [{ text: piece, tone: 'plain' }];
  if (piece.isPath && tty) return [{ ...piece, text: withTilde(piece.text, home) }];
  if (piece.at === undefined || !tty) return [piece];
  const { day, time, zone } = formatLocal(piece.at, timeZone);
  if (piece.isDay) return [{ text: day, tone: piece.tone }];
  // The first instant of a screen names the zone, also if it is laid out twice.
  if (!zones.has(zone)) zones.set(zone, piece);
  const zoneText = zones.get(zone) === piece ? ` ${zone}` : '';
  const distance: Styled[] = areDatesBrief ? [] : [{ text: ` (${formatDistance(piece.at, now)})`, tone: 'dim' }];
  return [{ text: `${day}, ${time}${zoneText}`, tone: piece.tone }, ...distance];
}

/** Returns the columns of a line. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, piece) => sum + widthOf(piece.text), 0);
}

/** Returns the columns of the widest word, which a line cannot be narrower than. */
export function widestWord(line: Line): number {
  return wordsOf(line).reduce((widest, word) => Math.max(widest, word.width), 0);
}

/** Breaks a line at its spaces to fit into `columns`. Wider words and commands stay whole, so that people can copy them. */
export function wrap(line: Line, columns: number): Line[] {
  if (lineWidth(line) <= columns) return [line];
  const lines: Styled[][] = [];
  let used = 0;
  for (const word of wordsOf(line)) {
    const current = lines.at(-1);
    if (current === undefined || used + word.gap.length + word.width > columns) {
      const indent: Styled[] = current === undefined && word.gap !== '' ? [{ text: word.gap, tone: 'plain' }] : [];
      lines.push([...indent, ...word.pieces]);
      used = lineWidth(indent) + word.width;
    } else {
      current.push({ text: word.gap, tone: 'plain' }, ...word.pieces);
      used += word.gap.length + word.width;
    }
  }
  return lines;
}

/** Breaks a text to fit into `columns`: at its spaces, and within words that are wider. */
export function fold(line: Line, columns: number): Line[] {
  return wrap(line, columns).flatMap((words) => {
    const texts = [''];
    let used = 0;
    for (const cluster of clustersOf(words.map(({ text }) => text).join(''))) {
      const width = clusterWidth(cluster);
      if (used + width > columns) texts.push('');
      used = used + width > columns ? width : used + width;
      texts[texts.length - 1] += cluster;
    }
    return texts.map((text): Line => [{ text, tone: 'plain' }]);
  });
}

/** Puts as many parts beside each other as fit into `columns`, without breaking them. */
export function fill(parts: readonly Line[], columns: number): Line[] {
  const gap: Styled = { text: '  ', tone: 'plain' };
  const lines: Styled[][] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    if (line !== undefined && lineWidth([...line, gap, ...part]) <= columns) line.push(gap, ...part);
    else lines.push([...part]);
  }
  return lines;
}

/** Cuts a line to `columns`, ending with an ellipsis. */
export function shorten(line: Line, columns: number, view: View): Line {
  if (lineWidth(line) <= columns) return line;
  const ellipsis = view.unicode ? '…' : '...';
  let left = Math.max(0, columns - widthOf(ellipsis));
  const kept: Styled[] = [];
  for (const piece of line) {
    const { text, width } = fitting(piece.text, left);
    if (text !== '') kept.push({ ...piece, text });
    left -= width;
    if (text !== piece.text) break;
  }
  return [...kept, { text: ellipsis.slice(0, columns), tone: 'dim' }];
}

interface Word {
  /** The spaces before the word. */
  readonly gap: string;
  readonly pieces: Styled[];
  width: number;
}

function wordsOf(line: Line): Word[] {
  const words: Word[] = [];
  let gap = '';
  for (const piece of line) {
    for (const part of piece.tone === 'code' ? [piece.text] : piece.text.split(/( +)/)) {
      const word = words.at(-1);
      if (part === '') continue;
      if (part.startsWith(' ')) {
        gap += part;
      } else if (word !== undefined && gap === '') {
        word.pieces.push({ ...piece, text: part });
        word.width += widthOf(part);
      } else {
        words.push({ gap, pieces: [{ ...piece, text: part }], width: widthOf(part) });
        gap = '';
      }
    }
  }
  return words;
}
