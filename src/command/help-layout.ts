import type { Help } from 'commander';

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

/** Columns of the widest help text: longer lines are hard to read. */
export const HELP_COLUMNS = 80;

const INDENT = 2;
const GAP = 2;
/** A wider term stands on a line of its own. */
const WIDEST_TERM = 26;
/** With less room than this, a meaning goes under its term. */
const NARROWEST_MEANING = 30;

/** Draws the sections that have something to show; each begins with its title. */
export function drawSections(sections: readonly Section[], help: Help): string[] {
  const filled = sections.filter(({ rows = [], lines = [] }) => rows.length + lines.length > 0);
  return filled.map((section) => {
    const start = meaningsStart(filled.filter((other) => columnOf(other) === columnOf(section)));
    const rows = (section.rows ?? []).flatMap((row) => drawRow(row, start, help));
    return [help.styleTitle(`${section.title}:`), ...rows, ...(section.lines ?? [])].join('\n');
  });
}

/** Breaks a text into lines that fit, each behind as many spaces. */
export function wrapText(text: string, indent: number, help: Help): string[] {
  const lines = help.boxWrap(text, (help.helpWidth ?? HELP_COLUMNS) - indent).split('\n');
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}

function columnOf({ title, column = title }: Section): string {
  return column;
}

function meaningsStart(sections: readonly Section[]): number {
  const widths = sections.flatMap(({ rows = [] }) => rows.map(([term]) => term.length));
  return INDENT + Math.max(0, ...widths.filter((width) => width <= WIDEST_TERM)) + GAP;
}

function drawRow([term, meaning]: Row, start: number, help: Help): string[] {
  const head = `${' '.repeat(INDENT)}${term}`;
  const room = (help.helpWidth ?? HELP_COLUMNS) - start;
  if (room < NARROWEST_MEANING) return [head, ...wrapText(meaning, 2 * INDENT, help)];
  const lines = wrapText(meaning, start, help);
  if (term.length > WIDEST_TERM) return [head, ...lines];
  return [`${head.padEnd(start)}${lines[0]?.slice(start) ?? ''}`.trimEnd(), ...lines.slice(1)];
}
