import fc from 'fast-check';
import { isObject } from '../../src/json/values.ts';
import { HARMFUL, JOINED_EMOJI } from '../../src/terminal/safe-text.ts';
import { anyCharacter } from '../support/property.ts';
import { SECRETS, type Use } from './uses.ts';

/** What somebody could send who wants to drive a terminal, fool a reader, or get at secrets. */
const PIECES = [
  // Commands to the terminal.
  '\u001b[2J\u001b[H',
  '\u001b]0;title\u0007',
  '\u001b]52;c;cm0gLXJm\u0007',
  '\u001b[8mhidden\u001b[5m',
  '\u0000\u0007\u0008\u007f',
  '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  '\u009b2J\u0090q\u009c',
  // What is not seen, or seen elsewhere.
  'first\r\nError: second\n\ttab\u000b\u000c\u0085',
  '\u202ereversed\u2066isolated\u061c',
  '\u2028line\u2029paragraph',
  'zero\u200bwidth\u2060\ufeff\u00ad',
  '\ud800half\udc00',
  '\u{e0041}\u{e0042}tags',
  'wide 漢字 👩‍👩‍👧 e\u0301',
  // Commands to whatever reads it next.
  '\\u001b[2J',
  '$(touch x)`touch x`; touch x',
  'javascript:alert(1)',
  '__proto__',
  '--help',
  'https://user:pass@evil.example/',
  '::stop-commands::x',
  ' \u00a0::error::x',
  '##[error]x',
  '\n###[error]x',
  '##VSO[task.x]y',
  '#\ufe0f#\ufe0fvso[task.x]y',
  "##teamcity[x 'y']",
  'ok',
  '✓ Done.',
  '9'.repeat(400),
  '2026-03-01T12:00:00Z',
  `Bearer ${SECRETS.token}`,
  `device code ${SECRETS.deviceCode}`,
];

const piece = fc.constantFrom(...PIECES);

/** Text of a platform that means harm. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  piece,
  fc
    .array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 5 })
    .map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  piece.map((text) => text.repeat(200)),
);

const hostileNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, -1, 1e308, 5e-324, 2 ** 53, 8.64e15, 8.64e15 + 1),
);
const anyName = fc.oneof(fc.constantFrom('id', 'name', 'error', 'token', 'password'), hostileText);

const { value: hostileValue } = fc.letrec<{ value: unknown }>((again) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostileText,
    hostileNumber,
    fc.constantFrom(null, true, false, '', [], {}),
    fc.array(again('value'), { maxLength: 4 }),
    fc.dictionary(anyName, again('value'), { maxKeys: 4 }),
  ),
}));

/** Something that looks like the value, with parts of it missing, odd or hostile. */
function like(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: sameKindAs(value) },
    { weight: 1, arbitrary: hostileValue },
  );
}

function sameKindAs(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value))
    return fc.oneof(fc.tuple(...value.map(like)), fc.array(like(value[0]), { maxLength: 4 }));
  if (!isObject(value)) return fc.constant(value);
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, like(field)]),
  );
  const more = fc.dictionary(hostileText, hostileValue, { maxKeys: 2 });
  return fc
    .tuple(fc.record(fields, { requiredKeys: [] }), fc.oneof(fc.constant({}), more))
    .map(([known, unknown]) => ({ ...unknown, ...known }));
}

/** An answer as bytes. */
export interface HostileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const ODD_TEXTS = [
  '',
  'null',
  '[]',
  '{}',
  '\ufeff{"success":true}',
  '{"success":true}{"success":true}',
  '{"success":true,"success":false}',
  '{"points":[{"time":1e400,"cpu":1e400}]}',
  '{"points":[{"time":0,"cpu":123456789012345678901234567890.10}]}',
  `{"a":${'{"a":'.repeat(190)}1${'}'.repeat(190)}}`,
  '{"__proto__":{"success":false},"constructor":{"prototype":{}}}',
  `{"error":"invalid token ${SECRETS.token}"}`,
  `<html>${SECRETS.token}\u001b[2J</html>`,
];

const header = fc.oneof(
  hostileText,
  fc.constantFrom(
    'application/json',
    'text/html',
    'gzip',
    'identity',
    '5',
    '0',
    '//evil.example',
    '-1',
    '1e9',
  ),
);
const HEADERS = [
  'content-type',
  'content-encoding',
  'retry-after',
  'date',
  'location',
  'x-request-id',
  'set-cookie',
];

/** How often of all; the first weight goes to the first. */
const weighed = <T>(weights: readonly number[], ...all: readonly fc.Arbitrary<T>[]) =>
  fc.oneof(...all.map((arbitrary, index) => ({ weight: weights[index] ?? 1, arbitrary })));

/**
 * An answer to the request of a use, made to do harm: mostly like a good one, sometimes like
 * nothing at all.
 */
export function hostileAnswer(use: Use): fc.Arbitrary<HostileAnswer> {
  const error = fc.record(
    { error: fc.oneof(hostileText, hostileValue), message: hostileText },
    { requiredKeys: [] },
  );
  const whole = weighed<unknown>([4, 2, 1], like(use.good), error, hostileValue).map((value) =>
    JSON.stringify(value),
  );
  const cut = fc.tuple(whole, fc.nat({ max: 400 })).map(([text, length]) => text.slice(0, length));
  const noise = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
  const known = fc.constantFrom(201, 301, 400, 401, 403, 404, 409, 422, 429, 500, 503);
  return fc.record({
    status: weighed([6, 4, 1], fc.constant(200), known, fc.integer({ min: 200, max: 599 })),
    headers: fc.oneof(
      fc.constant({ 'content-type': 'application/json' }),
      fc.dictionary(fc.constantFrom(...HEADERS), header, { maxKeys: 3 }),
    ),
    body: weighed<string | Buffer>(
      [8, 1, 2, 1],
      whole,
      cut,
      fc.constantFrom(...ODD_TEXTS),
      noise,
    ).map((body) => Buffer.from(body)),
  });
}

/** The answer as bytes, with unchecked headers, as an attacker would send them. */
export function bytesOf({ status, headers, body }: HostileAnswer): Buffer {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${value.replace(/[\r\n]/g, '')}\r\n`,
  );
  const head = `HTTP/1.1 ${status} \u001b[2J\r\n${lines.join('')}content-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'utf8'), body]);
}

/** What the colours of svc are made of; the hostile texts use none of these. */
const OWN_COLORS = /\u001b\[(?:[0-2]|7|22|27|3\d|39|38;5;\d+|4|24|9\d)m/g;
const UNSAFE = new RegExp(HARMFUL, 'u');
const JOINED = new RegExp(JOINED_EMOJI, 'gv');

/** Returns the first character in what svc shows that could drive a terminal or hide. */
export function harmfulIn(shown: string): string | undefined {
  return UNSAFE.exec(
    shown
      .replace(OWN_COLORS, '')
      .replaceAll(/[\n\t]/g, '')
      .replace(JOINED, ''),
  )?.[0];
}

/*
 * What three CI systems take for a command in a line that a step prints, ported from their sources:
 * `ActionCommand.cs` of the GitHub runner, `Command.cs` of the Azure agent, and TeamCity's
 * documentation of service messages. They take any name for a known one, and see through characters
 * that .NET's comparisons ignore.
 */
const UNSEEN = /\u00ad|\u034f|[\u200b-\u200f]|[\u2060-\u2064]|[\ufe00-\ufe0f]|\ufeff/g;
const COLORS = /\u001b\[[\d;]*m/g;

/** `##[name data]` in older steps, anywhere in a line. */
function bracketed(line: string, prefix: string): string | undefined {
  const start = line.toLowerCase().indexOf(prefix);
  const end = start < 0 ? -1 : line.indexOf(']', start);
  return end < 0 ? undefined : line.slice(start, end);
}

/** `::name key=value::data` at the start of a line, which .NET trims. */
const colons = (line: string) => /^[\s\u0085]*::(.*)/s.exec(line)?.[1];

export interface Runner {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commandIn: (line: string) => string | undefined;
}
export const RUNNERS: readonly Runner[] = [
  {
    name: 'GitHub Actions',
    env: { CI: 'true', GITHUB_ACTIONS: 'true' },
    commandIn: (line) => colons(line) ?? bracketed(line, '##['),
  },
  {
    name: 'Azure Pipelines',
    env: { TF_BUILD: 'True' },
    commandIn: (line) => bracketed(line, '##vso[') ?? bracketed(line, '##['),
  },
  {
    name: 'TeamCity',
    env: { TEAMCITY_VERSION: '2026.1' },
    commandIn: (line) => bracketed(line, '##teamcity['),
  },
];

/**
 * The annotation of svc's own error or warning: one line, which shows a text and does nothing else.
 */
const ANNOTATION = /^(?:error|warning) title=svc%3A [a-z_]+::/;

/**
 * The commands that a runner finds in what a step prints, besides svc's own. It reads lines as .NET
 * and Java do.
 */
export function commandsIn(text: string, { commandIn }: Runner): readonly string[] {
  const lines = text
    .replace(COLORS, '')
    .replace(UNSEEN, '')
    .split(/\r\n|[\n\r]/);
  return lines
    .flatMap((line) => commandIn(line) ?? [])
    .filter((command) => !ANNOTATION.test(command));
}
