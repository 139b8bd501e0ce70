import { lazy } from '../lazy.ts';
import type { View } from './capabilities.ts';
import type { Drawing } from './charts/drawings.ts';
import { drawFields, sharedColumn } from './layout/fields.ts';
import { lineWidth, safePieces, wrap } from './layout/flow.ts';
import { rowsOfRest } from './layout/rest.ts';
import { maskSecrets } from './mask.ts';
import { maskText } from './mask-text.ts';
import { createPaint, INDENT, type Kit } from './paint.ts';
import { safeText } from './safe-text.ts';
import type { Block, DiffLine, Field, NextStep } from './screen.ts';
import { code, dim, piecesOf, plainOf, type Styled, strong, type Text } from './text.ts';

/**
 * The text of blocks, ready to write; every line ends with a newline. Passwords, tokens and keys of the service's answers are
 * masked here, whatever shows them, unless the screen is to be exact.
 */
export async function render(all: readonly Block[], output: View, unguarded: Unguarded = now): Promise<string> {
  const isExact = all.some(({ kind }) => kind === 'exact');
  const view = isExact ? output : { ...output, conceal: (text: string) => maskText(output.conceal?.(text) ?? text) };
  const hasTable = all.some(({ kind }) => kind === 'table' || kind === 'series');
  const kit: Kit = { view, paint: await createPaint(view), Table: hasTable ? await lazy.table() : undefined };
  const { drawDrawing } = all.some(isDrawing) ? await import('./charts/drawings.ts') : NO_DRAWINGS;
  return unguarded(() =>
    drawAll(isExact ? all.filter(({ kind }) => kind !== 'exact') : all.map(masked), kit, drawDrawing),
  );
}

/** Does the work that takes as long as the answer is large; see `Io.unguarded`. */
type Unguarded = <T>(work: () => T) => T;

function now<T>(work: () => T): T {
  return work();
}

function drawAll(blocks: readonly Block[], kit: Kit, drawDrawing: (block: Drawing, kit: Kit) => string[]): string {
  const column = sharedColumn(blocks.flatMap(fieldsOf), kit);
  const lines: string[] = [];
  let before: Block | undefined;
  for (const block of blocks) {
    const drawn = isDrawing(block) ? drawDrawing(block, kit) : draw(block, kit, column);
    if (drawn.length === 0) continue;
    if (standsApart(block, before) && lines.at(-1) !== '') lines.push('');
    for (const line of drawn) lines.push(line);
    before = block;
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** By their names and pairs; what a text gives away is masked where the text is drawn. */
function masked(block: Block): Block {
  return block.kind === 'rest' ? { ...block, value: maskSecrets(block.value) } : block;
}

function fieldsOf(block: Block): readonly Field[] {
  if (block.kind === 'fields') return block.rows;
  return block.kind === 'rest' ? rowsOfRest(block.value) : [];
}

/** Whether an empty line comes before a block. */
function standsApart(block: Block, before: Block | undefined): boolean {
  if (before === undefined || isEmptyLine(block)) return false;
  if (block.kind === 'heading') return true;
  return !introduces(before) && !(isMessage(block) && isMessage(before));
}

function introduces(block: Block): boolean {
  if (block.kind === 'heading') return true;
  return (block.kind === 'line' || block.kind === 'warning') && plainOf(block.text).endsWith(':');
}

function isMessage({ kind }: Block): boolean {
  return kind === 'line' || kind === 'success' || kind === 'warning';
}

function isEmptyLine(block: Block): boolean {
  return block.kind === 'line' && block.text === '';
}

/** Where no block is a drawing, nobody asks for one. */
const NO_DRAWINGS = { drawDrawing: (): string[] => [] };

function isDrawing(block: Block): block is Drawing {
  return block.kind === 'table' || block.kind === 'series' || block.kind === 'charts';
}

function draw(block: Exclude<Block, Drawing>, kit: Kit, column: number): string[] {
  switch (block.kind) {
    case 'line':
      return drawText(block.text, kit);
    case 'heading':
      return drawText(piecesOf(block.text).map(heading), kit);
    case 'success':
      return drawMarked({ text: kit.view.unicode ? '✓' : 'OK', tone: 'good' }, block.text, kit);
    case 'warning':
      return drawMarked({ text: '!', tone: 'warn' }, block.text, kit);
    case 'fields':
      return drawFields(block.rows, kit, column);
    case 'rest':
      return drawRest(block, block.title, column, kit);
    case 'list':
      return drawList(block.items, block.numbered, kit);
    case 'diff':
      return block.lines.flatMap((line) => drawDiff(line, kit));
    case 'verbatim':
      return drawVerbatim(block.text, kit);
    case 'next':
      return drawNext(block.steps, kit);
    case 'exact':
      return [];
  }
}

function heading(piece: string | Styled): Styled {
  return typeof piece === 'string' ? strong(piece) : piece;
}

function drawVerbatim(text: string, { view }: Kit): string[] {
  return safeText(view.conceal?.(text) ?? text)
    .replace(/\n$/, '')
    .split('\n');
}

function drawText(text: Text, { view, paint }: Kit): string[] {
  return wrap(safePieces(text, view), view.columns).map(paint);
}

/** A text behind a mark, with its other lines below its first word. */
function drawMarked(mark: Styled, text: Text, { view, paint }: Kit, indent = ''): string[] {
  const room = view.columns - indent.length - mark.text.length - 1;
  const hang = ' '.repeat(mark.text.length + 1);
  return wrap(safePieces(text, view), room).map(
    (line, index) => indent + (index === 0 ? `${paint([mark])} ` : hang) + paint(line),
  );
}

function drawRest(block: Block, title: string | undefined, column: number, kit: Kit): string[] {
  const rows = fieldsOf(block);
  if (rows.length === 0) return [];
  return [...(title === undefined ? [] : drawText(strong(title), kit)), ...drawFields(rows, kit, column)];
}

function drawList(items: readonly Text[], numbered: boolean, kit: Kit): string[] {
  const widest = String(items.length).length;
  const bullet = kit.view.unicode ? '•' : '-';
  return items.flatMap((item, index) => {
    const mark = numbered ? `${String(index + 1).padStart(widest)}.` : bullet;
    return drawMarked({ text: mark, tone: 'dim' }, item, kit, INDENT);
  });
}

function drawDiff({ kind, text }: DiffLine, { view, paint }: Kit): string[] {
  const mark = view.accessible ? WORDS[kind] : MARKS[kind];
  const pieces = safePieces(text, view).map((piece) => ({ ...piece, tone: DIFF_TONES[kind] }));
  return [INDENT + paint([{ text: `${mark} `, tone: DIFF_TONES[kind] }, ...pieces])];
}

const MARKS = { added: '+', removed: '-' } as const;
const WORDS = { added: 'Added:', removed: 'Removed:' } as const;
const DIFF_TONES = { added: 'good', removed: 'bad' } as const;

/** Commands are never broken, to be copied; what they are for stands behind them, or below where one has no room. */
function drawNext(steps: readonly NextStep[], { view, paint }: Kit): string[] {
  if (!view.tty || steps.length === 0) return [];
  const lines = steps.map((step) => {
    const [command, purpose = ''] = typeof step === 'string' ? [step] : step;
    return { command: safePieces(code(command), view), purpose: safePieces(dim(purpose), view) };
  });
  const widest = Math.max(...lines.map(({ command }) => lineWidth(command))) + INDENT.length;
  const fits = lines.every(({ purpose }) => INDENT.length + widest + lineWidth(purpose) <= view.columns);
  const drawn = lines.flatMap(({ command, purpose }) => {
    if (lineWidth(purpose) === 0) return [INDENT + paint(command)];
    if (fits) return [INDENT + paint(command) + ' '.repeat(widest - lineWidth(command)) + paint(purpose)];
    const below = wrap(purpose, view.columns - 2 * INDENT.length);
    return [INDENT + paint(command), ...below.map((words) => INDENT + INDENT + paint(words))];
  });
  return [paint([{ text: 'Next', tone: 'dim' }]), ...drawn];
}
