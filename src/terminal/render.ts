import widthOf from 'fast-string-width';
import { lazy } from '../lazy.ts';
import type { HeavyBlock } from './charts/drawings.ts';
import { expandRest } from './layout/rest.ts';
import {
  createPaint,
  type DrawContext,
  drawFields,
  INDENT,
  paintText,
  sharedColumn,
  textColumns,
  unmarked,
  wrap,
} from './layout/text.ts';
import { maskSecrets, maskText } from './mask.ts';
import { safeText } from './safe-text.ts';
import {
  type Block,
  code,
  type DiffLine,
  dim,
  type NextStep,
  type Styled,
  strong,
  type Text,
  toPieces,
  toPlainText,
} from './screen.ts';
import type { View } from './terminal.ts';

/**
 * Draws blocks as text in which every line ends with a newline. Masks passwords, tokens and keys
 * unless the screen is exact. `withDefaultSignals` runs the drawing, which takes as long as the answer is
 * large; see `Io`.
 */
export async function render(
  all: readonly Block[],
  output: View,
  withDefaultSignals: <T>(work: () => T) => T = (work) => work(),
): Promise<string> {
  const isExact = all.some(({ kind }) => kind === 'exact');
  // Secrets inside text are masked when the text is drawn.
  const conceal = isExact
    ? output.conceal
    : (text: string) => maskText(output.conceal?.(text) ?? text);
  const view: View = { ...output, conceal, zones: new Map() };
  const hasTable = all.some(({ kind }) => kind === 'table' || kind === 'series');
  const context: DrawContext = {
    view,
    paint: await createPaint(view),
    Table: hasTable ? await lazy.table() : undefined,
  };
  const { drawHeavyBlock } = all.some(isHeavy)
    ? await import('./charts/drawings.ts')
    : { drawHeavyBlock: () => [] };
  return withDefaultSignals(() =>
    drawAll(expandRest(isExact ? all : all.map(maskRest), view), context, drawHeavyBlock),
  );
}

/** Exact text and nothing else is data for another program, such as a zone file. */
export function isData(blocks: readonly Block[]): boolean {
  return (
    blocks[0]?.kind === 'exact' &&
    blocks.every(({ kind }) => kind === 'exact' || kind === 'verbatim')
  );
}

const MAX_TERM = 44;

function maskRest(block: Block): Block {
  return block.kind === 'rest'
    ? { ...block, values: block.values.map((value) => maskSecrets(value)) }
    : block;
}

function drawAll(
  blocks: readonly Block[],
  context: DrawContext,
  drawHeavy: (block: HeavyBlock, context: DrawContext) => string[],
): string {
  const fields = blocks.flatMap((block) =>
    block.kind === 'fields' && !block.areTerms ? block.rows : [],
  );
  const column = sharedColumn(fields, context);
  const lines: string[] = [];
  let before: Block | undefined;
  for (const block of blocks) {
    const drawn = isHeavy(block) ? drawHeavy(block, context) : draw(block, context, column);
    if (drawn.length === 0) continue;
    if (needsGap(block, before) && lines.at(-1) !== '') lines.push('');
    for (const line of drawn) lines.push(line);
    before = block;
  }
  return lines.map((line) => `${unmarked(line)}\n`).join('');
}

function isHeavy(block: Block): block is HeavyBlock {
  return block.kind === 'table' || block.kind === 'series' || block.kind === 'charts';
}

function needsGap(block: Block, before: Block | undefined): boolean {
  if (before === undefined || (block.kind === 'line' && block.text === '')) return false;
  if (block.kind === 'heading') return true;
  const introduces =
    (before.kind === 'line' || before.kind === 'warning') && toPlainText(before.text).endsWith(':');
  const isOfMessage = (isMessage(block) || block.kind === 'fields') && isMessage(before);
  return before.kind !== 'heading' && !introduces && !isOfMessage;
}

function isMessage({ kind }: Block): boolean {
  return kind === 'line' || kind === 'success' || kind === 'warning';
}

function draw(block: Exclude<Block, HeavyBlock>, context: DrawContext, column: number): string[] {
  switch (block.kind) {
    case 'line':
      return drawText(block.text, context);
    case 'heading':
      return drawText(
        toPieces(block.text).map((piece) => {
          if (typeof piece === 'string') return strong(piece);
          return piece.tone === 'plain' ? { ...piece, tone: 'strong' } : piece;
        }),
        context,
      );
    case 'success':
      return drawMarked(
        { text: context.view.unicode ? '✓' : 'OK', tone: 'good' },
        block.text,
        context,
      );
    case 'warning':
      return drawMarked({ text: '!', tone: 'warn' }, block.text, context);
    case 'fields':
      if (block.areTerms)
        return drawFields(
          block.rows,
          context,
          sharedColumn(block.rows, context, MAX_TERM),
          'strong',
        );
      return drawFields(block.rows, context, column);
    case 'list':
      return drawList(block.items, block.numbered, context);
    case 'diff':
      return block.lines.map((line) => drawDiff(line, context));
    case 'verbatim':
      return drawVerbatim(block.text, context);
    case 'next':
      return drawNext(block.steps, context);
    case 'rest':
    case 'exact':
      return [];
  }
}

function drawText(text: Text, context: DrawContext): string[] {
  return wrap(paintText(text, context), textColumns(context.view));
}

/** Unlike {@link paintText}, keeps newlines. */
function drawVerbatim(text: Text, { view, paint }: DrawContext): string[] {
  const pieces = toPieces(text).map((piece) => {
    const { text: words, tone } =
      typeof piece === 'string' ? { text: piece, tone: 'plain' as const } : piece;
    return paint(safeText(view.conceal?.(words) ?? words), tone);
  });
  return pieces.join('').replace(/\n$/, '').split('\n');
}

function drawMarked(mark: Styled, text: Text, context: DrawContext, indent = ''): string[] {
  const room = textColumns(context.view) - indent.length - mark.text.length - 1;
  const hang = ' '.repeat(mark.text.length + 1);
  return wrap(paintText(text, context), room).map(
    (line, index) => indent + (index === 0 ? `${paintText(mark, context)} ` : hang) + line,
  );
}

function drawList(items: readonly Text[], numbered: boolean, context: DrawContext): string[] {
  const widest = String(items.length).length;
  const bullet = context.view.unicode ? '•' : '-';
  return items.flatMap((item, index) => {
    const mark = numbered ? `${String(index + 1).padStart(widest)}.` : bullet;
    return drawMarked({ text: mark, tone: 'dim' }, item, context, INDENT);
  });
}

function drawDiff({ kind, text }: DiffLine, context: DrawContext): string {
  const { mark, word, tone } = DIFF_LOOKS[kind];
  return (
    INDENT +
    paintText(
      { text: `${context.view.accessible ? word : mark} ${toPlainText(text)}`, tone },
      context,
    )
  );
}

const DIFF_LOOKS = {
  added: { mark: '+', word: 'Added:', tone: 'good' },
  removed: { mark: '-', word: 'Removed:', tone: 'bad' },
} as const;

/**
 * Commands are never broken, so that people can copy them. A purpose that does not fit beside its
 * command goes below.
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
  const widest = Math.max(...lines.map(({ command }) => widthOf(command))) + INDENT.length;
  const fits = lines.every(({ purpose }) => INDENT.length + widest + widthOf(purpose) <= columns);
  const drawn = lines.flatMap(({ command, purpose }) => {
    const beside =
      INDENT + command + ' '.repeat(fits ? widest - widthOf(command) : INDENT.length) + purpose;
    if (purpose === '' || widthOf(beside) <= columns) return [beside.trimEnd()];
    return [
      INDENT + command,
      ...wrap(purpose, columns - 2 * INDENT.length).map((words) => INDENT + INDENT + words),
    ];
  });
  return [paintText(dim('Next'), context), ...drawn];
}
