import type { Column } from '../support/retry-table.ts';
import type { WirePlan } from '../support/wire-plan.ts';

/** What `svc login` makes of a fault: how often in a row it is tried, and the exit code when it stays. */
type Patience = readonly [tries: number, exitCode: number];

/** Something that a network or a service does to a request, and what must come of it. */
export interface WireFault {
  readonly name: string;
  readonly does: (plan: WirePlan) => WirePlan;
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
}

const EVER = Number.POSITIVE_INFINITY;
const OTHER_HOST = { location: 'https://evil.example/v1' };
const PAGE = '<!doctype html><title>Please sign in</title>';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const DEEP = `{"error":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
const json = (length: string, body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${length}\r\n\r\n${body}`;

/* Breaks of the connection. Three in a row of what is no HTTP at all end a login; others never do. */

const broken = { column: 'reset', exitCode: 8, start: [3, 8], poll: [EVER, 0] } as const;
const notHttp = { ...broken, start: [1, 8], poll: [3, 9] } as const;
const BREAKS: readonly WireFault[] = [
  { name: 'a reset instead of an answer', does: (plan) => plan.reset(), ...broken },
  { name: 'an end instead of an answer', does: (plan) => plan.hangUp(), ...broken },
  { name: 'half a status line', does: (plan) => plan.raw('HTTP/1.1 20'), ...broken },
  { name: 'half a head', does: (plan) => plan.raw('HTTP/1.1 200 OK\r\ncontent-type: appl'), ...broken },
  { name: 'half a body', does: (plan) => plan.cut(200, { success: true, message: 'done' }, 9), ...broken },
  { name: 'half a chunked body', does: (plan) => plan.cut(200, { success: true }, 9, { chunked: true }), ...broken },
  { name: 'a head and no body', does: (plan) => plan.cut(200, { success: true }, 0), ...broken },
  {
    name: 'a body of the wrong chunks',
    does: (plan) => plan.raw(json('transfer-encoding: chunked', 'x\r\n{}')),
    ...broken,
  },
  {
    name: 'half of a compressed body',
    does: (plan) => plan.reply(200, Buffer.from('H4sIAAAAAAAA', 'base64'), { 'content-encoding': 'gzip' }),
    ...broken,
  },
  { name: 'another protocol', does: (plan) => plan.raw('SSH-2.0-OpenSSH_9.6\r\n'), ...notHttp },
  { name: 'a length that is none', does: (plan) => plan.raw(json('content-length: x', '{}')), ...notHttp },
  { name: 'two lengths', does: (plan) => plan.raw(json('content-length: 2\r\ncontent-length: 9', '{}')), ...notHttp },
  { name: 'a NUL in the head', does: (plan) => plan.raw(json('x-odd: a\0b\r\ncontent-length: 2', '{}')), ...notHttp },
  { name: 'a head of 1 MB', does: (plan) => plan.raw(json(`x-long: ${'x'.repeat(1_000_000)}`, '{}')), ...broken },
  {
    name: 'an upgrade',
    does: (plan) => plan.raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ...notHttp,
  },
];

/* Successes that say nothing. Whatever was asked for may have been done. */

const unreadable = { exitCode: 1, unreadable: true, start: [1, 1], poll: [EVER, 0] } as const;
const UNREADABLE: readonly WireFault[] = [
  { name: 'a 204', does: (plan) => plan.reply(204), ...unreadable },
  { name: 'an empty 200', does: (plan) => plan.reply(200, ''), ...unreadable },
  { name: 'half of the JSON', does: (plan) => plan.reply(200, '{"success":'), ...unreadable },
  { name: 'a web page', does: (plan) => plan.reply(200, PAGE, HTML), ...unreadable, poll: [3, 1] },
  { name: 'a list', does: (plan) => plan.reply(200, '[{"orderId":"o1"'), ...unreadable },
  { name: 'a number', does: (plan) => plan.reply(200, '5'), ...unreadable },
  {
    name: 'bytes that are no text',
    does: (plan) => plan.reply(200, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    ...unreadable,
  },
  {
    name: 'JSON that is thousands deep',
    does: (plan) => plan.reply(200, DEEP.replace('error', 'a')),
    ...unreadable,
  },
  {
    name: 'an answer that is compressed in an unknown way',
    does: (plan) => plan.reply(200, Buffer.from('H4sIAAAAAAAA', 'base64'), { 'content-encoding': 'compress' }),
    ...unreadable,
  },
];

/* Answers with a status. */

const refusal = (exitCode: number) => ({ exitCode, start: [1, exitCode], poll: [1, 9] }) as const;
const trouble = (column: Column) => ({ column, exitCode: 8, start: [3, 8], poll: [EVER, 0] }) as const;
const busy = (column: Column) => ({ column, exitCode: 7, start: [3, 7], poll: [EVER, 0] }) as const;
const redirect = { exitCode: 1, start: [1, 1], poll: [1, 1] } as const;
const STATUSES: readonly WireFault[] = [
  {
    name: '400 with fields',
    does: (plan) => plan.reply(400, { error: { 'items[0].planId': ['is unknown'] } }),
    ...refusal(3),
  },
  { name: '400 with nothing', does: (plan) => plan.reply(400), ...refusal(3), start: [1, 1], poll: [1, 1] },
  { name: '401', does: (plan) => plan.reply(401, { error: 'invalid token' }), ...refusal(4) },
  { name: '403', does: (plan) => plan.reply(403, { error: 'not yours' }), ...refusal(5) },
  { name: '404', does: (plan) => plan.reply(404, { error: 'unknown' }), ...refusal(6), poll: [1, 6] },
  { name: '408', does: (plan) => plan.reply(408), ...trouble('408') },
  { name: '409', does: (plan) => plan.reply(409, { error: 'already there' }), ...refusal(3), column: '409' },
  { name: '422', does: (plan) => plan.reply(422, { error: { domain: 'is odd' } }), ...refusal(3) },
  { name: '425', does: (plan) => plan.reply(425), ...trouble('425'), exitCode: 3, start: [3, 3] },
  { name: '429', does: (plan) => plan.reply(429, { error: 'slowly' }), ...busy('429') },
  { name: '429 for 1 s', does: (plan) => plan.reply(429, {}, { 'retry-after': '1' }), ...busy('429_retry_after') },
  {
    name: '429 for an hour',
    does: (plan) => plan.reply(429, {}, { 'retry-after': '3600' }),
    exitCode: 7,
    start: [1, 7],
    poll: [1, 7],
  },
  { name: '429 for a word', does: (plan) => plan.reply(429, {}, { 'retry-after': 'soon' }), ...busy('429') },
  { name: '500', does: (plan) => plan.reply(500, { error: 'sorry' }), ...trouble('500') },
  { name: '502 with a page', does: (plan) => plan.reply(502, PAGE, HTML), ...trouble('502') },
  { name: '503', does: (plan) => plan.reply(503), ...trouble('503') },
  { name: '503 for 1 s', does: (plan) => plan.reply(503, {}, { 'retry-after': '1' }), ...trouble('503') },
  { name: '504', does: (plan) => plan.reply(504), ...trouble('504') },
  {
    name: '520',
    does: (plan) => plan.reply(520, 'error code: 520', { 'content-type': 'text/plain' }),
    ...trouble('500'),
  },
  { name: 'half of a 503', does: (plan) => plan.cut(503, { error: 'a longer text' }, 9), ...broken, start: [3, 8] },
  { name: '301', does: (plan) => plan.reply(301, undefined, OTHER_HOST), ...redirect },
  { name: '307', does: (plan) => plan.reply(307, { error: 'go there' }, OTHER_HOST), ...redirect },
  { name: '308 on the same host', does: (plan) => plan.reply(308, {}, { location: '/v1/elsewhere' }), ...redirect },
];

/* What never ends. Every command has its --timeout, but a poll of a login is given 30 s. */

const late = { column: 'timeout', exitCode: 8, start: [1, 8], poll: [EVER, 0], slow: true } as const;
const SLOW: readonly WireFault[] = [
  { name: 'no answer', does: (plan) => plan.hang(), ...late },
  { name: 'a body that drips', does: (plan) => plan.drip(200, { message: 'x'.repeat(10_000) }, 20), ...late },
];

/** Everything that is done to requests. */
export const FAULTS: readonly WireFault[] = [...BREAKS, ...UNREADABLE, ...STATUSES, ...SLOW];
