import type { ChalkInstance } from 'chalk';
import type Table from 'cli-table3';
import { lazy } from '../lazy.ts';
import type { View } from './capabilities.ts';
import type { Line } from './layout/flow.ts';
import type { Styled, Tone } from './text.ts';

/** What drawing a block needs. */
export interface Kit {
  readonly view: View;
  readonly paint: Paint;
  /** cli-table3, where a block is a table. */
  readonly Table: typeof Table | undefined;
}

/** Columns that everything below a heading stands in. */
export const INDENT = '  ';

/** Turns safe pieces into text for an output, with its colours. */
type Paint = (line: Line) => string;

/** The paint of an output; loads chalk only where there are colours. */
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

type Colored = 'dim' | 'good' | 'warn' | 'bad' | 'accent';

/** Colours of the 256 that can be read on a light and on a dark ground alike. */
export const PALETTE: Readonly<Record<Colored, number>> = { dim: 244, good: 29, warn: 136, bad: 167, accent: 32 };

function tonesOf(chalk: ChalkInstance): Record<Tone, (text: string) => string> {
  const { dim, good, warn, bad, accent } = chalk.level > 1 ? readableColors(chalk) : namedColors(chalk);
  return {
    plain: (text) => text,
    strong: chalk.bold,
    dim,
    good,
    warn,
    bad,
    accent,
    link: (text) => chalk.underline(accent(text)),
    code: accent,
  };
}

type Colors = Record<Colored, (text: string) => string>;

function readableColors(chalk: ChalkInstance): Colors {
  return {
    dim: chalk.ansi256(PALETTE.dim),
    good: chalk.ansi256(PALETTE.good),
    warn: chalk.ansi256(PALETTE.warn),
    bad: chalk.ansi256(PALETTE.bad),
    accent: chalk.ansi256(PALETTE.accent),
  };
}

/** With 16 colours the terminal's own theme decides. */
function namedColors(chalk: ChalkInstance): Colors {
  return { dim: chalk.dim, good: chalk.green, warn: chalk.yellow, bad: chalk.red, accent: chalk.cyan };
}

/** An OSC 8 link, for web addresses only; the address is written anew so that nothing but an address gets through. */
function linked(text: string, href: string): string {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  return `\u001b]8;;${url.href}\u001b\\${text}\u001b]8;;\u001b\\`;
}
