import type { ChalkInstance } from 'chalk';
import { lazy } from '../lazy.ts';
import type { Line } from './flow.ts';
import type { Styled, Tone } from './text.ts';
import type { View } from './view.ts';

/** Turns safe pieces into text for an output, with its colours. */
export type Paint = (line: Line) => string;

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

function tonesOf(chalk: ChalkInstance): Record<Tone, (text: string) => string> {
  return {
    plain: (text) => text,
    strong: chalk.bold,
    // A grey that is readable on light and dark; with 16 colours only the terminal knows such a one.
    dim: chalk.level > 1 ? chalk.ansi256(244) : chalk.dim,
    good: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    accent: chalk.cyan,
    link: chalk.cyan.underline,
    code: chalk.cyan,
  };
}

/** An OSC 8 link, for web addresses only; the address is written anew so that nothing but an address gets through. */
function linked(text: string, href: string): string {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  return `\u001b]8;;${url.href}\u001b\\${text}\u001b]8;;\u001b\\`;
}
