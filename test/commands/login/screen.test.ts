import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { type Answer, against } from '../../support/against.ts';
import { ISSUED, START } from '../../support/device-login.ts';
import type { RunOptions } from '../../support/svc.ts';

interface Look extends Pick<RunOptions, 'env' | 'clock'> {
  readonly columns?: number;
  readonly start?: object;
  readonly user?: Answer;
}

/** A login that is approved at the second poll, on a terminal of so many columns; the platform gives its start. */
async function login(args: string, { env, columns = 80, start = START, user = {}, ...more }: Look = {}) {
  const answers = {
    'POST /v1/auth/device': [start],
    'POST /v1/auth/device/token': [[400, { error: 'authorization_pending' }], ISSUED],
    'GET /v1/user': [user],
  } as const;
  const terminal = { columns, rows: 30 };
  const options = { token: null, terminal, env: { TERM: 'xterm-256color', ...env }, ...more };
  const run = await against(`login ${args}`, answers, options);
  expect(run.exitCode, run.shown).toBe(0);
  return run.stderr;
}

test.each([40, 80])('every line fits into %i columns', async (columns) => {
  const shown = await login('--no-browser', { columns, user: [503] });
  const lines = wordsOf(shown).split('\n');
  const tooLong = lines.filter((line) => line.length > columns && !/https:|credentials\.json/.test(line));
  expect(tooLong.filter((line) => !/Waiting|Looking|Starting|Retrying/.test(line))).toEqual([]);
  expect(shown).toContain('\u001b[7m WDJB-MJHT \u001b[27m');
  // Without an answer, the id stands for the name.
  expect(wordsOf(shown)).toContain('Organization  org_1');
});

test('the link can be clicked, and the QR code leads to the same page', async () => {
  const shown = await login('--no-browser --qr', { env: { VTE_VERSION: '7200' } });
  const url = START.verificationUriComplete;
  expect(shown).toContain(`\u001b]8;;${url}\u001b\\`);
  const drawn = [...shown.matchAll(/\u001b\[38;5;16;48;5;231m([ █▀▄]+)\u001b\[0m/g)].map(([, row = '']) => row);
  expect(readQr(drawn)).toBe(url);
});

test.each<[where: string, look: Look, said: string]>([
  ['in a narrow window', { columns: 30 }, 'The QR code needs'],
  ['on a terminal without Unicode', { env: { LANG: 'C' } }, 'This terminal cannot show a QR code.'],
])('%s a line says why there is no QR code', async (_, look, said) => {
  expect(await login('--no-browser --qr', look)).toContain(said);
});

test('a dumb terminal gets no escape sequence', async () => {
  // The line comes only if the approval takes a moment.
  const shown = await login('--no-browser', { env: { TERM: 'dumb' }, clock: systemClock });
  expect(shown).not.toContain('\u001b');
  expect(shown).toContain('Waiting...');
});

/** The text without escape sequences. */
function wordsOf(output: string): string {
  return output.replaceAll('\r', '').replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

/** Reads a QR code that was drawn with two modules in each character, as a phone would. */
function readQr(rows: readonly string[]): string {
  const scale = 4;
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * 2 * scale];
  const isDark = (x: number, y: number) => (y % 2 === 0 ? '█▀' : '█▄').includes(rows[Math.floor(y / 2)]?.[x] ?? '?');
  const pixels = Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return isDark(Math.floor(x / scale), Math.floor(y / scale)) ? [0, 0, 0, 255] : [255, 255, 255, 255];
  });
  return decodeQR({ width, height, data: Uint8Array.from(pixels.flat()) });
}
