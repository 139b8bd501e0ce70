import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createIo } from '../../src/terminal/io.ts';
import type { IoFlags } from '../../src/terminal/streams.ts';
import { fakeClock } from '../support/clock.ts';
import { IO_DEFAULTS } from '../support/io.ts';
import { until } from '../support/until.ts';
import { written } from '../support/written.ts';

const NO_FLAGS: IoFlags = {
  json: false,
  quiet: false,
  noInput: false,
  yes: false,
  noColor: false,
};
const TERMINAL = { isTTY: true, columns: 80 };

function testIo(
  looks: object = {},
  env: Record<string, string> = {},
  more: { input?: string; signal?: AbortSignal } = {},
) {
  const clock = fakeClock();
  const [stdin, stdout, stderr] = [0, 1, 2].map(() => Object.assign(new PassThrough(), looks)) as [
    PassThrough,
    PassThrough,
    PassThrough,
  ];
  stdin.end(more.input ?? '');
  const conceal = (text: string) => text.replaceAll('s3cret', '[redacted]');
  const streams = { stdin, stdout, stderr };
  const parts = { ...IO_DEFAULTS, clock, conceal, ...more };
  const io = createIo({ ...parts, ...streams, env, platform: 'linux' });
  return { io, clock, stderr, err: () => written(stderr) };
}

test.each<
  [
    string,
    object,
    Record<string, string>,
    Partial<IoFlags>,
    [asks: boolean, spins: boolean, rings: boolean],
  ]
>([
  ['on a terminal', TERMINAL, {}, {}, [true, true, true]],
  ['off a terminal', {}, {}, {}, [false, false, false]],
  ['in CI', TERMINAL, { CI: 'true' }, {}, [false, false, false]],
  ['with CI=false', TERMINAL, { CI: 'false' }, {}, [true, true, true]],
  ['with --no-input', TERMINAL, {}, { noInput: true }, [false, true, true]],
  ['with --yes', TERMINAL, {}, { yes: true }, [false, true, true]],
  ['with SVC_NO_INPUT', TERMINAL, { SVC_NO_INPUT: '1' }, {}, [false, true, true]],
  ['for an agent', TERMINAL, { SVC_AGENT: '1' }, {}, [false, false, false]],
  ['for a screen reader', TERMINAL, { ACCESSIBLE: '1' }, {}, [true, false, true]],
  ['on a dumb terminal', TERMINAL, { TERM: 'dumb' }, {}, [true, false, false]],
  ['with --json', TERMINAL, {}, { json: true }, [true, false, false]],
  ['with --quiet', TERMINAL, {}, { quiet: true }, [true, false, false]],
  ['with the bell off', TERMINAL, {}, { bell: () => false }, [true, true, false]],
])('%s it is decided whether svc asks, spins, rings', (_where, looks, env, flags, is) => {
  const { io } = testIo(looks, env);
  io.configure({ ...NO_FLAGS, ...flags });
  expect([io.interactive, io.spinner, io.bell]).toEqual(is);
});

test('a question off a terminal is refused before it is shown', async () => {
  const { io, err } = testIo();
  await expect(io.confirm('Sure?')).rejects.toMatchObject({ code: 'usage' });
  expect(err()).toBe('');
});

test.each([
  ['before a question in single lines is shown', false],
  ['behind an Esc at it', true],
])('a terminal that goes %s cancels it, and nothing is left unhandled', async (_when, isShown) => {
  const stdin = Object.assign(new PassThrough(), TERMINAL, { setRawMode: () => true });
  const stderr = Object.assign(new PassThrough(), TERMINAL);
  const io = createIo({
    ...IO_DEFAULTS,
    stdin,
    stdout: stderr,
    stderr,
    env: { ACCESSIBLE: '1' },
    platform: 'linux',
  });
  const question = io.ask('Phone?');
  await until(() =>
    isShown ? written(stderr).includes('Phone?') : stdin.listenerCount('data') > 0,
  );
  stdin.write('\u001b');
  stdin.end();
  await expect(question).rejects.toMatchObject({ code: 'interrupted' });
});

test('notes and warnings come in their order, safe, each as the flags want it', async () => {
  const { io, err } = testIo();
  void io.warn(['The token expires ', { text: 'soon', tone: 'strong' }], 'test');
  void io.note('one \u001b[31m');
  io.configure({ ...NO_FLAGS, quiet: true });
  void io.warn('two', 'test');
  void io.note('never');
  io.configure({ ...NO_FLAGS, json: true });
  void io.note('never');
  void io.warn('three', 'test');
  await io.said();
  expect(err()).toBe(
    'Warning: The token expires soon\none \\u{1b}[31m\nWarning: two\n{"warning":"three","code":"test"}\n',
  );
});

test('the details of a warning stand below it, and are part of it in JSON; what is secret is neither', async () => {
  const { io, err } = testIo();
  const long = `TXT of shop: it is ${'very '.repeat(40)}long`;
  await io.warn('2 records:', 'test', [long, ['MX of mail: ', { text: 's3cret', tone: 'dim' }]]);
  expect(err()).toBe(`Warning: 2 records:\n  ${long}\n  MX of mail: [redacted]\n`);
  io.configure({ ...NO_FLAGS, json: true });
  await io.warn('2 records:', 'test', ['TXT', 'MX of mail: s3cret']);
  expect(err()).toBe('{"warning":"2 records: TXT; MX of mail: [redacted]","code":"test"}\n');
});

test('notes, warnings and progress are lost without an error if stderr has no reader', async () => {
  const { io, stderr } = testIo();
  stderr.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  await io.note('one');
  await io.warn('two', 'test');
  io.progress('three').stop();
  expect(io.err.closed).toBe(true);
});

test('stdin is read whole, up to a limit', async () => {
  const read = (length: number) => testIo({}, {}, { input: 'x'.repeat(length) }).io.readInput(100);
  expect(String(await read(100))).toBe('x'.repeat(100));
  await expect(read(101)).rejects.toMatchObject({ code: 'usage' });
});

test('a wait of ten seconds ends with a bell, before a question too; one that Ctrl-C ends does not', async () => {
  const stop = new AbortController();
  const { io, err, clock } = testIo(TERMINAL, {}, { signal: stop.signal });
  await io.during('Working', () => clock.sleep(9_999));
  expect(err()).toBe('');
  const progress = io.progress('Working');
  await clock.sleep(10_000);
  await io.whileHidden(async () => expect(err()).toBe('\u0007'));
  await clock.sleep(10_000);
  stop.abort();
  progress.stop();
  // Nothing since.
  expect(err()).toBe('');
});
