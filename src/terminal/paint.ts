import type { ChalkInstance } from 'chalk';
import type Table from 'cli-table3';
import { lazy } from '../lazy.ts';
import { parseUrl } from '../parse-url.ts';
import type { Line } from './layout/flow.ts';
import type { Styled, Tone } from './screen.ts';
import type { View } from './terminal.ts';

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

/** A grey of the 256 that is readable on light and dark backgrounds; every other colour is the theme's own. */
export const DIM = 244;

/** The same colours as those of prompts and spinners. */
function tonesOf(chalk: ChalkInstance): Record<Tone, (text: string) => string> {
  return {
    plain: (text) => text,
    strong: chalk.bold,
    dim: chalk.level > 1 ? chalk.ansi256(DIM) : chalk.dim,
    good: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    accent: chalk.cyan,
    link: chalk.cyan.underline,
    code: chalk.cyan,
    badge: (text) => chalk.bold.inverse(` ${text} `),
  };
}

/** Makes an OSC 8 link of a web address. Serializing the parsed URL removes anything that could break out of it. */
function linked(text: string, href: string): string {
  const url = parseUrl(href);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return text;
  return `\u001b]8;;${url.href}\u001b\\${text}\u001b]8;;\u001b\\`;
}
