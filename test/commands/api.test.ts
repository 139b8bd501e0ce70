import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answers, against } from '../support/against.ts';
import { CANARY_TOKEN, type RunOptions, temporaryFolder } from '../support/svc.ts';

const RAW = '{"n":12345678901234567890,"p":{"q":1.10},"s":"x"}';
const RAW_FIELDS = '--field n:=12345678901234567890 --field p.q:=1.10 --field s:="x"';
const TEXT = '{ "price": 1.50,\n "big": 12345678901234567890 }\n';

/** What the API got of a line, behind `svc api`; the API answers `{}`. */
async function sent(line: string, request: string, options: RunOptions = {}) {
  const run = await against(`api ${line}`, { [request]: [{}] }, options);
  expect(run).toMatchObject({ exitCode: 0, stdout: '{}\n', stderr: '' });
  return run.sent[0];
}

describe('the request', () => {
  const GET = 'GET /v1/things';
  const POST = 'POST /v1/things';

  // biome-ignore format: a table
  test.each<[what: string, line: string, request: string, expected: object, options?: RunOptions]>([
    ['is a GET with the sign-in and the organization', '/v1/things --org acme', GET, { body: '', headers: { authorization: `Bearer ${CANARY_TOKEN}`, 'x-service-org': 'acme' } }],
    ['keeps its query', '/v1/things?a=1&b=x%20y', GET, { query: [['a', '1'], ['b', 'x y']] }],
    ['has its fields in the query of a GET', '/v1/things?a=1 --field c=d&e --field n:=[1] --field a.b=c -X GET', GET, { query: [['a', '1'], ['c', 'd&e'], ['n', '[1]'], ['a.b', 'c']] }],
    ['with fields is a POST', '/v1/things --field a=1 --field b:={"c":[true]} --field d.e=f --field d.g:=2', POST, { body: '{"a":"1","b":{"c":[true]},"d":{"e":"f","g":2}}', headers: { 'content-type': 'application/json' } }],
    ['carries raw JSON as it was typed', `/v1/things ${RAW_FIELDS}`, POST, { body: RAW }],
    ['carries raw JSON in a query as well', `/v1/things ${RAW_FIELDS} -X GET`, GET, { query: [['n', '12345678901234567890'], ['p.q', '1.10'], ['s', '"x"']] }],
    ['may be another method', '/v1/things -X patch --field a=b', 'PATCH /v1/things', { body: '{"a":"b"}' }],
    ['without fields has no body', '/v1/things -X DELETE', 'DELETE /v1/things', { body: '', headers: expect.not.objectContaining({ 'content-type': expect.anything() }) }],
    ['sends standard input to the byte', '/v1/things --input - -X PUT', 'PUT /v1/things', { body: TEXT, headers: { 'content-type': 'application/json' } }, { stdin: TEXT }],
    ['sends any bytes with a Content-Type', '/v1/things --input - -H content-type:text/plain', POST, { body: 'not json', headers: { 'content-type': 'text/plain' } }, { stdin: 'not json' }],
    ['carries more headers', '/v1/things -H X-One:a:b --header Idempotency-Key:k1', GET, { headers: { 'x-one': 'a:b', 'idempotency-key': 'k1' } }],
    ['fills in the service and the organization', '/v1/orgs/{org}/services/{service} --org ac/me', 'GET /v1/orgs/ac%2Fme/services/svc_1', {}, { env: { SVC_SERVICE: 'svc_1' } }],
    ['sends letters beyond ASCII as a URL has them', '/v1/é/a%2Fb', 'GET /v1/%C3%A9/a%2Fb', {}],
  ])('%s', async (_what, line, request, expected, options) => {
    expect(await sent(line, request, options)).toMatchObject(expected);
  });

  test('sends a file to the byte', async () => {
    const cwd = await temporaryFolder();
    writeFileSync(join(cwd, 'body.json'), TEXT);
    expect(await sent('/v1/things --input body.json', POST, { cwd })).toMatchObject({ body: TEXT });
  });

  test('may be a full URL of the same address, and keeps the path of the base address', async () => {
    const options = { url: 'http://127.0.0.1:9/base', token: null };
    const { json } = await against('api http://127.0.0.1:9/base/v1/things --dry-run --json', {}, options);
    expect(json).toMatchObject({ method: 'GET', url: 'http://127.0.0.1:9/base/v1/things' });
    const short = await against('api /v1/things --dry-run --json', {}, options);
    expect(short.stdout).toBe(`${JSON.stringify(json)}\n`);
  });

  test('--dry-run shows it without credentials, needs neither, and sends nothing', async () => {
    const line = `api /v1/checkouts ${RAW_FIELDS} -H X-A:b --field password=hunter2 --dry-run`;
    const script = await against(`${line} --json`, {}, { token: null });
    const url = expect.stringMatching(/\/v1\/checkouts$/);
    expect(script.json).toMatchObject({ schemaVersion: 1, method: 'POST', url, headers: { 'x-a': 'b' } });
    expect(script.stdout).toContain(`"body":${RAW.slice(0, -1)},"password":"`);
    const { stdout } = await against(line, {}, { token: null });
    for (const shown of ['"n": 12345678901234567890', '"q": 1.10', '"password": "********"'])
      expect(stdout).toContain(shown);
  });
});

describe('refused before anything is sent:', () => {
  test.each([
    ['a path without /', 'v1/user'],
    ['another host', 'https://evil.example/v1/user'],
    ['another scheme', 'file:///etc/passwd'],
    ['the same host with another port', 'http://127.0.0.1:1/v1/user'],
    ['a host in the path', '//evil.example/v1/user'],
    ['..', '/v1/../admin'],
    ['encoded ..', '/v1/%2e%2E/admin'],
    ['.', '/v1/./user'],
    ['a backslash', '/v1\\..\\admin'],
    ['a line break', '/v1/user\r\nHost:evil'],
    ['a broken escape', '/v1/a%zz'],
    ['a fragment', '/v1/user#x'],
    ['an unknown placeholder', '/v1/{user}'],
    ['{service} without a service', '/v1/services/{service}', 'svc link'],
    ['an unknown method', '/v1/user -X BREW'],
    ['a field without =', '/v1/user --field a'],
    ['a field given twice', '/v1/user --field a=1 --field a=2'],
    ['a field that is value and object', '/v1/user --field a=1 --field a.b=2'],
    ['a field with broken JSON', '/v1/user --field a:={'],
    ['a header without a value', '/v1/user -H X-A'],
    ['--input with fields', '/v1/user --input - --field a=1'],
    ['--input with GET', '/v1/user -X GET --input -'],
    ['standard input that is not JSON', '/v1/user --input -', 'read as JSON: Unexpected'],
    ['a file that is not there', '/v1/user --input nowhere.json'],
    ['--paginate with POST', '/v1/user -X POST --paginate'],
    ['--include with --json', '/v1/user --include --json'],
    ['--new-order of something else', '/v1/user -X POST --new-order --yes', '--new-order is for an order only.'],
    ['the header Authorization', '/v1/user -H Authorization:secret'],
    ['the header Cookie', '/v1/user -H Cookie:a=b'],
    ['the header Host', '/v1/user -H Host:evil'],
    ['the header Content-Length', '/v1/user -H Content-Length:3'],
    ['the header Transfer-Encoding', '/v1/user -H Transfer-Encoding:chunked'],
  ])('%s', async (_what, line, says = '') => {
    const run = await against(['api', ...line.split(' ')], {}, { stdin: '{"a":1,\n"b":}' });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(says) });
    expect(run.stderr).not.toContain('secret');
  });

  test('a path with a space', async () => {
    expect(await against(['api', '/v1/a b'], {})).toMatchObject({ exitCode: 2 });
  });
});

const SECRETS = '{"id":12345678901234567890,"env":{"DB_PASSWORD":"hunter2","PORT":"80"},"at":"mysql://u:hunter2@h/d"}';
const MASKED = `{
  "id": 12345678901234567890,
  "env": {
    "DB_PASSWORD": "********",
    "PORT": "80"
  },
  "at": "mysql://u:********@h/d"
}
`;
const NOTICE = 'Secrets are masked. Show them with --json.\n';
const HTML = [200, '<html>', { 'content-type': 'text/html' }] as const;
const PLAIN = [200, 'plain \u001b[31mtext\n', { 'content-type': 'text/plain' }] as const;
const NOT_NOW = '{"success":false,"message":"not now"}';
const LOST = { outcome: 'unknown' };

// biome-ignore format: a table
describe('the answer', () => {
  test.each<[what: string, flags: string, answers: Answers[string], expected: object, method?: string]>([
    ['is laid out for people, its numbers as they came', '', ['{"a":[1.50,{"b":null}]}'], { stdout: '{\n  "a": [\n    1.50,\n    {\n      "b": null\n    }\n  ]\n}\n' }],
    ['is printed as it came with --json', '--json', ['{"a": 1,"b":5.00}'], { stdout: '{"a": 1,"b":5.00}\n', stderr: '' }],
    ['may be a text', '--json', ['"text"'], { stdout: '"text"\n' }],
    ['may be null', '--json', ['null'], { stdout: 'null\n' }],
    ['goes through --jq', '--jq .[].id', ['[{"id":"a"},{"id":"b"}]'], { stdout: 'a\nb\n' }],
    ['that a filter fails on is told of', '--jq .x[]', [{}], { exitCode: 1, stdout: '', error: { error: expect.stringMatching(/^The --jq filter failed /) } }],
    ['of a change that a filter fails on is told of as given', '--jq .x[]', [[201, {}]], { exitCode: 1, stdout: '', error: { code: 'unexpected', error: expect.stringMatching(/^POST \/v1\/things was answered with 201\. The --jq filter failed .*null/) } }, 'POST'],
    ['that is not JSON is shown, and drives nothing', '', [PLAIN], { stdout: 'plain \\u{1b}[31mtext\n', stderr: '' }],
    ['that is not JSON is an error with --json', '--json', [HTML], { exitCode: 1, stdout: '', error: { code: 'unexpected', status: 200 } }],
    ['to a change that is not JSON is an unknown outcome', '--json', [HTML], { exitCode: 8, stdout: '', error: { ...LOST, status: 200, hint: 'svc api /v1/things' } }, 'POST'],
    ['that claims to be JSON and is not is an error', '', ['{"a":'], { exitCode: 1, stdout: '' }],
    ['that is empty is said', '', [[204]], { stdout: 'Done; the answer is empty (204).\n' }, 'DELETE'],
    ['that is empty prints nothing with --json', '--json', [[204]], { stdout: '', stderr: '' }, 'DELETE'],
    ['of a HEAD is its head', '', [[200, undefined, { 'x-total': '7' }]], { stdout: expect.stringMatching(/^HTTP 200\n[\s\S]*x-total +7\n/) }, 'HEAD'],
    ['is masked for people, with one notice', '', [SECRETS], { stdout: MASKED, stderr: NOTICE }],
    ['has its secrets with --json', '--json', [SECRETS], { stdout: `${SECRETS}\n`, stderr: '' }],
    ['has its secrets with --jq', '--jq .env.DB_PASSWORD', [SECRETS], { stdout: 'hunter2\n', stderr: '' }],
    ['without secrets is not rewritten', '', ['{"tokens":12,"hasPassword":true,"plan":"secret garden","a":1.10}'], { stdout: expect.stringMatching(/true[^*]*"secret garden",\n {2}"a": 1\.10/), stderr: '' }],
    ['to a change with success: false is a failure', '--json', [NOT_NOW], { exitCode: 9, stdout: `${NOT_NOW}\n`, error: { code: 'failed' } }, 'POST'],
    ['to a read with success: false is data', '--json', [NOT_NOW], { stdout: `${NOT_NOW}\n`, stderr: '' }],
    ['that is refused is the error that it is', '--json', [[422, { error: { name: ['taken'] } }]], { exitCode: 3, stdout: '', error: { error: { name: ['taken'] }, status: 422 } }],
    ['to a read is asked for again', '', [[502], {}], { stdout: '{}\n' }],
    ['that is lost is not asked for again: PUT', '--json', ['reset'], { exitCode: 8, error: LOST }, 'PUT'],
    ['that is lost is not asked for again: PATCH', '--json', ['reset'], { exitCode: 8, error: LOST }, 'PATCH'],
  ])('%s', async (_what, flags, answers, expected, method = 'GET') => {
    const run = await against(`api /v1/things -X ${method} ${flags}`, { [`${method} /v1/things`]: answers });
    expect(run).toMatchObject({ exitCode: 0, ...expected });
  });
});

test('--include shows status and headers above the answer, without their secrets', async () => {
  const headers = { 'x-request-id': 'req_1', 'x-odd': 'a\u009bb', 'set-cookie': 'sid=hunter2', 'x-api-key': 'hunter2' };
  const { stdout } = await against('api /v1/things --include', { 'GET /v1/things': [[200, '{"a":1}', headers]] });
  expect(stdout).toMatch(/^HTTP 200\n/);
  expect(stdout).toMatch(/x-api-key +\*{8}\n/);
  expect(stdout).toMatch(/x-request-id +req_1\n/);
  expect(stdout).toMatch(/\n\n\{\n {2}"a": 1\n\}\n$/);
  expect(stdout).not.toMatch(/hunter2|\u009b/);
});
