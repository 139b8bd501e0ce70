import { expect, test } from 'vitest';
import { type Answers, against } from '../support/against.ts';
import { CANARY_TOKEN, type RunOptions } from '../support/svc.ts';

const GET = 'GET /v1/things';
const POST = 'POST /v1/things';
const RAW = '{"n":12345678901234567890,"p":{"q":1.10},"s":"x"}';
const RAW_FIELDS = '--field n:=12345678901234567890 --field p.q:=1.10 --field s:="x"';
const TEXT = '{ "price": 1.50,\n "big": 12345678901234567890 }\n';
const JSON_TYPE = { 'content-type': 'application/json' };

test.each<[what: string, line: string, request: string, expected: object, options?: RunOptions]>([
  [
    'is a GET with the sign-in and the organization',
    '/v1/things --org acme',
    GET,
    { body: '', headers: { authorization: `Bearer ${CANARY_TOKEN}`, 'x-service-org': 'acme' } },
  ],
  [
    'has its fields in the query of a GET',
    '/v1/things?a=1&b=x%20y --field c=d&e --field a.b=c -X GET',
    GET,
    {
      query: [
        ['a', '1'],
        ['b', 'x y'],
        ['c', 'd&e'],
        ['a.b', 'c'],
      ],
    },
  ],
  [
    'with fields is a POST',
    '/v1/things --field a=1 --field b:={"c":[true]} --field d.e=f --field d.g:=2',
    POST,
    { body: '{"a":"1","b":{"c":[true]},"d":{"e":"f","g":2}}', headers: JSON_TYPE },
  ],
  ['carries raw JSON as it was typed', `/v1/things ${RAW_FIELDS}`, POST, { body: RAW }],
  [
    'carries raw JSON in a query as well',
    `/v1/things ${RAW_FIELDS} -X GET`,
    GET,
    {
      query: [
        ['n', '12345678901234567890'],
        ['p.q', '1.10'],
        ['s', '"x"'],
      ],
    },
  ],
  [
    'without fields has no body',
    '/v1/things -X DELETE',
    'DELETE /v1/things',
    { body: '', headers: expect.not.objectContaining({ 'content-type': expect.anything() }) },
  ],
  [
    'sends standard input to the byte',
    '/v1/things --input - -X PUT',
    'PUT /v1/things',
    { body: TEXT, headers: JSON_TYPE },
    { stdin: TEXT },
  ],
  [
    'sends any bytes with a Content-Type',
    '/v1/things --input - -H content-type:text/plain',
    POST,
    { body: 'not json', headers: { 'content-type': 'text/plain' } },
    { stdin: 'not json' },
  ],
  [
    'fills in the service and the organization',
    '/v1/orgs/{org}/services/{service} --org ac/me',
    'GET /v1/orgs/ac%2Fme/services/svc_1',
    {},
    { env: { SVC_SERVICE: 'svc_1' } },
  ],
])('the request %s', async (_what, line, request, expected, options) => {
  const run = await against(`api ${line}`, { [request]: [{}] }, options);
  expect(run).toMatchObject({ exitCode: 0, stdout: '{}\n', stderr: '' });
  expect(run.sent[0]).toMatchObject(expected);
});

test('a full URL of the same address is the same request, and keeps the path of the base address', async () => {
  const options = { url: 'http://127.0.0.1:9/base', token: null };
  const { json } = await against(
    'api http://127.0.0.1:9/base/v1/things --dry-run --json',
    {},
    options,
  );
  expect(json).toMatchObject({ method: 'GET', url: 'http://127.0.0.1:9/base/v1/things' });
  expect((await against('api /v1/things --dry-run --json', {}, options)).json).toEqual(json);
});

test('--dry-run shows the request without credentials, needs neither, and sends nothing', async () => {
  const line = `api /v1/checkouts ${RAW_FIELDS} -H X-A:b --field password=hunter2 --dry-run`;
  const script = await against(`${line} --json`, {}, { token: null });
  const url = expect.stringMatching(/\/v1\/checkouts$/);
  expect(script.json).toMatchObject({
    schemaVersion: 1,
    method: 'POST',
    url,
    headers: { 'x-a': 'b' },
  });
  expect(script.stdout).toContain(`"body":${RAW.slice(0, -1)},"password":"`);
  const { stdout } = await against(line, {}, { token: null });
  for (const shown of ['"n": 12345678901234567890', '"password": "********"'])
    expect(stdout).toContain(shown);
});

test.each([
  ['a path without /', 'v1/user'],
  ['another host', 'https://evil.example/v1/user'],
  ['the same host with another port', 'http://127.0.0.1:1/v1/user'],
  ['a host in the path', '//evil.example/v1/user'],
  ['..', '/v1/../admin'],
  ['encoded ..', '/v1/%2e%2E/admin'],
  ['a backslash', '/v1\\..\\admin'],
  ['a broken escape', '/v1/a%zz'],
  ['an unknown placeholder', '/v1/{user}'],
  ['{service} without a service', '/v1/services/{service}', 'svc link'],
  ['a field with broken JSON', '/v1/user --field a:={'],
  ['--input with fields', '/v1/user --input - --field a=1'],
  ['--input with GET', '/v1/user -X GET --input -'],
  ['standard input that is not JSON', '/v1/user --input -', 'read as JSON: Unexpected'],
  ['--include with --json', '/v1/user --include --json'],
  [
    '--new-order of something else',
    '/v1/user -X POST --new-order --yes',
    '--new-order is for an order only.',
  ],
  ['the header Authorization', '/v1/user -H Authorization:secret'],
  ['the header Host', '/v1/user -H Host:evil'],
])('refused before anything is sent: %s', async (_what, line, says = '') => {
  const run = await against(['api', ...line.split(' ')], {}, { stdin: '{"a":1,\n"b":}' });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(says) });
  expect(run.stderr).not.toContain('secret');
});

const SECRETS =
  '{"id":12345678901234567890,"env":{"DB_PASSWORD":"hunter2","PORT":"80"},"at":"mysql://u:hunter2@h/d"}';
const MASKED =
  /"id": 12345678901234567890,[^*]*"DB_PASSWORD": "\*{8}",\s+"PORT": "80"[^*]*"mysql:\/\/u:\*{8}@h\/d"/;
const HTML = [200, '<html>', { 'content-type': 'text/html' }] as const;
const PLAIN = [200, 'plain \u001b[31mtext\n', { 'content-type': 'text/plain' }] as const;
const NOT_NOW = '{"success":false,"message":"not now"}';
const LOST = { outcome: 'unknown' };

test.each<
  [what: string, flags: string, answers: Answers[string], expected: object, method?: string]
>([
  [
    'is laid out for people, its numbers as they came',
    '',
    ['{"a":[1.50,{"b":null}]}'],
    { stdout: '{\n  "a": [\n    1.50,\n    {\n      "b": null\n    }\n  ]\n}\n' },
  ],
  [
    'is printed as it came with --json',
    '--json',
    ['{"a": 1,"b":5.00}'],
    { stdout: '{"a": 1,"b":5.00}\n', stderr: '' },
  ],
  [
    'of a change that a filter fails on is told of as given',
    '--jq .x[]',
    [[201, {}]],
    {
      exitCode: 1,
      stdout: '',
      error: {
        code: 'unexpected',
        error: expect.stringMatching(/^POST \/v1\/things was answered with 201\./),
      },
    },
    'POST',
  ],
  [
    'that is not JSON is shown, and drives nothing',
    '',
    [PLAIN],
    { stdout: 'plain \\u{1b}[31mtext\n', stderr: '' },
  ],
  [
    'that is not JSON is an error with --json',
    '--json',
    [HTML],
    { exitCode: 1, stdout: '', error: { code: 'unexpected', status: 200 } },
  ],
  [
    'to a change that is not JSON is an unknown outcome',
    '--json',
    [HTML],
    { exitCode: 8, stdout: '', error: { ...LOST, status: 200, hint: 'svc api /v1/things' } },
    'POST',
  ],
  [
    'that is empty is said',
    '',
    [[204]],
    { stdout: 'Done; the answer is empty (204).\n' },
    'DELETE',
  ],
  [
    'that is empty prints nothing with --json',
    '--json',
    [[204]],
    { stdout: '', stderr: '' },
    'DELETE',
  ],
  [
    'of a HEAD is its head',
    '',
    [[200, undefined, { 'x-total': '7' }]],
    { stdout: expect.stringMatching(/^HTTP 200\n[\s\S]*x-total +7\n/) },
    'HEAD',
  ],
  [
    'is masked for people, with one notice',
    '',
    [SECRETS],
    {
      stdout: expect.stringMatching(MASKED),
      stderr: 'Secrets are masked. Show them with --json.\n',
    },
  ],
  [
    'to a change with success: false is a failure',
    '--json',
    [NOT_NOW],
    { exitCode: 9, stdout: `${NOT_NOW}\n`, error: { code: 'failed' } },
    'POST',
  ],
  [
    'to a read with success: false is data',
    '--json',
    [NOT_NOW],
    { stdout: `${NOT_NOW}\n`, stderr: '' },
  ],
  ['to a read is asked for again', '', [[502], {}], { stdout: '{}\n' }],
  ['that is lost is not asked for again', '--json', ['reset'], { exitCode: 8, error: LOST }, 'PUT'],
])('the answer %s', async (_what, flags, answers, expected, method = 'GET') => {
  const run = await against(`api /v1/things -X ${method} ${flags}`, {
    [`${method} /v1/things`]: answers,
  });
  expect(run).toMatchObject({ exitCode: 0, ...expected });
});

test('--include shows status and headers above the answer, without their secrets', async () => {
  const headers = {
    'x-request-id': 'req_1',
    'x-odd': 'a\u009bb',
    'set-cookie': 'sid=hunter2',
    'x-api-key': 'hunter2',
  };
  const { stdout } = await against('api /v1/things --include', {
    [GET]: [[200, '{"a":1}', headers]],
  });
  expect(stdout).toMatch(/^HTTP 200\n[\s\S]*x-request-id +req_1\n[\s\S]*\n\n\{\n {2}"a": 1\n\}\n$/);
  expect(stdout).toMatch(/x-api-key +\*{8}\n/);
  expect(stdout).not.toMatch(/hunter2|\u009b/);
});
