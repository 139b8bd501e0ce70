/**
 * Rows as a Markdown table whose columns line up, so that it reads well without being rendered.
 * @param {readonly string[]} head
 * @param {ReadonlyArray<readonly string[]>} rows
 */
export function table(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/**
 * The first column is text, the others are numbers.
 * @param {string} cell
 * @param {number} width
 * @param {number} column
 */
function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
