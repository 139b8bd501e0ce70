import { expect, test } from 'vitest';
import { type Answer, against } from '../../support/against.ts';
import { START } from '../../support/device-login.ts';

const REQUEST = { 'x-request-id': 'req_7' };

/** A login for a script and one for a person, that get the same answers. */
async function refused(start: Answer, ...polls: readonly Answer[]) {
  const path = polls.length === 0 ? {} : { 'POST /v1/auth/device/token': polls };
  const run = (flags: string) =>
    against(`login --no-browser --no-retry ${flags}`, { 'POST /v1/auth/device': [start], ...path }, { token: null });
  return { script: await run('--json'), person: await run('') };
}

type Body = { error?: unknown; deviceCode?: string };
type Row = [status: number, body: Body, exit: number, said: string, headers?: Record<string, string>];

const CODES = { deviceCode: ['is unknown', 'is old'] };
const PROBLEM: object = { title: 'Not allowed.', detail: 'Ask your admin.' };
const ADVICE = 'refused the login: Not allowed. Ask your admin. (HTTP 403).';
const UNTIL = { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' };

test.each<Row>([
  [400, { error: 'access_denied' }, 9, 'Login was refused in the browser.'],
  [400, { error: 'blocked_by_policy' }, 9, 'refused the login: blocked_by_policy (HTTP 400).'],
  [422, { error: CODES }, 9, 'deviceCode: is old'],
  [422, { error: ['is unknown'] }, 9, 'is unknown'],
  [403, PROBLEM, 9, ADVICE],
  [429, { error: 'slow_down' }, 7, 'asks to wait until 2099-01-01, which is longer than this login lives.', UNTIL],
])('a poll that gets %i with %j goes to scripts as it came, and to people as a sentence', async (...row) => {
  const [status, body, exitCode, said, headers] = row;
  const { script, person } = await refused(START, [status, body, { ...REQUEST, ...headers }]);
  const error = body.error ?? expect.stringContaining('Ask your admin.');
  expect(script).toMatchObject({ exitCode, error: { error, exitCode, status, requestId: 'req_7' } });
  expect(person).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(said) });
});

const NONE = 'There is no device login at';
test.each<Row>([
  [400, { error: { clientName: 'is too long' } }, 3, 'clientName: is too long'],
  [200, { error: 'nope', deviceCode: 'svc_CANARY_2' }, 3, 'refused the login: nope (HTTP 200).'],
  [403, { error: 'not from here' }, 5, 'refused the login: not from here'],
  [404, { error: 'nothing here' }, 6, NONE],
  [405, { error: 'not like this' }, 3, NONE],
  [429, { error: 'too many' }, 7, 'Repeat the command in a minute.'],
  [503, { error: 'closed' }, 8, 'Repeat the command in 10 minutes.', { 'retry-after': '600' }],
])('a start that gets %i with %j is exit %i', async (status, body, exitCode, said, headers) => {
  const { script, person } = await refused([status, body, { ...REQUEST, ...headers }]);
  const error = { error: body.error, exitCode, status, requestId: 'req_7' };
  expect(script).toMatchObject({ exitCode, stdout: '', error });
  expect(person.stderr).toContain(said);
  expect(person.stderr).not.toContain('CANARY');
  if (said === NONE) expect(script.error['hint']).toBe('Check the address, or set SVC_TOKEN.');
});
