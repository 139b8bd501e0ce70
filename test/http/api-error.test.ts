import { expect, test } from 'vitest';
import { stepOf } from '../../src/errors.ts';
import { toErrorObject } from '../../src/kit/report.ts';
import { waysToTrust } from '../../src/service/failures.ts';
import { cliErrorOf, clientFor, RESTART, sendTo, WHOAMI } from '../support/client.ts';
import { closedPort } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

// That each refusal keeps its exit code, its words and its own fields: test/trust/refusals.test.ts.

const REFUSED = 'The platform refused the request';
const FIELDS = {
  phone: ['is too short', 'has letters'],
  items: [{ planId: 'is unknown' }, { quantity: { min: 1 } }],
  empty: null,
};
// biome-ignore format: a table
const FIELD_LINES = ['phone: is too short', 'phone: has letters', 'items[0].planId: is unknown', 'items[1].quantity.min: 1', 'empty: null'];
const PLACES = [
  { field: 'name', message: 'is taken' },
  { detail: 'is short', pointer: '#/age' },
  { title: 'Odd' },
  { a: 'b' },
];

// biome-ignore format: a table
test.each<[body: unknown, message: string, lines?: string[]]>([
  [{ error: FIELDS }, `${REFUSED}:`, FIELD_LINES],
  [{ type: 'about:blank', title: 'No credit', detail: 'It costs 50.' }, 'No credit: It costs 50.'],
  [{ title: 'No credit.', detail: 'It costs 50.' }, 'No credit. It costs 50.'],
  [{ title: 'No credit' }, 'No credit'],
  [{ detail: 'It costs 50.' }, 'It costs 50.'],
  [{ message: ' No credit ' }, 'No credit'],
  [{ error: 'Bad Request', message: ['a is short'] }, 'Bad Request', ['a is short']],
  [{ message: 'Invalid.', errors: { name: 'is taken' } }, 'Invalid.', ['name: is taken']],
  [{ errors: ['one', 'two'] }, `${REFUSED}:`, ['one', 'two']],
  [{ errors: PLACES }, `${REFUSED}:`, ['name: is taken', '#/age: is short', 'Odd', '[3].a: b']],
  ['"No credit"', `${REFUSED} (400): No credit`],
  // What says nothing.
  [undefined, `${REFUSED} (400).`],
  ['{"error":', `${REFUSED} (400).`],
  [{ error: '' }, `${REFUSED} (400).`],
  [{ error: {} }, `${REFUSED} (400).`],
  [{ error: 'x'.repeat(1_100_000) }, `${REFUSED} (400).`],
  [Buffer.from([0x1f, 0x8b, 8, 0]), `${REFUSED} (400).`],
])('a 400 with the body of row %# says what happened', async (body, message, lines) => {
  const { error } = await sendTo([[400, body, { 'content-type': 'application/problem+json' }]], WHOAMI);
  expect([error.code, error.message, error.details.lines]).toEqual(['rejected', message, lines]);
});

const FOREIGN = 'HOST answered with text/plain instead of the API (400).';

// biome-ignore format: a table
test.each([
  ['text/plain', 'No credit,\n  sorry\n', `${REFUSED} (400): No credit, sorry`],
  ['', 'No credit', `${REFUSED} (400): No credit`],
  ['application/json', 'No credit', `${REFUSED} (400): No credit`],
  ['application/json', '<h1>No credit</h1>', `${REFUSED} (400).`],
  ['text/plain', '<h1>No credit</h1>', FOREIGN],
  ['text/html', 'No credit', 'HOST answered with a web page instead of the API (400).'],
  ['text/plain', 'No \u001b[31mcredit', FOREIGN],
  ['text/plain', 'x'.repeat(501), FOREIGN],
])('a body of the type %j that is %j', async (type, body, message) => {
  const wire = await testWire();
  const head = `HTTP/1.1 400 Bad\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  wire.on('GET', '/v1/user').raw(`${head}${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n${body}`);
  const error = await cliErrorOf(clientFor(wire.url).client.call(WHOAMI));
  expect([error.code, error.message]).toEqual(['rejected', message.replace('HOST', `127.0.0.1:${wire.port}`)]);
  expect(toErrorObject(error)['error']).toBe(error.message);
});

test('very many and very long words are cut for people', async () => {
  const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 'x'.repeat(5_000)]));
  const { lines = [] } = (await sendTo([[400, { error: fields }]], WHOAMI)).error.details;
  expect([lines.length, lines.every((line) => line.length < 1_010)]).toEqual([50, true]);
});

test('a refused sign-in names its source, the way to a new one, and what the platform says', async () => {
  const { error } = await sendTo([[401, { message: 'Look:', errors: { token: 'is old' } }]], WHOAMI);
  expect(error.message).toBe('The platform did not accept the sign-in from SVC_TOKEN (401).');
  expect(error.details.lines).toEqual(['The platform says: Look:', 'token: is old']);
  expect(stepOf(error.details.hint).run).toEqual(['svc login']);
  const explain401 = () => ({ message: 'It expired on Monday.', hint: 'svc login --profile work' });
  const explained = await sendTo([[401, { error: 'Token expired' }]], WHOAMI, { explain401 });
  const { message, hint } = explain401();
  expect(explained.error).toMatchObject({ message, details: { hint } });
});

test.each([
  ['//evil.example:8443/x', 'http://evil.example:8443'],
  ['https://user:hunter2@evil.example/?token=1', 'https://evil.example'],
  ['javascript:alert(1)', 'nowhere known'],
  [undefined, 'nowhere known'],
])('a redirect to %j is not followed and names its target', async (location, target) => {
  const { error, sent } = await sendTo([[307, undefined, location === undefined ? {} : { location }]], RESTART);
  expect(error.code).toBe('unexpected');
  expect(error.message).toContain(` redirects to ${target} (307).`);
  expect(JSON.stringify(toErrorObject(error))).not.toContain('hunter2');
  expect(sent).toHaveLength(1);
});

test('a change whose answer is lost is to be checked, not the connection, and keeps the words of the platform', async () => {
  expect((await sendTo(['reset'], RESTART)).error.details).toMatchObject({ outcome: 'unknown', hint: undefined });
  const { error } = await sendTo([[500, { message: 'Look:', errors: { image: 'is old' } }]], RESTART);
  const lines = ['image: is old', expect.stringContaining('Check before you repeat it')];
  // A platform in trouble is named with its status, because its words may say little.
  const message = 'The platform has a problem (500): Look:';
  expect(error).toMatchObject({ message, details: { outcome: 'unknown', lines } });
});

test('a request to this machine that nobody takes leads to the sandbox', async () => {
  const { client, clock } = clientFor(`http://127.0.0.1:${await closedPort()}`);
  const { details } = await cliErrorOf(client.call(WHOAMI));
  expect([stepOf(details.hint).run, clock.waits]).toEqual([['svc sandbox'], [250, 500]]);
});

const YEARS = { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' };
const UNTIL = 'Repeat the command after 2099-01-01: the platform asks to wait until then.';

// biome-ignore format: a table
test.each([
  ['what is not found may be in another organization', RESTART, 404, {}, 'If it belongs to another organization, add --org <slug>.'],
  ['a list has no organization to look for', WHOAMI, 404, {}, undefined],
  ['a service in trouble is asked later', WHOAMI, 500, {}, 'Repeat the command in a few minutes.'],
  ['a platform that says when is asked then', WHOAMI, 503, { 'retry-after': '600' }, 'Repeat the command in 10 minutes.'],
  ['too many requests are fewer in a minute', RESTART, 429, {}, 'Repeat the command in a minute.'],
  ['hours are hours', WHOAMI, 429, { 'retry-after': '10000' }, 'Repeat the command in 3 hours.'],
  ['a wait of years is a day', WHOAMI, 429, YEARS, UNTIL],
  ['a write that may have happened is not simply repeated', RESTART, 503, { 'retry-after': '600' }, undefined],
])('the next step: %s', async (_name, call, status, headers, hint) => {
  const { error } = await sendTo([[status, { error: 'Sorry.' }, headers]], call, { retry: false });
  expect(error.details.hint && stepOf(error.details.hint).say).toBe(hint);
});

const SYSTEM = /^set NODE_USE_SYSTEM_CA=1 if your system trusts it; otherwise set NODE_EXTRA_CA_CERTS=<file>$/;
const FILE = /^set NODE_EXTRA_CA_CERTS=<file>$/;

// biome-ignore format: a table
test.each([
  ['node', ['20.19.0', '22.9.0', '22.18.0', '23.11.1', '24.5.0'], FILE],
  ['node', ['22.19.0', '22.23.3', '24.6.0', '24.21.0', '25.0.0', '30.1.0'], SYSTEM],
  ['bun', ['1.4.5'], /^add it to those of your system, or set NODE_EXTRA_CA_CERTS=<file>$/],
] as const)('%s %j is told how to trust an authority', (name, versions, said) => {
  for (const version of versions) expect(waysToTrust({ name, version })).toMatch(said);
});
