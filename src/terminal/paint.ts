import type { ChalkInstance } from 'chalk';
import type Table from 'cli-table3';
import { lazy } from '../lazy.ts';
import { parseUrl } from '../parse-url.ts';
import type { View } from './capabilities.ts';
import type { Line } from './layout/flow.ts';
import type { Styled, Tone } from './text.ts';

/** Everything a block needs to be drawn. */
export interface Kit {
  readonly view: View;
  readonly paint: Paint;
  /** cli-table3; loaded only for blocks that are tables. */
  readonly Table: typeof Table | undefined;
}

/** The indent of everything below a heading. */
export const INDENT = '  ';

/** Turns safe pieces into text with colours. */
type Paint = (line: Line) => string;

/** Loads chalk only for outputs with colours. */
export async function createPaint(view: View): Promise<Paint> {
  if (view.colorLevel === 0) return (line) => line.map((piece) => piece.text).join('');
  const Chalk = await lazy.chalk();
  const tones = tonesOf(new Chalk({ level: view.colorLevel }));
  const paintPiece = (piece: Styled) => {
    const painted = piece.text === '' ? '' : tones[piece.tone](piece.text);
    return view.links && piece.href !== undefined ? linked(painted, piece.href) : painted;
  };
  return (line) => line.map(paintPiece).join('');
}

/** Colours of the 256 that are readable on both light and dark backgrounds. */
export const PALETTE = { dim: 244, good: 29, warn: 136, bad: 167, accent: 32 };

function tonesOf(chalk: ChalkInstance): Record<Tone, (text: string) => string> {
  // With 16 colours the terminal's own theme decides.
  const color = (tone: keyof typeof PALETTE, named: ChalkInstance) =>
    chalk.level > 1 ? chalk.ansi256(PALETTE[tone]) : named;
  const accent = color('accent', chalk.cyan);
  return {
    plain: (text) => text,
    strong: chalk.bold,
    dim: color('dim', chalk.dim),
    good: color('good', chalk.green),
    warn: color('warn', chalk.yellow),
    bad: color('bad', chalk.red),
    accent,
    link: (text) => chalk.underline(accent(text)),
    code: accent,
    badge: (text) => chalk.bold.inverse(` ${text} `),
  };
}

/** Makes an OSC 8 link of a web address. Serializing the parsed URL removes anything that could break out of it. */
function linked(text: string, href: string): string {
  const url = parseUrl(href);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  return `\u001b]8;;${url.href}\u001b\\${text}\u001b]8;;\u001b\\`;
}
