/** A row of a section: what is typed, and what it means. */
export type Row = readonly [term: string, meaning: string];

/** A part of a help text. */
export interface Section {
  readonly title: string;
  readonly rows?: readonly Row[];
  /** Sections of the same column have their meanings below each other; the title unless given. */
  readonly column?: string;
  /** Lines that are shown as they are, instead of rows. */
  readonly lines?: readonly string[];
}

/** How a help text is drawn. */
export interface HelpForm {
  /** Columns of the terminal; the text is never wider than 80. */
  readonly columns: number;
  /** Whether titles are bold. */
  readonly bold: boolean;
}

/** Longer lines are hard to read. */
const WIDEST = 80;
/** Columns below which text is not broken. */
const NARROWEST = 20;
const INDENT = 2;
const GAP = 2;
/** A wider term stands on a line of its own. */
const WIDEST_TERM = 26;
/** With less room than this, a meaning goes under its term. */
const NARROWEST_MEANING = 30;

/** Draws the sections that have something to show; each begins with its title. */
export function drawSections(sections: readonly Section[], form: HelpForm): string[] {
  const filled = sections.filter(({ rows = [], lines = [] }) => rows.length + lines.length > 0);
  return filled.map((section) => {
    const start = meaningsStart(filled.filter((other) => columnOf(other) === columnOf(section)));
    const rows = (section.rows ?? []).flatMap((row) => drawRow(row, start, form));
    const title = `${section.title}:`;
    return [form.bold ? `\u001B[1m${title}\u001B[22m` : title, ...rows, ...(section.lines ?? [])].join('\n');
  });
}

/** Breaks a text at its spaces into lines that fit, each behind as many spaces. */
export function wrapText(text: string, indent: number, { columns }: HelpForm): string[] {
  const width = Math.min(columns, WIDEST) - indent;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (width < NARROWEST || line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}

function columnOf({ title, column = title }: Section): string {
  return column;
}

function meaningsStart(sections: readonly Section[]): number {
  const widths = sections.flatMap(({ rows = [] }) => rows.map(([term]) => term.length));
  return INDENT + Math.max(0, ...widths.filter((width) => width <= WIDEST_TERM)) + GAP;
}

function drawRow([term, meaning]: Row, start: number, form: HelpForm): string[] {
  const head = `${' '.repeat(INDENT)}${term}`;
  const room = Math.min(form.columns, WIDEST) - start;
  if (room < NARROWEST_MEANING) return [head, ...wrapText(meaning, 2 * INDENT, form)];
  const lines = wrapText(meaning, start, form);
  if (term.length > WIDEST_TERM) return [head, ...lines];
  return [`${head.padEnd(start)}${lines[0]?.slice(start) ?? ''}`.trimEnd(), ...lines.slice(1)];
}
