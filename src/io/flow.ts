import { formatDistance, formatLocal } from './dates.ts';
import { safeLine } from './safe-text.ts';
import { piecesOf, type Styled, type Text } from './text.ts';
import type { View } from './view.ts';
import { fitting, widthOf } from './width.ts';

/** A line of safe pieces. */
export type Line = readonly Styled[];

/** The pieces of a text, made safe, with instants in the words of the output, and without secrets. */
export function safePieces(text: Text, view: View): Line {
  const { conceal = same } = view;
  return piecesOf(text)
    .flatMap((piece) => inWords(piece, view))
    .map((piece) => withoutSecretLink({ ...piece, text: safeLine(conceal(piece.text)) }, conceal));
}

/** A link would hold in its address what its text no longer says. */
function withoutSecretLink(piece: Styled, conceal: (text: string) => string): Styled {
  const { href, ...unlinked } = piece;
  return href === undefined || conceal(href) === href ? piece : unlinked;
}

function same(text: string): string {
  return text;
}

function inWords(piece: string | Styled, { tty, now, timeZone }: View): Styled[] {
  if (typeof piece === 'string') return [{ text: piece, tone: 'plain' }];
  if (piece.at === undefined || !tty) return [piece];
  return [
    { text: formatLocal(piece.at, timeZone), tone: piece.tone },
    { text: ` (${formatDistance(piece.at, now)})`, tone: 'dim' },
  ];
}

/** Columns that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, piece) => sum + widthOf(piece.text), 0);
}

/** Columns of the widest word, which is never broken. */
export function widestWord(line: Line): number {
  return wordsOf(line).reduce((widest, word) => Math.max(widest, word.width), 0);
}

/** Breaks a line at its spaces, so that each part fits into `columns` where its words do. Words stay whole, to be copied. */
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

/** Puts parts beside each other, as many as fit into `columns`; a part itself is never broken. */
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

/** Shortens a line to `columns`, with an ellipsis where something is missing. */
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

/** A part of a line between spaces, and the spaces before it. */
interface Word {
  readonly gap: string;
  readonly pieces: Styled[];
  readonly width: number;
}

function wordsOf(line: Line): Word[] {
  const words: { gap: string; pieces: Styled[]; width: number }[] = [];
  let gap = '';
  let glued = false;
  for (const piece of line) {
    for (const part of piece.text.split(/( +)/)) {
      if (part === '') continue;
      if (part.startsWith(' ')) {
        gap += part;
        glued = false;
        continue;
      }
      const word = words.at(-1);
      if (glued && word !== undefined) {
        word.pieces.push({ ...piece, text: part });
        word.width += widthOf(part);
      } else {
        words.push({ gap, pieces: [{ ...piece, text: part }], width: widthOf(part) });
      }
      gap = '';
      glued = true;
    }
  }
  return words;
}
