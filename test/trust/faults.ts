import type { Column } from '../support/retry-table.ts';
import type { WirePlan } from '../support/wire-plan.ts';

/**
 * What `svc login` makes of a fault: how often in a row it is tried, and the exit code when it
 * stays.
 */
type Patience = readonly [tries: number, exitCode: number];

/** What must come of a fault. */
interface Comes {
  /** The column of the retry table; absent where the answer is final. */
  readonly column?: Column;
  /** The exit code when it stays, where nothing is in doubt. */
  readonly exitCode: number;
  /** A success that cannot be understood: what was asked for may have been done. */
  readonly unreadable?: true;
  readonly start: Patience;
  readonly poll: Patience;
  /** Only the time limit ends it. */
  readonly slow?: true;
  /** The error object of the platform, which scripts get as it came. */
  readonly says?: unknown;
}

/** Something that a network or a service does to a request. */
export interface WireFault extends Comes {
  readonly name: string;
  readonly does: (plan: WirePlan) => WirePlan;
}

const EVER = Number.POSITIVE_INFINITY;
const OTHER_HOST = { location: 'https://evil.example/v1' };
const PAGE = '<!doctype html><title>Please sign in</title>';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const DEEP = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
const ZIPPED = Buffer.from('H4sIAAAAAAAA', 'base64');
const DONE = { success: true, message: 'done' };
const json = (head: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}\r\n\r\n{}`;
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

// Breaks of the connection. Three in a row of what is no HTTP at all end a login; others never do.
const broken = { column: 'reset', exitCode: 8, start: [3, 8], poll: [EVER, 0] } as const;
const notHttp = { ...broken, start: [1, 8], poll: [3, 9] } as const;
// Successes that say nothing. Whatever was asked for may have been done.
const unreadable = { exitCode: 1, unreadable: true, start: [1, 1], poll: [EVER, 0] } as const;
// Answers with a status.
const refusal = (exitCode: number, says?: unknown) =>
  ({ exitCode, start: [1, exitCode], poll: [1, 9], says }) as const;
/** Names that only svc may set, with what a service should not be able to say. */
const NAMES =
  'code exitCode hint next retryAfter attempts jobId idempotencyKey outcome status requestId'.split(
    ' ',
  );
const THEIRS = Object.fromEntries(NAMES.map((name) => [name, 'theirs']));
const refused = (status: number, error: unknown) => (plan: WirePlan) =>
  plan.reply(status, { ...THEIRS, error }, { 'x-request-id': 'req_7' });
const FIELDS = { 'items[0]': ['is odd', 'is old'], nested: { deep: 1.5 } };
const trouble = (column: Column) => ({ ...broken, column }) as const;
const busy = (column: Column) => ({ ...broken, column, exitCode: 7, start: [3, 7] }) as const;
const redirect = { exitCode: 1, start: [1, 1], poll: [1, 1] } as const;
// What never ends. Every command has its --timeout, but a poll of a login is given 30 s.
const late = {
  column: 'timeout',
  exitCode: 8,
  start: [1, 8],
  poll: [EVER, 0],
  slow: true,
} as const;

const ROWS: ReadonlyArray<readonly [name: string, does: WireFault['does'], comes: Comes]> = [
  ['a reset instead of an answer', (plan) => plan.reset(), broken],
  ['an end instead of an answer', (plan) => plan.hangUp(), broken],
  ['half a head', (plan) => plan.raw('HTTP/1.1 200 OK\r\ncontent-type: appl'), broken],
  ['half a body', (plan) => plan.cut(200, DONE, 9), broken],
  ['half a chunked body', (plan) => plan.cut(200, DONE, 9, { chunked: true }), broken],
  [
    'half of a compressed body',
    (plan) => plan.reply(200, ZIPPED, { 'content-encoding': 'gzip' }),
    broken,
  ],
  ['another protocol', (plan) => plan.raw('SSH-2.0-OpenSSH_9.6\r\n'), notHttp],
  ['two lengths', (plan) => plan.raw(json('content-length: 2\r\ncontent-length: 9')), notHttp],
  ['a head of 1 MB', (plan) => plan.raw(json(`x-long: ${'x'.repeat(1_000_000)}`)), broken],
  ['an upgrade', (plan) => plan.raw(UPGRADE), notHttp],
  ['a 204', (plan) => plan.reply(204), unreadable],
  ['an empty 200', (plan) => plan.reply(200, ''), unreadable],
  ['half of the JSON', (plan) => plan.reply(200, '{"success":'), unreadable],
  ['a web page', (plan) => plan.reply(200, PAGE, HTML), { ...unreadable, poll: [3, 1] }],
  [
    'bytes that are no text',
    (plan) => plan.reply(200, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    unreadable,
  ],
  ['JSON that is thousands deep', (plan) => plan.reply(200, DEEP), unreadable],
  [
    'an unknown compression',
    (plan) => plan.reply(200, ZIPPED, { 'content-encoding': 'compress' }),
    unreadable,
  ],
  ['400', refused(400, FIELDS), refusal(3, FIELDS)],
  ['400 with nothing', (plan) => plan.reply(400), { ...refusal(3), start: [1, 1], poll: [3, 1] }],
  ['401', refused(401, 'invalid token'), refusal(4, 'invalid token')],
  ['403', refused(403, 'not yours'), refusal(5, 'not yours')],
  ['404', refused(404, 'unknown'), { ...refusal(6, 'unknown'), poll: [1, 6] }],
  ['408', (plan) => plan.reply(408), trouble('408')],
  ['409', refused(409, 'already there'), { ...refusal(3, 'already there'), column: '409' }],
  ['425', (plan) => plan.reply(425), { ...trouble('425'), exitCode: 3, start: [3, 3] }],
  ['429', (plan) => plan.reply(429, { error: 'slowly' }), busy('429')],
  ['429 for 1 s', (plan) => plan.reply(429, {}, { 'retry-after': '1' }), busy('429_retry_after')],
  [
    '429 for an hour',
    (plan) => plan.reply(429, {}, { 'retry-after': '3600' }),
    { exitCode: 7, start: [1, 7], poll: [1, 7] },
  ],
  ['500', (plan) => plan.reply(500, { error: 'sorry' }), trouble('500')],
  ['502 with a page', (plan) => plan.reply(502, PAGE, HTML), trouble('502')],
  ['503', (plan) => plan.reply(503), trouble('503')],
  ['503 for 1 s', (plan) => plan.reply(503, {}, { 'retry-after': '1' }), trouble('503')],
  ['504', (plan) => plan.reply(504), trouble('504')],
  ['half of a 503', (plan) => plan.cut(503, { error: 'a longer text' }, 9), trouble('503')],
  [
    'half of a 400',
    (plan) => plan.cut(400, { error: 'a longer text' }, 9),
    { ...refusal(3), start: [1, 1], poll: [EVER, 0] },
  ],
  [
    'half of a compressed 422',
    (plan) => plan.reply(422, ZIPPED, { 'content-encoding': 'gzip' }),
    { ...refusal(3), start: [1, 1], poll: [EVER, 0] },
  ],
  ['a 999', (plan) => plan.reply(999, { error: 'odd' }), trouble('500')],
  ['a 600', (plan) => plan.reply(600, PAGE, HTML), trouble('500')],
  ['307', (plan) => plan.reply(307, { error: 'go there' }, OTHER_HOST), redirect],
  [
    '308 on the same host',
    (plan) => plan.reply(308, {}, { location: '/v1/elsewhere' }),
    { ...redirect, poll: [3, 1] },
  ],
  [
    'a 404 of a gateway',
    (plan) => plan.reply(404, 'default backend - 404', { 'content-type': 'text/plain' }),
    { ...refusal(6), start: [1, 6], poll: [3, 6] },
  ],
  [
    'a 401 of a gateway',
    (plan) => plan.reply(401, PAGE, HTML),
    { ...refusal(4), start: [1, 1], poll: [3, 1] },
  ],
  ['no answer', (plan) => plan.hang(), late],
  ['a body that drips', (plan) => plan.drip(200, { message: 'x'.repeat(10_000) }, 20), late],
];

/** Everything that is done to requests. */
export const FAULTS: readonly WireFault[] = ROWS.map(([name, does, comes]) => ({
  name,
  does,
  ...comes,
}));
