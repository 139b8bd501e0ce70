import { expect, test } from 'vitest';
import { stepOf } from '../../src/errors.ts';
import { toErrorObject } from '../../src/kit/report.ts';
import { cliErrorOf, clientFor, RESTART, sendTo, WHOAMI } from '../support/client.ts';
import { closedPort } from '../support/tcp.ts';

// That each refusal keeps its exit code and its own fields: test/trust/faulted.test.ts.

const REFUSED = 'The platform refused the request';
const FIELDS = { phone: ['is too short', 'has letters'], items: [{ planId: 'is unknown' }], empty: null };
const FIELD_LINES = ['phone: is too short', 'phone: has letters', 'items[0].planId: is unknown', 'empty: null'];
const PLACES = [{ field: 'name', message: 'is taken' }, { detail: 'is short', pointer: '#/age' }, { a: 'b' }];
const PLAIN = { 'content-type': 'text/plain' };
const NOT_THE_API = /^127\.0\.0\.1:\d+ answered with (text\/plain|a web page) instead of the API \(400\)\.$/;

// biome-ignore format: a table
test.each<[body: unknown, message: string | RegExp, lines?: string[] | undefined, headers?: Record<string, string>]>([
  [{ error: FIELDS }, `${REFUSED}:`, FIELD_LINES],
  [{ title: 'No credit', detail: 'It costs 50.' }, 'No credit: It costs 50.'],
  [{ title: 'No credit' }, 'No credit'],
  [{ message: ' No credit ' }, 'No credit'],
  [{ error: 'Bad Request', message: ['a is short'] }, 'Bad Request', ['a is short']],
  [{ message: 'Invalid.', errors: { name: 'is taken' } }, 'Invalid.', ['name: is taken']],
  [{ errors: PLACES }, `${REFUSED}:`, ['name: is taken', '#/age: is short', '[2].a: b']],
  ['"No credit"', `${REFUSED} (400): No credit`],
  ['No credit,\n  sorry\n', `${REFUSED} (400): No credit, sorry`, undefined, PLAIN],
  // What says nothing.
  [undefined, `${REFUSED} (400).`],
  ['{"error":', `${REFUSED} (400).`],
  [{ error: {} }, `${REFUSED} (400).`],
  [{ error: 'x'.repeat(1_100_000) }, `${REFUSED} (400).`],
  [Buffer.from([0x1f, 0x8b, 8, 0]), `${REFUSED} (400).`],
  ['<h1>No credit</h1>', NOT_THE_API, undefined, PLAIN],
  ['No credit', NOT_THE_API, undefined, { 'content-type': 'text/html' }],
  ['No \u001b[31mcredit', NOT_THE_API, undefined, PLAIN],
  ['x'.repeat(501), NOT_THE_API, undefined, PLAIN],
])('a 400 with the body of row %# says what happened', async (body, message, lines, headers = {}) => {
  const { error } = await sendTo([[400, body, { 'content-type': 'application/json', ...headers }]], WHOAMI);
  const said = typeof message === 'string' ? message : expect.stringMatching(message);
  expect([error.code, error.message, error.details.lines]).toEqual(['rejected', said, lines]);
});

test('very many and very long words are cut for people', async () => {
  const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 'x'.repeat(5_000)]));
  const { lines = [] } = (await sendTo([[400, { error: fields }]], WHOAMI)).error.details;
  expect([lines.length, lines.every((line) => line.length < 1_010)]).toEqual([50, true]);
});

test('a refused sign-in names its source, the way to a new one, and what the platform says', async () => {
  const { error } = await sendTo([[401, { message: 'Look:', errors: { token: 'is old' } }]], WHOAMI);
  expect(error.message).toContain('SVC_TOKEN');
  expect(error.details.lines).toEqual(['The platform says: Look:', 'token: is old']);
  expect(stepOf(error.details.hint).run).toEqual(['svc login']);
});

test.each([
  ['//evil.example:8443/x', 'http://evil.example:8443'],
  ['https://user:hunter2@evil.example/?token=1', 'https://evil.example'],
  ['javascript:alert(1)', 'nowhere known'],
])('a redirect to %j is not followed and names its target', async (location, target) => {
  const { error, sent } = await sendTo([[307, undefined, { location }]], RESTART);
  expect(error).toMatchObject({
    code: 'unexpected',
    message: expect.stringContaining(` redirects to ${target} (307).`),
  });
  expect(JSON.stringify(toErrorObject(error))).not.toContain('hunter2');
  expect(sent).toHaveLength(1);
});

test('a change whose answer is lost is to be checked, not the connection, and keeps the words of the platform', async () => {
  expect((await sendTo(['reset'], RESTART)).error.details).toMatchObject({ outcome: 'unknown', hint: undefined });
  const { error } = await sendTo([[500, { message: 'Look:', errors: { image: 'is old' } }]], RESTART);
  const lines = ['image: is old', expect.stringContaining('Check before you repeat it')];
  expect(error).toMatchObject({ message: expect.stringContaining('Look:'), details: { outcome: 'unknown', lines } });
});

test('a request to this machine that nobody takes leads to the sandbox', async () => {
  const { client, clock } = clientFor(`http://127.0.0.1:${await closedPort()}`);
  const { details } = await cliErrorOf(client.call(WHOAMI));
  expect([stepOf(details.hint).run, clock.waits]).toEqual([['svc sandbox'], [250, 500]]);
});

const YEARS = { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' };

// biome-ignore format: a table
test.each([
  ['what is not found may be in another organization', RESTART, 404, {}, /--org <slug>/],
  ['a service in trouble is asked later', WHOAMI, 500, {}, /in a few minutes/],
  ['a platform that says when is asked then', WHOAMI, 503, { 'retry-after': '600' }, /in 10 minutes/],
  ['hours are hours', WHOAMI, 429, { 'retry-after': '10000' }, /in 3 hours/],
  ['a wait of years is a day', WHOAMI, 429, YEARS, /after 2099-01-01/],
  ['a write that may have happened is not simply repeated', RESTART, 503, { 'retry-after': '600' }, /^$/],
])('the next step: %s', async (_name, call, status, headers, hint) => {
  const { error } = await sendTo([[status, { error: 'Sorry.' }, headers]], call, { retry: false });
  expect(error.details.hint ? stepOf(error.details.hint).say : '').toMatch(hint);
});
