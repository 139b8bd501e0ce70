import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createIo, type IoFlags } from '../../src/terminal/io.ts';
import { fakeClock } from '../support/clock.ts';
import { until } from '../support/until.ts';
import { written } from '../support/written.ts';

const NO_FLAGS: IoFlags = { json: false, quiet: false, noInput: false, noColor: false };
const TERMINAL = { isTTY: true, columns: 80 };

interface Setup {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly terminals?: boolean;
  readonly signal?: AbortSignal;
}

function testIo({ env = {}, input = '', terminals = false, signal }: Setup = {}) {
  const clock = fakeClock();
  const looks = terminals ? TERMINAL : {};
  const stdin = Object.assign(new PassThrough(), looks);
  const stdout = Object.assign(new PassThrough(), looks);
  const stderr = Object.assign(new PassThrough(), looks);
  stdin.end(input);
  const io = createIo({ stdin, stdout, stderr, env, platform: 'linux', clock, ...(signal && { signal }) });
  return { io, clock, out: () => written(stdout), err: () => written(stderr) };
}

test.each<[string, Setup, Partial<IoFlags>, boolean]>([
  ['on terminals', { terminals: true }, {}, true],
  ['off terminals', {}, {}, false],
  ['in CI', { terminals: true, env: { CI: 'true' } }, {}, false],
  ['with an empty CI', { terminals: true, env: { CI: '' } }, {}, true],
  ['with CI=false', { terminals: true, env: { CI: 'false' } }, {}, true],
  ['with --no-input', { terminals: true }, { noInput: true }, false],
  ['with SVC_NO_INPUT', { terminals: true, env: { SVC_NO_INPUT: '1' } }, {}, false],
])('%s prompts are possible or not (%#)', (_name, setup, flags, interactive) => {
  const { io } = testIo(setup);
  io.configure({ ...NO_FLAGS, ...flags });
  expect(io.interactive).toBe(interactive);
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
  const io = createIo({ stdin, stdout: stderr, stderr, env: { ACCESSIBLE: '1' }, platform: 'linux' });
  const question = io.ask('Phone?');
  await until(() => (isShown ? written(stderr).includes('Phone?') : stdin.listenerCount('data') > 0));
  stdin.write('\u001b');
  stdin.end();
  await expect(question).rejects.toMatchObject({ code: 'interrupted' });
});

test('notes are not printed with --json or --quiet', async () => {
  const { io, err } = testIo();
  await io.note('one \u001b[31m');
  io.configure({ ...NO_FLAGS, quiet: true });
  await io.note('two');
  io.configure({ ...NO_FLAGS, json: true });
  await io.note('three');
  expect(err()).toBe('one \\u{1b}[31m\n');
});

test('warnings are printed with --quiet, with --json as a line of JSON, and are marked without colour', async () => {
  const { io, err } = testIo();
  io.configure({ ...NO_FLAGS, quiet: true });
  await io.warn(['The token expires ', { text: 'soon', tone: 'strong' }], 'test');
  io.configure({ ...NO_FLAGS, json: true });
  await io.warn(['for ', { text: 'scripts', tone: 'strong' }], 'test');
  expect(err()).toBe('Warning: The token expires soon\n{"warning":"for scripts","code":"test"}\n');
});

test('the details of a warning stand below it, and are part of it in JSON; what is secret is neither', async () => {
  const stderr = new PassThrough();
  const conceal = (text: string) => text.replaceAll('s3cret', '[redacted]');
  const io = createIo({ stdin: stderr, stdout: stderr, stderr, env: {}, platform: 'linux', conceal });
  const long = `TXT of shop: it is ${'very '.repeat(40)}long`;
  await io.warn('2 records cannot be staged:', 'cannot_be_staged', [
    long,
    ['MX of mail: ', { text: 's3cret', tone: 'dim' }],
  ]);
  io.configure({ ...NO_FLAGS, json: true });
  await io.warn('2 records cannot be staged:', 'cannot_be_staged', ['TXT of shop: too long', 'MX of mail: s3cret']);
  expect(written(stderr)).toBe(
    `Warning: 2 records cannot be staged:\n  ${long}\n  MX of mail: [redacted]\n` +
      '{"warning":"2 records cannot be staged: TXT of shop: too long; MX of mail: [redacted]","code":"cannot_be_staged"}\n',
  );
});

test('what is said is written in the order in which it was said, and before said() resolves', async () => {
  const { io, err } = testIo();
  void io.warn('first', 'test');
  void io.note('second');
  io.configure({ ...NO_FLAGS, json: true });
  void io.warn('third', 'test');
  await io.said();
  expect(err()).toBe('Warning: first\nsecond\n{"warning":"third","code":"test"}\n');
});

test('a warning is coloured on a terminal that has colours, and not with --no-color', async () => {
  const { io, err } = testIo({ terminals: true, env: { TERM: 'xterm' } });
  await io.warn('careful', 'test');
  expect(err()).toBe('\u001b[33mWarning:\u001b[39m careful\n');
  io.configure({ ...NO_FLAGS, noColor: true });
  await io.warn('careful', 'test');
  expect(err()).toBe('Warning: careful\n');
});

test('notes, warnings and progress are lost without an error if stderr has no reader', async () => {
  const stderr = new PassThrough();
  const io = createIo({ stdin: new PassThrough(), stdout: new PassThrough(), stderr, env: {}, platform: 'linux' });
  stderr.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  await io.note('one');
  await io.warn('two', 'test');
  io.progress('three').stop();
  expect(io.err.closed).toBe(true);
});

test('stdin is read whole, up to a limit', async () => {
  expect((await testIo({ input: 'a token\n' }).io.readInput(100)).toString()).toBe('a token\n');
  expect((await testIo({ input: 'x'.repeat(100) }).io.readInput(100)).length).toBe(100);
  await expect(testIo({ input: 'x'.repeat(101) }).io.readInput(100)).rejects.toMatchObject({ code: 'usage' });
});

test.each<[string, Setup, Partial<IoFlags>, number, boolean]>([
  ['ten seconds', { terminals: true }, {}, 10_000, true],
  ['a little less', { terminals: true }, {}, 9_999, false],
  ['for a screen reader', { terminals: true, env: { ACCESSIBLE: '1' } }, {}, 10_000, true],
  ['with the bell off', { terminals: true }, { bell: () => false }, 10_000, false],
  ['off a terminal', {}, {}, 10_000, false],
  ['on a dumb terminal', { terminals: true, env: { TERM: 'dumb' } }, {}, 10_000, false],
  ['in CI', { terminals: true, env: { CI: '1' } }, {}, 10_000, false],
  ['for an agent', { terminals: true, env: { SVC_AGENT: '1' } }, {}, 10_000, false],
  ['with --json', { terminals: true }, { json: true }, 10_000, false],
  ['with --quiet', { terminals: true }, { quiet: true }, 10_000, false],
])('a wait ends with a bell, or not: %s', async (_name, setup, flags, ms, rings) => {
  const { io, err, clock } = testIo(setup);
  io.configure({ ...NO_FLAGS, ...flags });
  await io.during('Working', () => clock.sleep(ms));
  expect(err()).toBe(rings ? '\u0007' : '');
});

test('a wait that a question ends rings before it; one that Ctrl-C ends does not', async () => {
  const stop = new AbortController();
  const { io, err, clock } = testIo({ terminals: true, signal: stop.signal });
  const progress = io.progress('Working');
  await clock.sleep(10_000);
  await io.aside(async () => expect(err()).toBe('\u0007'));
  await clock.sleep(10_000);
  stop.abort();
  progress.stop();
  // Nothing since.
  expect(err()).toBe('');
});
