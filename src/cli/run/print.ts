import { type CsvTable, cellText, type TableForm, toCsv, withColumns } from '../../terminal/csv.ts';
import { drawScreen } from '../../terminal/draw.ts';
import type { Block, NextStep, Screen } from '../../terminal/screen.ts';
import type { Needs } from '../define/context.ts';

/** Prints CSV, or columns side by side. Throws a usage error for a column that is not there. */
export async function printTable(
  { io }: Needs<'io'>,
  all: CsvTable,
  form: TableForm,
): Promise<void> {
  const table = withColumns(all, form);
  const { header } = form;
  if (form.csv) {
    // Piece by piece: a million rows do not fit in one string.
    for (const piece of toCsv(table, header)) await io.out.write(piece);
    return;
  }

  const cells = [...table.rows];
  const isNumeric = (index: number) => cells.every((row) => typeof row[index] === 'number');
  const fill = (screen: Screen) => {
    screen.exact();
    screen.table({
      head: table.head.map((name, index) => ({
        name,
        whole: true,
        align: isNumeric(index) ? 'right' : 'left',
      })),
      rows: cells.map((row) => row.map(cellText)),
      alone: { header },
    });
  };
  await io.out.write(await drawScreen(fill, io.view(io.out)));
}

/** Commands whose options mean something else, or choose nothing. */
const LOCAL = /^svc (?:login|logout|link|unlink|profiles|config|completion|sandbox|help)\b/;
const TARGETED = / --(?:profile|api-url|org) /;

/** Adds the options that chose account and organization to the next steps of a screen. */
export function addTarget(blocks: readonly Block[], options: string): readonly Block[] {
  const addTo = (line: string) => {
    const isLeft = !line.startsWith('svc ') || LOCAL.test(line) || TARGETED.test(line);
    return isLeft ? line : `${line} ${options}`;
  };
  const addToStep = (step: NextStep): NextStep =>
    typeof step === 'string' ? addTo(step) : [addTo(step[0]), step[1]];
  return blocks.map((block) =>
    block.kind === 'next' ? { ...block, content: block.content.map(addToStep) } : block,
  );
}
