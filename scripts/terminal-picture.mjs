// Draws docs/terminal.svg and docs/live.svg, the pictures of the README: what svc shows against a sandbox, in its own colours.
// Run it again when that output changes: node scripts/terminal-picture.mjs
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';

const ROOT = join(import.meta.dirname, '..');
const COMMANDS = ['svc metrics --history --since 1d --series cpuPercent', 'svc domains import baobab-travel.example'];
const COLUMNS = 82;
const LIVE = { cols: 96, rows: 26 };
const [CELL, LINE, EDGE, BAR] = [8.4, 19, 20, 36];
const [GROUND, TEXT, DIM] = ['#14171c', '#d7dae0', '#8b929e'];
/** The colours 0 to 7 of a dark terminal. */
const THEME = ['#3b4048', '#f2777a', '#7ec699', '#f0c674', '#6cb6ff', '#d2a8ff', '#66cccc', TEXT];
/** @typedef {{ fill: string | undefined, bold: boolean, dim: boolean }} Style */

/** What the codes of an SGR sequence set. @type {Readonly<Record<number, Partial<Style>>>} */
const STYLES = {
  0: { fill: undefined, bold: false, dim: false },
  1: { bold: true },
  2: { dim: true },
  22: { bold: false, dim: false },
  39: { fill: undefined },
  ...Object.fromEntries(THEME.flatMap((fill, index) => [30, 90].map((first) => [first + index, { fill }]))),
  90: { fill: DIM },
};

picture('docs/terminal.svg', 'svc in a terminal', COLUMNS, record().trimEnd().split('\n'));
picture('docs/live.svg', 'svc metrics --watch in a terminal', LIVE.cols, await recordLive());

/**
 * @param {string} file
 * @param {string} title
 * @param {number} columns
 * @param {string[]} lines with SGR sequences
 */
function picture(file, title, columns, lines) {
  const [width, height] = [Math.ceil(columns * CELL + 2 * EDGE), lines.length * LINE + BAR + EDGE];
  const dots = ['#f2777a', '#f0c674', '#7ec699'].map(
    (fill, index) => `<circle cx="${EDGE + 6 + index * 20}" cy="20" r="6" fill="${fill}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>
${dots.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${TEXT}" xml:space="preserve">
${lines.map(drawLine).filter(Boolean).join('\n')}
</g>
</svg>
`;
  writeFileSync(join(ROOT, file), svg);
  process.stdout.write(`wrote ${file} (${svg.length} bytes)\n`);
}

/**
 * Runs the live view until it shows a week, and returns its last frame.
 * @returns {Promise<string[]>}
 */
function recordLive() {
  const { NO_COLOR: _, ...rest } = process.env;
  const env = { ...rest, TERM: 'xterm-256color', FORCE_COLOR: '2', TZ: 'UTC', LANG: 'C.UTF-8' };
  const args = [join(ROOT, 'bin/svc.cjs'), 'sandbox', 'exec', '--', process.execPath, join(ROOT, 'bin/svc.cjs')];
  const terminal = spawn(process.execPath, [...args, 'metrics', '--watch', '--since', '7d'], { ...LIVE, env });
  let text = '';
  return new Promise((resolve) => {
    terminal.onData((data) => {
      text += data;
      const frame = text.split('\u001b[H').at(-1) ?? '';
      const words = frame.replaceAll(/\u001b\[[\d;]*m/g, '');
      if (/┤/.test(words) && /quit/.test(words)) terminal.write('q');
    });
    terminal.onExit(() => {
      const frame = text.split('\u001b[H').findLast((one) => /┤/.test(one)) ?? '';
      const shown = (frame.split('\u001b[?')[0] ?? '').replaceAll('\r', '').replaceAll(/\u001b\[[KJ]/g, '');
      resolve(shown.split('\n'));
    });
  });
}

/** Runs the commands against one sandbox, each below its prompt. */
function record() {
  const svc = `"${process.execPath}" "${join(ROOT, 'bin/svc.cjs')}"`;
  const script = COMMANDS.map((command) => `printf '%s\\n' '\u001b[2m$\u001b[0m ${command}'; ${command}; echo`).join(
    '\n',
  );
  const args = [join(ROOT, 'bin/svc.cjs'), 'sandbox', 'exec', '--', 'bash', '-c', `svc() { ${svc} "$@"; }\n${script}`];
  const { NO_COLOR: _, ...rest } = process.env;
  const env = { ...rest, FORCE_COLOR: '2', TZ: 'UTC' };
  return execFileSync(process.execPath, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/**
 * Draws a line as pieces of one style, each at its column, so that no font moves what follows it.
 * @param {string} line
 * @param {number} row
 */
function drawLine(line, row) {
  /** @type {Style} */
  const style = { fill: undefined, bold: false, dim: false };
  let column = 0;
  /** @type {string[]} */
  const pieces = [];
  for (const [, codes = '', text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (text === undefined) apply(style, codes);
    else {
      for (const word of text.matchAll(/\S+(?: \S+)*/g))
        pieces.push(drawPiece(word[0], column + word.index, row, style));
      column += text.length;
    }
  }
  return pieces.join('');
}

/**
 * @param {string} text
 * @param {number} column
 * @param {number} row
 * @param {Style} style
 */
function drawPiece(text, column, row, { fill, bold, dim }) {
  const color = fill ?? (dim ? DIM : undefined);
  const look = `${color === undefined ? '' : ` fill="${color}"`}${bold ? ' font-weight="bold"' : ''}`;
  const at = `x="${(EDGE + column * CELL).toFixed(1)}" y="${BAR + (row + 1) * LINE - 5}"`;
  const length = `textLength="${(text.length * CELL).toFixed(1)}"`;
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text ${at} ${length}${look}>${safe}</text>`;
}

/**
 * Applies the codes of an SGR sequence.
 * @param {Style} style
 * @param {string} codes
 */
function apply(style, codes) {
  for (const [code, color] of codes.matchAll(/38;5;(\d+)|\d+/g))
    Object.assign(style, color === undefined ? STYLES[Number(code)] : { fill: colorOf(Number(color)) });
}

/**
 * A colour of the 256: one of the theme, a cell of the cube, or a grey.
 * @param {number} number
 */
function colorOf(number) {
  if (number < 16) return THEME[number % 8];
  if (number >= 232) return DIM;
  const cell = number - 16;
  const channel = (/** @type {number} */ level) => (level === 0 ? 0 : 55 + level * 40);
  const [red, green, blue] = [Math.floor(cell / 36), Math.floor(cell / 6) % 6, cell % 6];
  return `rgb(${channel(red)},${channel(green)},${channel(blue)})`;
}
