import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { START } from '../../support/device-login.ts';

type Body = { error: unknown };
type Row = [
  of: string,
  status: number,
  body: Body,
  exit: number,
  said: string,
  headers?: Record<string, string>,
];

const UNTIL = {
  date: 'Sun, 01 Mar 2026 12:00:00 GMT',
  'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT',
};

test.each<Row>([
  ['poll', 422, { error: { deviceCode: ['is unknown', 'is old'] } }, 9, 'deviceCode: is old'],
  [
    'poll',
    429,
    { error: 'slow_down' },
    7,
    'asks to wait until 2099-01-01, which is longer than this login',
    UNTIL,
  ],
  ['start', 400, { error: { clientName: 'is too long' } }, 3, 'clientName: is too long'],
  ['start', 200, { error: 'nope' }, 3, 'refused the login: nope (HTTP 200).'],
  ['start', 404, { error: 'nothing here' }, 6, 'There is no device login at'],
  [
    'start',
    503,
    { error: 'closed' },
    8,
    'Repeat the command in 10 minutes.',
    { 'retry-after': '600' },
  ],
])(
  'a %s that gets %i with %j goes to scripts as it came, and to people as a sentence',
  async (of, ...row) => {
    const [status, body, exitCode, said, headers] = row;
    const answer = [status, body, { 'x-request-id': 'req_7', ...headers }] as const;
    const polls = of === 'poll' && { 'POST /v1/auth/device/token': [answer] };
    const answers = { 'POST /v1/auth/device': [of === 'poll' ? START : answer], ...polls };
    const script = await against('login --no-retry --json', answers, { token: null });
    expect(script).toMatchObject({
      exitCode,
      error: { ...body, exitCode, status, requestId: 'req_7' },
    });
    const person = await against('login --no-retry', answers, { token: null });
    expect(person).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(said) });
  },
);
