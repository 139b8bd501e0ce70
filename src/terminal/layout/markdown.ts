import type { View } from '../capabilities.ts';
import { maskText } from '../mask-text.ts';
import type { Block, FieldRow, TableOptions, Text } from '../screen.ts';
import { safePieces } from './flow.ts';
import { expandRest } from './rest.ts';

/** Characters that mean something in GitHub's Markdown, wherever they stand. */
const MARKS = /[\\`*_[\]<>|~&#]/g;
/** What makes a list or a rule of a line that begins with it. */
const LINE_START = /^(?:[-+=]|\d+(?=[.)]))/;

/**
 * Writes blocks as GitHub's Markdown, a text for each block that shows anything. Fields and tables become tables; what is
 * drawn, such as charts, is a block of code that looks as in a pipe. A screen that shows secrets is left out.
 * @param draw draws a block as text for a pipe
 */
export async function toMarkdown(
  blocks: readonly Block[],
  output: View,
  draw: (block: Block, view: View) => Promise<string>,
): Promise<string[]> {
  if (blocks.some(({ kind }) => kind === 'exact')) return ['The result may contain secrets, so it is left out here.'];
  const conceal = (text: string) => maskText(output.conceal?.(text) ?? text);
  const view: View = { ...output, tty: false, colorLevel: 0, links: false, accessible: false, unicode: true, conceal };
  const parts = expandRest(blocks, view).map(async (block) => write(block, view) ?? fenced(await draw(block, view)));
  return (await Promise.all(parts)).filter((text) => text !== '');
}

/** Escapes text of any origin for a line of Markdown. */
export function markdownText(text: string): string {
  const escaped = text.replace(MARKS, '\\$&');
  return escaped.replace(LINE_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));
}

/** Returns undefined for a block that only its drawing shows. */
function write(block: Block, view: View): string | undefined {
  const words = (text: Text) => inline(text, view);
  switch (block.kind) {
    case 'line':
      return words(block.text);
    case 'heading':
      return `#### ${words(block.text)}`;
    case 'success':
      return `✓ ${words(block.text)}`;
    case 'warning':
      return `**!** ${words(block.text)}`;
    case 'fields':
      return writeFields(block.rows, view);
    case 'list':
      return block.items.map((item, index) => `${block.numbered ? `${index + 1}.` : '-'} ${words(item)}`).join('\n');
    case 'table':
      return writeTable(block.table, view);
    case 'next':
      // Commands to type belong on a terminal.
      return '';
    default:
      return undefined;
  }
}

function writeFields(rows: readonly FieldRow[], view: View): string {
  return tableOf(
    ['', ''],
    ['---', '---'],
    rows.map(([label, value]) => [inline(label, view), inline(value, view)]),
  );
}

function writeTable({ head, rows, max = rows.length }: TableOptions, view: View): string {
  const columns = head.map((column) => (typeof column === 'string' ? { name: column } : column));
  const rules = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
  const cells = rows.slice(0, max).map((row) => columns.map((_, index) => inline(row[index] ?? '', view)));
  const table = tableOf(
    columns.map(({ name }) => inline(name, view)),
    rules,
    cells,
  );
  return rows.length > max ? `${table}\n\n${max} of ${rows.length} shown` : table;
}

function tableOf(heads: readonly string[], rules: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, rules, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function inline(text: Text, view: View): string {
  return safePieces(text, view)
    .map(({ text: safe, tone }) => {
      if (tone === 'code' && !/[`|]/.test(safe) && safe.trim() !== '') return `\`${safe}\``;
      const escaped = markdownText(safe);
      return (tone === 'bad' || tone === 'strong') && safe.trim() === safe && safe !== '' ? `**${escaped}**` : escaped;
    })
    .join('');
}

/** A block of code with a fence that is longer than any in the text. */
function fenced(text: string): string {
  if (text === '') return '';
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([found]) => found.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}${fence}`;
}
