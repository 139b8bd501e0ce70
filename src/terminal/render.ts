import widthOf from 'fast-string-width';
import { lazy } from '../lazy.ts';
import { drawCharts } from './charts/chart.ts';
import { drawFigures, drawSeries } from './charts/series.ts';
import { expandUnknownFields } from './layout/rest.ts';
import { drawTable } from './layout/table.ts';
import {
  createPaint,
  type DrawContext,
  drawFields,
  findSharedColumn,
  INDENT,
  maxWidth,
  paintText,
  printable,
  textColumns,
  wrap,
} from './layout/text.ts';
import { maskText } from './mask.ts';
import { safeText } from './safe-text.ts';
import {
  type Block,
  type Contents,
  code,
  type DiffLine,
  dim,
  type NextStep,
  type Styled,
  type Text,
  toPieces,
  toPlainText,
} from './screen.ts';
import type { View } from './terminal.ts';

/**
 * Draws blocks as text in which every line ends with a newline. Masks passwords, tokens and keys
 * unless the screen is exact.
 * @param withDefaultSignals runs the drawing, which takes as long as the answer is large
 */
export async function render(
  blocks: readonly Block[],
  output: View,
  withDefaultSignals: <T>(work: () => T) => T = (work) => work(),
): Promise<string> {
  const isExact = blocks.some(({ kind }) => kind === 'exact');
  // Secrets inside text are masked when the text is drawn.
  const conceal = isExact ? output.conceal : (text: string) => maskText(output.conceal(text));
  const view: View = { ...output, conceal };
  const context: DrawContext = {
    view,
    paint: await createPaint(view),
    zones: new Map(),
    Table: blocks.some(({ kind }) => WITH_TABLE.test(kind)) ? await lazy.table() : undefined,
  };
  return withDefaultSignals(() => drawAll(expandUnknownFields(blocks, isExact, view), context));
}

/** Exact text and nothing else is data for another program, such as a zone file. */
export function isData(blocks: readonly Block[]): boolean {
  return (
    blocks[0]?.kind === 'exact' &&
    blocks.every(({ kind }) => kind === 'exact' || kind === 'verbatim')
  );
}

/** The blocks that may be drawn as a table. */
const WITH_TABLE = /^(?:table|series|charts)$/;

function drawAll(blocks: readonly Block[], context: DrawContext): string {
  const fields = blocks.flatMap((block) => (block.kind === 'fields' ? block.content : []));
  const column = findSharedColumn(fields, context);
  const lines: string[] = [];
  let before: Block | undefined;
  for (const block of blocks) {
    const drawn = drawBlock(block, context, column);
    if (drawn.length === 0) continue;
    if (needsGap(block, before) && lines.at(-1) !== '') lines.push('');
    // A table may have more lines than a call takes arguments.
    for (const line of drawn) lines.push(line);
    before = block;
  }
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function needsGap(block: Block, before: Block | undefined): boolean {
  if (before === undefined || (block.kind === 'line' && block.content === '')) return false;
  if (block.kind === 'heading') return true;
  const introduces =
    (before.kind === 'line' || before.kind === 'warning') &&
    toPlainText(before.content).endsWith(':');
  const isOfMessage =
    /^(?:line|success|warning|fields|terms|list|steps)$/.test(block.kind) &&
    /^(?:line|success|warning)$/.test(before.kind);
  return before.kind !== 'heading' && !introduces && !isOfMessage;
}

const MAX_TERM = 44;

/** Draws a content as lines, its fields with their values at the shared column. */
type Draw<Content> = (content: Content, context: DrawContext, column: number) => string[];

const DRAW: { readonly [Kind in keyof Contents]: Draw<Contents[Kind]> } = {
  line: drawText,
  heading: (text, context) => drawText(toPieces(text).map(emphasize), context),
  success: (text, context) =>
    drawMarked({ text: context.view.unicode ? '✓' : 'OK', tone: 'good' }, text, context),
  warning: (text, context) => drawMarked({ text: '!', tone: 'warn' }, text, context),
  fields: drawFields,
  terms: (rows, context) =>
    drawFields(rows, context, findSharedColumn(rows, context, MAX_TERM), 'strong'),
  list: drawList,
  steps: drawSteps,
  diff: (lines, context) => lines.map((line) => drawDiff(line, context)),
  verbatim: drawVerbatim,
  table: drawTable,
  series: drawSeries,
  charts: (options, context) => drawCharts(options, context) ?? drawFigures(options, context),
  next: drawNext,
  rest: () => [],
  exact: () => [],
};

function drawBlock<Kind extends keyof Contents>(
  { kind, content }: Block<Kind>,
  context: DrawContext,
  column: number,
): string[] {
  return DRAW[kind](content, context, column);
}

function emphasize(piece: Styled): Styled {
  return piece.tone === 'plain' ? { ...piece, tone: 'strong' } : piece;
}

function drawText(text: Text, context: DrawContext): string[] {
  return wrap(paintText(text, context), textColumns(context.view));
}

/** Draws text as it is, with its newlines. */
function drawVerbatim(text: Text, { view, paint }: DrawContext): string[] {
  const pieces = toPieces(text).map(({ text: words, tone }) =>
    paint(safeText(view.conceal(words)), tone),
  );
  return pieces.join('').replace(/\n$/, '').split('\n');
}

/** Draws a text behind a mark, below which further lines begin. */
function drawMarked(mark: Styled, text: Text, context: DrawContext, indent = ''): string[] {
  const room = textColumns(context.view) - indent.length - mark.text.length - 1;
  const hang = ' '.repeat(mark.text.length + 1);
  return wrap(paintText(text, context), room).map(
    (line, index) => indent + (index === 0 ? `${paintText(mark, context)} ` : hang) + line,
  );
}

function drawList(items: readonly Text[], context: DrawContext): string[] {
  const bullet = dim(context.view.unicode ? '•' : '-');
  return items.flatMap((item) => drawMarked(bullet, item, context, INDENT));
}

function drawSteps(items: readonly Text[], context: DrawContext): string[] {
  const widest = String(items.length).length;
  return items.flatMap((item, index) =>
    drawMarked(dim(`${String(index + 1).padStart(widest)}.`), item, context, INDENT),
  );
}

/** The mark of each kind of line, the word for screen readers, and the tone. */
const DIFF_LOOKS = {
  added: ['+', 'Added:', 'good'],
  removed: ['-', 'Removed:', 'bad'],
} as const;

function drawDiff({ kind, text }: DiffLine, context: DrawContext): string {
  const [mark, word, tone] = DIFF_LOOKS[kind];
  const start = context.view.accessible ? word : mark;
  return INDENT + paintText({ text: `${start} ${toPlainText(text)}`, tone }, context);
}

/**
 * Draws commands that lead on. They are never broken, so that people can copy them: a purpose that
 * does not fit beside its command goes below.
 */
function drawNext(steps: readonly NextStep[], context: DrawContext): string[] {
  const { tty, columns } = context.view;
  if (!tty || steps.length === 0) return [];
  const lines = steps.map((step) => {
    const [command, purpose = ''] = typeof step === 'string' ? [step] : step;
    return {
      command: paintText(code(command), context),
      purpose: paintText(dim(purpose), context),
    };
  });
  const column = maxWidth(lines.map(({ command }) => command)) + INDENT.length;
  const fits = lines.every(({ purpose }) => INDENT.length + column + widthOf(purpose) <= columns);

  const drawn = lines.flatMap(({ command, purpose }) => {
    const gap = fits ? column - widthOf(command) : INDENT.length;
    const beside = `${INDENT}${command}${' '.repeat(gap)}${purpose}`;
    if (purpose === '' || widthOf(beside) <= columns) return [beside.trimEnd()];
    const below = wrap(purpose, columns - 2 * INDENT.length);
    return [INDENT + command, ...below.map((words) => INDENT + INDENT + words)];
  });
  return [paintText(dim('Next'), context), ...drawn];
}
