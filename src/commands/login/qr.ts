import type { CommandIo } from '../../cli/define/context.ts';
import { lazy } from '../../lazy.ts';

const BORDER = 2;

/** Black on white whatever the theme is, since not every reader takes the reverse. */
const [PAPER, END] = ['\u001b[38;5;16;48;5;231m', '\u001b[0m'];

/** Two modules in each character; says so if this terminal cannot show a QR code. */
export async function showQr(io: CommandIo, url: string): Promise<void> {
  const encode = await lazy.qr();
  const rows = encode(url, 'raw', { ecc: 'low', border: BORDER });
  const width = rows.length;
  if (!io.unicode || io.accessible)
    return io.note('This terminal cannot show a QR code. Use the link above.');
  if (width > io.err.columns)
    return io.note(`The QR code needs ${width} columns. Make the window wider, or use the link.`);
  const isColored = io.err.colorLevel > 0;
  const lines = [];
  for (let row = 0; row < width; row += 2) {
    const cells = Array.from({ length: width }, (_, column) => {
      const [above, below] = [rows[row]?.[column] ?? false, rows[row + 1]?.[column] ?? false];
      // Without colours the white modules are drawn: most terminals are dark.
      return isColored ? cell(above, below) : cell(!above, !below);
    });
    lines.push(isColored ? `${PAPER}${cells.join('')}${END}` : cells.join(''));
  }
  await io.err.write(`\n${lines.join('\n')}\n`).catch(() => undefined);
}

function cell(above: boolean, below: boolean): string {
  if (above) return below ? '█' : '▀';
  return below ? '▄' : ' ';
}
