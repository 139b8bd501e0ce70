import { expect, test } from 'vitest';
import { toErrorObject } from '../../src/cli/define/report.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { toNextStep } from '../../src/errors.ts';
import { RESTART, sendTo, WHOAMI } from '../support/client.ts';

// The exit code of each refusal: test/trust/faulted.test.ts.

const REFUSED = 'The platform refused the request';
const FIELDS = { phone: ['is too short', 'has letters'], items: [{ planId: 'is unknown' }] };
const FIELD_LINES = ['phone: is too short', 'phone: has letters', 'items[0].planId: is unknown'];
const PLACES = [
  { field: 'name', message: 'is taken' },
  { detail: 'is short', pointer: '#/age' },
  { a: 'b' },
];
const NOT_THE_API = expect.stringMatching(
  /^127\.0\.0\.1:\d+ answered with .* instead of the API \(400\)\.$/,
);

test.each<[body: unknown, message: string, lines: string[] | undefined, type?: string]>([
  [{ error: FIELDS }, `${REFUSED}:`, FIELD_LINES],
  [{ message: 'Invalid.', errors: { name: 'is taken' } }, 'Invalid.', ['name: is taken']],
  [{ errors: PLACES }, `${REFUSED}:`, ['name: is taken', '#/age: is short', '[2].a: b']],
  ['"No credit"', `${REFUSED} (400): No credit`, undefined],
  ['No credit,\n  sorry\n', `${REFUSED} (400): No credit, sorry`, undefined, 'text/plain'],
  // What says nothing.
  [{ error: {} }, `${REFUSED} (400).`, undefined],
  [{ error: 'x'.repeat(1_100_000) }, `${REFUSED} (400).`, undefined],
  ['<h1>No credit</h1>', NOT_THE_API, undefined, 'text/plain'],
  ['No credit', NOT_THE_API, undefined, 'text/html'],
  ['No \u001b[31mcredit', NOT_THE_API, undefined, 'text/plain'],
])(
  'a 400 with the body of row %# says what happened',
  async (body, message, lines, type = 'application/json') => {
    const { error } = await sendTo([[400, body, { 'content-type': type }]], WHOAMI);
    expect([error.code, error.message, error.details.lines]).toEqual(['rejected', message, lines]);
  },
);

const UNKNOWN = 'items[0].planId: is unknown';
const PATH = ['items', 0, 'planId'];

test.each<[what: string, body: unknown, message: string, lines: string[] | undefined]>([
  [
    'a code and a message',
    { code: 'invalid', message: 'No such plan.' },
    'No such plan.',
    undefined,
  ],
  [
    'the same in error',
    { error: { code: 'invalid', message: 'No such plan.' } },
    'No such plan.',
    undefined,
  ],
  [
    'the same in errors',
    { errors: { code: 4, message: 'No such plan.' } },
    'No such plan.',
    undefined,
  ],
  [
    'an error with its field',
    { error: { code: 'invalid', message: 'is unknown', param: 'items[0].planId' } },
    `${REFUSED}:`,
    [UNKNOWN],
  ],
  ['a list of paths', [{ path: PATH, message: 'is unknown' }], `${REFUSED}:`, [UNKNOWN]],
  [
    'a list of paths in error',
    { error: [{ path: PATH, message: 'is unknown' }] },
    `${REFUSED}:`,
    [UNKNOWN],
  ],
  [
    'issues',
    {
      error: {
        name: 'ZodError',
        issues: [{ code: 'x', path: PATH, message: 'is unknown' }],
        message: 'Invalid.',
      },
    },
    'Invalid.',
    [UNKNOWN],
  ],
  [
    'issues without a text',
    {
      success: false,
      error: { issues: [{ path: PATH, message: 'is unknown' }], name: 'ZodError' },
    },
    `${REFUSED}:`,
    [UNKNOWN],
  ],
  [
    'issues as a text',
    {
      error: { name: 'ZodError', message: JSON.stringify([{ path: PATH, message: 'is unknown' }]) },
    },
    `${REFUSED}:`,
    [UNKNOWN],
  ],
  [
    'issues whose path has objects',
    { error: { issues: [{ path: PATH.map((key) => ({ key })), message: 'is unknown' }] } },
    `${REFUSED}:`,
    [UNKNOWN],
  ],
  [
    'flattened issues',
    { error: { formErrors: ['is old'], fieldErrors: { planId: ['is unknown'] } } },
    `${REFUSED}:`,
    ['is old', 'planId: is unknown'],
  ],
  [
    'formatted issues',
    { error: { _errors: [], items: [{ _errors: [], planId: { _errors: ['is unknown'] } }] } },
    `${REFUSED}:`,
    [UNKNOWN],
  ],
  [
    'fields with a code and a message each',
    { error: { planId: { code: 'unknown', message: 'is unknown' } } },
    `${REFUSED}:`,
    ['planId: is unknown'],
  ],
  [
    'fields without a message',
    { error: { planId: 'is unknown', domain: null, label: '' } },
    `${REFUSED}:`,
    ['planId: is unknown'],
  ],
  [
    'Spring with fields',
    { error: 'Bad Request', errors: [{ field: 'planId', defaultMessage: 'is unknown' }] },
    'Bad Request',
    ['planId: is unknown'],
  ],
  [
    'PayPal',
    { message: 'Invalid.', details: [{ field: 'planId', issue: 'is unknown' }] },
    'Invalid.',
    ['planId: is unknown'],
  ],
  [
    'FastAPI',
    { detail: [{ loc: ['body', ...PATH], msg: 'is unknown', type: 'value_error' }] },
    `${REFUSED}:`,
    [UNKNOWN],
  ],
  [
    'FastAPI with a problem',
    { detail: { code: 'x', message: 'No such plan.' } },
    'No such plan.',
    undefined,
  ],
  [
    'RFC 9457',
    { type: 'about:blank', title: 'Bad order', status: 400, detail: 'No such plan.' },
    'Bad order: No such plan.',
    undefined,
  ],
  [
    'RFC 9457 in error',
    { error: { type: 'about:blank', title: 'Bad order', status: 400 } },
    'Bad order',
    undefined,
  ],
  [
    'RFC 9457 with a detail in error',
    { error: { title: 'Bad order', detail: 'No such plan.' } },
    'Bad order: No such plan.',
    undefined,
  ],
  [
    'RFC 9457 with parameters',
    { title: 'Bad order', 'invalid-params': [{ name: 'items[0].planId', reason: 'is unknown' }] },
    'Bad order',
    [UNKNOWN],
  ],
  [
    'RFC 9457 with pointers',
    { title: 'Bad order', errors: [{ detail: 'is unknown', pointer: '#/planId' }] },
    'Bad order',
    ['#/planId: is unknown'],
  ],
  [
    'Spring',
    {
      timestamp: '2026-03-01T00:00:00Z',
      status: 400,
      error: 'Bad Request',
      message: 'No such plan.',
      path: '/v1/checkout',
    },
    'No such plan.',
    undefined,
  ],
  [
    'Nest',
    { statusCode: 400, error: 'Bad Request', message: ['planId is unknown'] },
    'Bad Request',
    ['planId is unknown'],
  ],
  [
    'OAuth',
    { error: 'invalid_request', error_description: 'No such plan.' },
    'No such plan.',
    undefined,
  ],
  [
    'JSON:API',
    { errors: [{ title: 'is unknown', source: { pointer: '/planId' } }] },
    `${REFUSED}:`,
    ['/planId: is unknown'],
  ],
  [
    'gRPC',
    {
      error: {
        code: 400,
        message: 'Invalid.',
        details: [
          {
            '@type': 'BadRequest',
            fieldViolations: [{ field: 'planId', description: 'is unknown' }],
          },
        ],
      },
    },
    'Invalid.',
    ['planId: is unknown'],
  ],
  [
    'Ajv',
    { errors: [{ instancePath: '/planId', keyword: 'enum', message: 'is unknown' }] },
    `${REFUSED}:`,
    ['/planId: is unknown'],
  ],
  [
    'Express',
    { errors: [{ type: 'field', msg: 'is unknown', path: 'planId', location: 'body' }] },
    `${REFUSED}:`,
    ['planId: is unknown'],
  ],
  [
    'an exception with its name',
    {
      errors: [
        { name: 'ValidationError', path: 'planId', message: 'is unknown' },
        { name: 'RangeError', code: 7, message: 'is too large' },
      ],
    },
    `${REFUSED}:`,
    ['planId: is unknown', 'is too large'],
  ],
  [
    'Django',
    { planId: ['is unknown'], items: ['are empty'] },
    `${REFUSED}:`,
    ['planId: is unknown', 'items: are empty'],
  ],
  [
    'invalid fields that are called code and message',
    { error: { code: ['is old'], message: ['is empty'] } },
    `${REFUSED}:`,
    ['code: is old', 'message: is empty'],
  ],
  ['what is no problem', { ok: false, count: 3 }, `${REFUSED} (400).`, undefined],
])('a 400 in the form of %s says what happened', async (_what, body, message, lines) => {
  const { error } = await sendTo([[400, body]], WHOAMI);

  expect(error.message).toBe(message);
  expect(error.details.lines).toEqual(lines);
});

test('a refused sign-in names its source, the way to a new one, and what the platform says', async () => {
  const { error } = await sendTo(
    [[401, { message: 'Look:', errors: { token: 'is old' } }]],
    WHOAMI,
  );
  expect(error.message).toContain('SVC_TOKEN');
  expect(error.details.lines).toEqual(['The platform says: Look:', 'token: is old']);
  expect(toNextStep(error.details.hint).run).toEqual(['svc login']);
});

test('a login goes out without the sign-in, so a 401 to it blames none', async () => {
  const { error } = await sendTo([[401]], { operation: OPERATIONS.startDeviceLogin, body: {} });

  expect(error.message).toBe('The platform requires you to sign in (401).');
});

test.each([
  ['//evil.example:8443/x', 'to http://evil.example:8443'],
  ['https://user:hunter2@evil.example/?token=1', 'to https://evil.example'],
  ['javascript:alert(1)', 'elsewhere'],
])('a redirect to %j is not followed and names its target', async (location, target) => {
  const { error, sent } = await sendTo([[307, undefined, { location }]], RESTART);
  expect(error).toMatchObject({
    code: 'unexpected',
    message: expect.stringContaining(` redirects ${target} (307).`),
  });
  expect(JSON.stringify(toErrorObject(error))).not.toContain('hunter2');
  expect(sent).toHaveLength(1);
});

test.each([
  ['303 to an order', 303, '/v1/orders/ord_1'],
  ['303 to a page', 303, '/done'],
  ['302 to another path of the API', 302, '/v1/services/svc_1/restarts/7'],
  ['301 to another path of the API', 301, '/v1/done'],
])('a change that is answered with %s is in doubt', async (_what, status, location) => {
  const { error, sent } = await sendTo([[status, undefined, { location }]], RESTART);

  expect(error).toMatchObject({ code: 'unavailable', details: { status, outcome: 'unknown' } });
  expect(error.message).toContain(location);
  expect(sent).toHaveLength(1);
});

test.each([
  ['303 to another host', RESTART, 303, 'https://elsewhere.example/v1/x'],
  ['302 to a page to sign in', RESTART, 302, '/login'],
  ['301 to the same path with a slash', RESTART, 301, '/v1/services/s1/restart/'],
  ['307 to another path', RESTART, 307, '/v1/elsewhere'],
  ['303 as answer to a read', WHOAMI, 303, '/v1/elsewhere'],
])('%s says that nothing was carried out', async (_what, call, status, location) => {
  const { error } = await sendTo([[status, undefined, { location }]], call);

  expect(error.code).toBe('unexpected');
  expect(error.details.outcome).toBeUndefined();
});

test('a change whose answer is lost is to be checked, not the connection, and keeps the words of the platform', async () => {
  expect((await sendTo(['reset'], RESTART)).error.details).toMatchObject({
    outcome: 'unknown',
    hint: undefined,
  });
  const { details } = (await sendTo([[500, { errors: { image: 'is old' } }]], RESTART)).error;
  const lines = ['image: is old', expect.stringContaining('Check before you repeat it')];
  expect(details).toMatchObject({ outcome: 'unknown', lines });
});

test.each([
  ['what is not found may be in another organization', RESTART, 404, {}, /--org <slug>/],
  [
    'a platform that says when is asked then',
    WHOAMI,
    503,
    { 'retry-after': '600' },
    /in 10 minutes/,
  ],
  [
    'a write that may have happened is not simply repeated',
    RESTART,
    503,
    { 'retry-after': '600' },
    /^$/,
  ],
])('the next step: %s', async (_name, call, status, headers, hint) => {
  const { error } = await sendTo([[status, { error: 'Sorry.' }, headers]], call, { retry: false });
  expect(error.details.hint ? toNextStep(error.details.hint).say : '').toMatch(hint);
});
