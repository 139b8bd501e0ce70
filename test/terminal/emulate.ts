/** A title, a cursor move, an erasure, or another control sequence; or one character. */
const PIECE = /\u001b\][^\u0007]*\u0007|\u001b\[([\d;?]*)([A-Za-z])|\u001b.|[\s\S]/gu;

/**
 * Returns the lines that a terminal of this width shows after an output, as far as questions and
 * live views write. Nothing scrolls, so the lines above its first row are kept.
 */
export function emulate(output: string, columns = 80): string[] {
  let lines: string[][] = [[]];
  let row = 0;
  let column = 0;
  const move = (count: number, way: string) => {
    if (way === 'A') row = Math.max(0, row - count);
    if (way === 'B') row += count;
    if (way === 'C') column = Math.min(columns - 1, column + count);
    if (way === 'D') column = Math.max(0, column - count);
    if (way === 'G') column = count - 1;
  };
  const erase = (way: string, part: string) => {
    if (way === 'J' && part === '') lines = lines.slice(0, row + 1);
    if (way === 'K' && part === '2') lines[row] = [];
    else lines[row]?.splice(column);
  };
  const print = (character: string) => {
    if (column >= columns) {
      row += 1;
      column = 0;
    }
    while (lines.length <= row) lines.push([]);
    const line = lines[row] ?? [];
    while (line.length < column) line.push(' ');
    line[column] = character;
    column += 1;
  };

  for (const [piece, part = '', way] of output.matchAll(PIECE)) {
    if (piece === '\n') row += 1;
    else if (piece === '\r') column = 0;
    else if (way === 'J' || way === 'K') erase(way, part);
    else if (way !== undefined) move(Number(part.split(';')[0] || '1'), way);
    else if (!/\p{Cc}/u.test(piece)) print(piece);
    while (lines.length <= row) lines.push([]);
  }
  return lines.map((line) => line.join('').trimEnd());
}
