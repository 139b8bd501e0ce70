import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { fakeClock } from '../../support/clock.ts';
import { ISSUED, START } from '../../support/device-login.ts';
import { type RunOptions, svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const TERMINAL = { TERM: 'xterm-256color' };

/** A login that is approved at the second poll, on a terminal of so many columns; the platform gives its start. */
async function login(args: readonly string[], { env, columns = 80, start = START, ...more }: Look = {}) {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, start);
  wire.on('POST', '/v1/auth/device/token').reply(400, { error: 'authorization_pending' }).reply(200, ISSUED);
  wire.on('GET', '/v1/user').always(503);
  const terminal = { columns, rows: 30 };
  const run = await svc(['login', ...args], {
    url: wire.url,
    token: null,
    clock: fakeClock(),
    terminal,
    env: { ...TERMINAL, ...env },
    ...more,
  });
  expect(run.exitCode, run.shown).toBe(0);
  return run.stderr;
}

interface Look extends Pick<RunOptions, 'env' | 'clock'> {
  readonly columns?: number;
  readonly start?: object;
}

test.each<[name: string, env: Record<string, string>, args: readonly string[]]>([
  ['over SSH', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, []],
  ['with --no-browser', {}, ['--no-browser']],
  ['with SVC_NO_BROWSER', { SVC_NO_BROWSER: '1' }, []],
])('%s no browser is opened, and the link is shown', async (_, env, args) => {
  const shown = await login(args, { env: { BROWSER: '/bin/false', ...env } });
  expect(shown).toContain(START.verificationUriComplete);
  expect(shown).not.toMatch(/Opening|Could not open/);
});

test.each([40, 50, 80])('every line fits into %i columns', async (columns) => {
  const shown = await login(['--no-browser', '--name', 'marie-laptop'], { columns });
  const lines = wordsOf(shown).split('\n');
  const tooLong = lines.filter((line) => line.length > columns && !/https:|credentials\.json/.test(line));
  expect(tooLong.filter((line) => !/Waiting|Looking|Starting|Retrying/.test(line))).toEqual([]);
  expect(shown).toContain('\u001b[7m WDJB-MJHT \u001b[27m');
  // Without an answer, the id stands for the name.
  expect(wordsOf(shown)).toContain('Organization  org_1');
});

test('the link can be clicked, and the QR code leads to the same page', async () => {
  const shown = await login(['--no-browser', '--qr'], { env: { VTE_VERSION: '7200' } });
  const url = START.verificationUriComplete;
  expect(shown).toContain(`\u001b]8;;${url}\u001b\\`);
  const drawn = [...shown.matchAll(/\u001b\[38;5;16;48;5;231m([ █▀▄]+)\u001b\[0m/g)].map(([, row = '']) => row);
  expect(readQr(drawn)).toBe(url);
});

test.each<[where: string, look: Look, said: string]>([
  ['in a narrow window', { columns: 30 }, 'The QR code needs'],
  ['on a terminal without Unicode', { env: { LANG: 'C' } }, 'This terminal cannot show a QR code.'],
])('%s a line says why there is no QR code', async (_, look, said) => {
  expect(await login(['--no-browser', '--qr'], look)).toContain(said);
});

test('a long link to another host is left out, and so is the QR code', async () => {
  const start = { ...START, verificationUriComplete: 'https://evil.example/\u001b]8;;x' };
  const shown = await login(['--qr'], { start, env: { BROWSER: '/bin/true', VTE_VERSION: '7200' } });
  expect(shown).toContain(START.verificationUri);
  expect(shown).not.toContain('evil');
});

test.each<[what: string, env: Record<string, string>, never: RegExp]>([
  ['a dumb terminal gets no escape sequence', { TERM: 'dumb' }, /\u001b/],
  ['NO_COLOR leaves out the colours', { NO_COLOR: '1' }, /\u001b\[[\d;]*m/],
])('%s', async (_, env, never) => {
  // The line comes only if the approval takes a moment.
  const shown = await login(['--no-browser'], { env, clock: systemClock });
  expect(shown).not.toMatch(never);
  expect(shown).toContain('Waiting for approval...');
});

/** The text without escape sequences. */
function wordsOf(output: string): string {
  return output.replaceAll('\r', '').replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

/** Reads a QR code that was drawn with two modules in each character, as a phone would. */
function readQr(rows: readonly string[]): string {
  const scale = 4;
  const modules = rows.flatMap((row) => [
    [...row].map((cell) => '█▀'.includes(cell)),
    [...row].map((cell) => '█▄'.includes(cell)),
  ]);
  const [width, height] = [(modules[0]?.length ?? 0) * scale, modules.length * scale];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return decodeQR({ width, height, data });
}
