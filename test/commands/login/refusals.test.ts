import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { START } from '../../support/device-login.ts';
import { svc } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';

const START_PATH = '/v1/auth/device';
const POLL_PATH = '/v1/auth/device/token';

const login = (wire: Wire, ...flags: readonly string[]) =>
  svc(['login', '--no-browser', '--no-retry', ...flags], { url: wire.url, token: null, clock: fakeClock() });

/** A login whose polls are answered like this. */
async function polled(status: number, body: unknown, headers: Record<string, string> = {}) {
  const wire = await testWire();
  wire.on('POST', START_PATH).always(200, START);
  wire.on('POST', POLL_PATH).always(status, body, { 'x-request-id': 'req_7', ...headers });
  return { script: await login(wire, '--json'), person: await login(wire) };
}

describe('a refused poll', () => {
  test.each([
    ['access_denied', 'Login was refused in the browser.'],
    ['expired_token', 'The code expired before it was approved.'],
    ['invalid_grant', 'The server no longer accepts this login attempt.'],
    ['blocked_by_policy', 'refused the login: blocked_by_policy (HTTP 400).'],
  ])('%s goes to scripts as it came, and to people as a sentence', async (error, sentence) => {
    const { script, person } = await polled(400, { error });
    expect(script.exitCode).toBe(9);
    expect(script.error).toMatchObject({ error, code: 'failed', exitCode: 9, status: 400, requestId: 'req_7' });
    expect(person).toMatchObject({ exitCode: 9, stdout: '' });
    expect(person.stderr).toContain(sentence);
  });

  test.each([
    ['fields', { deviceCode: ['is unknown', 'is old'] }, 'deviceCode: is old'],
    ['a list', ['is unknown'], 'is unknown'],
  ])('with %s keeps them', async (_what, error, line) => {
    const { script, person } = await polled(422, { error });
    expect(script).toMatchObject({ exitCode: 9, error: { error, status: 422 } });
    expect(person.stderr).toContain(line);
  });

  test('is told in the words of a problem document too (RFC 9457)', async () => {
    const { script, person } = await polled(403, { title: 'Not allowed.', detail: 'Ask your admin.' });
    expect(person).toMatchObject({ exitCode: 9 });
    expect(person.stderr).toContain('refused the login: Not allowed. Ask your admin. (HTTP 403).');
    expect(script.error).toMatchObject({ status: 403, error: expect.stringContaining('Ask your admin.') });
  });

  test('that asks for a pause longer than the login lives keeps its words', async () => {
    const until = { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' };
    const { script, person } = await polled(429, { error: 'slow_down' }, until);
    expect(script.error).toMatchObject({ error: 'slow_down', code: 'rate_limited', status: 429 });
    expect(person.stderr).toMatch(/asks to wait until 2099-01-01, which is longer than this login lives\./);
  });
});

describe('a refused start', () => {
  const started = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const wire = await testWire();
    wire.on('POST', START_PATH).always(status, body, { 'x-request-id': 'req_7', ...headers });
    return { script: await login(wire, '--json'), person: await login(wire) };
  };

  test.each([
    [400, 3, 'bad_name'],
    [400, 3, { clientName: 'is too long' }],
    [401, 4, 'who are you'],
    [403, 5, 'not from here'],
    [404, 6, 'nothing here'],
    [405, 3, 'not like this'],
    [429, 7, 'too many'],
    [500, 8, 'broken'],
  ])('with %i is exit %i and keeps %j', async (status, exitCode, error) => {
    const { script } = await started(status, { error });
    expect(script).toMatchObject({ exitCode, stdout: '', error: { error, exitCode, status, requestId: 'req_7' } });
  });

  test.each([404, 405])('with %i says what to do, also to a script', async (status) => {
    const { script, person } = await started(status, { error: 'nothing here' });
    const hint = 'Check the address, or set SVC_TOKEN.';
    expect(script).toMatchObject({ error: { hint } });
    expect(person.stderr).toContain('There is no device login at');
    expect(person.stderr).toContain(hint);
  });

  test('without the fields that it needs has the status of the answer', async () => {
    const { script } = await started(200, { userCode: 'X' });
    expect(script).toMatchObject({ exitCode: 1, error: { status: 200 } });
  });

  test('says when to come back, if the platform does', async () => {
    expect((await started(503, {}, { 'retry-after': '600' })).person.stderr).toContain(
      'Repeat the command in 10 minutes.',
    );
    expect((await started(429, {})).person.stderr).toContain('Repeat the command in a minute.');
  });
});
