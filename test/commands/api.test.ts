import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CANARY_TOKEN, type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire, type Wire } from '../support/wire.ts';

const api = (wire: Wire, argv: readonly string[], options: RunOptions = {}) =>
  svc(['api', ...argv], { url: wire.url, ...options });

/** The request that a command line sends; the API answers `{}`. */
async function sent(argv: readonly string[], options: RunOptions = {}, method = 'GET', path = '/v1/things') {
  const wire = await testWire();
  wire.on(method, path).reply(200, {});
  const run = await api(wire, argv, options);
  return { run, request: wire.requests[0] };
}

async function refused(argv: readonly string[], options: RunOptions = {}) {
  const wire = await testWire();
  const run = await api(wire, argv, options);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wire.requests).toEqual([]);
  return run.stderr;
}

describe('the request', () => {
  test('is a GET with the sign-in, the organization and nothing else', async () => {
    const { run, request } = await sent(['/v1/things', '--org', 'acme']);
    expect(run).toMatchObject({ exitCode: 0, stdout: '{}\n', stderr: '' });
    expect(request?.target).toBe('/v1/things');
    expect(request?.headers['authorization']).toBe(`Bearer ${CANARY_TOKEN}`);
    expect(request?.headers['x-service-org']).toBe('acme');
    expect(request?.body).toBe('');
  });

  test('keeps its query, and a GET puts its fields behind it', async () => {
    const argv = ['/v1/things?a=1&b=x%20y', '--field', 'c=d&e', '--field', 'n:=[1]', '--field', 'a.b=c', '-X', 'GET'];
    const { request } = await sent(argv);
    expect(request?.query).toEqual([
      ['a', '1'],
      ['b', 'x y'],
      ['c', 'd&e'],
      ['n', '[1]'],
      ['a.b', 'c'],
    ]);
  });

  test('with fields is a POST with a JSON body', async () => {
    const argv = [
      '/v1/things',
      '--field',
      'a=1',
      '--field',
      'b:={"c":[true]}',
      '--field',
      'd.e=f',
      '--field',
      'd.g:=2',
    ];
    const { request } = await sent(argv, {}, 'POST');
    expect(request?.body).toBe('{"a":"1","b":{"c":[true]},"d":{"e":"f","g":2}}');
    expect(request?.headers['content-type']).toBe('application/json');
  });

  test('carries raw JSON as it was typed, in a body, in a query and in a dry run', async () => {
    const fields = ['n:=12345678901234567890', 'p.q:=1.10', 's:="x"'].flatMap((field) => ['--field', field]);
    const body = '{"n":12345678901234567890,"p":{"q":1.10},"s":"x"}';
    const posted = await sent(['/v1/things', ...fields], {}, 'POST');
    expect(posted.request?.body).toBe(body);
    const { request } = await sent(['/v1/things', ...fields, '-X', 'GET']);
    expect(request?.query).toEqual([
      ['n', '12345678901234567890'],
      ['p.q', '1.10'],
      ['s', '"x"'],
    ]);
    const shown = await api(await testWire(), ['/v1/things', ...fields, '--dry-run', '--json']);
    expect(shown.stdout).toContain(`"body":${body}}`);
    const people = await api(await testWire(), ['/v1/things', ...fields, '--dry-run']);
    expect(people.stdout).toContain('"n": 12345678901234567890');
    expect(people.stdout).toContain('"q": 1.10');
    const input = await api(await testWire(), ['/v1/things', '--input', '-', '--dry-run', '--json'], { stdin: body });
    expect(input.stdout).toContain(`"body":${body}}`);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('may be a %s', async (method) => {
    const { request } = await sent(['/v1/things', '-X', method.toLowerCase(), '--field', 'a=b'], {}, method);
    expect(request?.body).toBe('{"a":"b"}');
  });

  test('without fields has no body and no content type, whatever its method', async () => {
    const { request } = await sent(['/v1/things', '-X', 'DELETE'], {}, 'DELETE');
    expect(request?.body).toBe('');
    expect(request?.headers['content-type']).toBeUndefined();
  });

  test('sends a file or standard input to the byte', async () => {
    const cwd = await temporaryFolder();
    const text = '{ "price": 1.50,\n "big": 12345678901234567890 }\n';
    await writeFile(join(cwd, 'body.json'), text);
    const file = await sent(['/v1/things', '--input', 'body.json'], { cwd }, 'POST');
    expect(file.request?.body).toBe(text);
    const stdin = await sent(['/v1/things', '--input', '-', '-X', 'PUT'], { stdin: text }, 'PUT');
    expect(stdin.request?.body).toBe(text);
    expect(stdin.request?.headers['content-type']).toBe('application/json');
  });

  test('sends any bytes with a Content-Type header', async () => {
    const argv = ['/v1/things', '--input', '-', '-H', 'content-type: text/plain'];
    const { request } = await sent(argv, { stdin: 'not json' }, 'POST');
    expect(request?.body).toBe('not json');
    expect(request?.headers['content-type']).toBe('text/plain');
  });

  test('carries more headers, among them a key that makes repeating safe', async () => {
    const { request } = await sent(['/v1/things', '-H', 'X-One: a: b', '--header', 'Idempotency-Key: k1']);
    expect(request?.headers).toMatchObject({ 'x-one': 'a: b', 'idempotency-key': 'k1' });
  });

  test('fills in the linked service and the organization, each as one part of the path', async () => {
    const { request } = await sent(
      ['/v1/orgs/{org}/services/{service}', '--org', 'ac/me'],
      { env: { SVC_SERVICE: 'svc_1' } },
      'GET',
      '/v1/orgs/ac%2Fme/services/svc_1',
    );
    expect(request).toBeDefined();
  });

  test('may be given as a full URL of the same address', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/things?a=b').reply(200, {});
    expect((await api(wire, [`${wire.url}/v1/things?a=b`])).exitCode).toBe(0);
  });

  test('keeps the path of the base address', async () => {
    const wire = await testWire();
    wire.on('GET', '/base/v1/things').reply(200, {});
    expect((await svc(['api', '/v1/things'], { url: `${wire.url}/base` })).exitCode).toBe(0);
  });

  test('sends letters beyond ASCII and escapes as a URL has them', async () => {
    const { request } = await sent(['/v1/é/a%2Fb'], {}, 'GET', '/v1/%C3%A9/a%2Fb');
    expect(request).toBeDefined();
  });
});

describe('refused before anything is sent:', () => {
  test.each([
    ['a path without /', ['v1/user']],
    ['another host', ['https://evil.example/v1/user']],
    ['another scheme', ['file:///etc/passwd']],
    ['the same host, spelled to look alike', ['http://127.0.0.1:1/v1/user']],
    ['a host in the path', ['//evil.example/v1/user']],
    ['..', ['/v1/../admin']],
    ['encoded ..', ['/v1/%2e%2E/admin']],
    ['.', ['/v1/./user']],
    ['a backslash', ['/v1\\..\\admin']],
    ['a space', ['/v1/a b']],
    ['a line break', ['/v1/user\r\nHost: evil']],
    ['a broken escape', ['/v1/a%zz']],
    ['a fragment', ['/v1/user#x']],
    ['an unknown placeholder', ['/v1/{user}']],
    ['an unknown method', ['/v1/user', '-X', 'BREW']],
    ['a field without =', ['/v1/user', '--field', 'a']],
    ['a field given twice', ['/v1/user', '--field', 'a=1', '--field', 'a=2']],
    ['a field that is value and object', ['/v1/user', '--field', 'a=1', '--field', 'a.b=2']],
    ['a field with broken JSON', ['/v1/user', '--field', 'a:={']],
    ['a header without a value', ['/v1/user', '-H', 'X-A']],
    ['--input with fields', ['/v1/user', '--input', '-', '--field', 'a=1']],
    ['--input with GET', ['/v1/user', '-X', 'GET', '--input', '-']],
    ['a file that is not there', ['/v1/user', '--input', 'nowhere.json']],
    ['--paginate with POST', ['/v1/user', '-X', 'POST', '--paginate']],
    ['--include with --json', ['/v1/user', '--include', '--json']],
  ])('%s', async (_name, argv) => {
    await refused(argv);
  });

  test.each([
    'Authorization: Bearer x',
    'Cookie: a=b',
    'Host: evil',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
  ])('the header %s', async (header) => {
    const stderr = await refused(['/v1/user', '-H', header]);
    expect(stderr).not.toContain('Bearer x');
  });

  test('standard input that is not JSON, with what JSON.parse says', async () => {
    expect(await refused(['/v1/user', '--input', '-'], { stdin: '{"a":1,\n"b":}' })).toContain(
      'read as JSON: Unexpected',
    );
  });

  test('{service} without a service', async () => {
    expect(await refused(['/v1/services/{service}'])).toContain('svc link');
  });
});

describe('the answer', () => {
  async function answered(body: unknown, headers: Record<string, string> = {}, argv: readonly string[] = []) {
    const wire = await testWire();
    wire.on('GET', '/v1/things').reply(200, body, headers);
    return await api(wire, ['/v1/things', ...argv]);
  }

  test('is laid out for people, its numbers as they came', async () => {
    expect(await answered('{"a":[1.50,{"b":null}],"big":12345678901234567890}')).toMatchObject({
      exitCode: 0,
      stdout: '{\n  "a": [\n    1.50,\n    {\n      "b": null\n    }\n  ],\n  "big": 12345678901234567890\n}\n',
    });
  });

  test.each(['[1,2.0]', '"text"', '5.00', 'null', 'true', '{"a": 1}'])(
    '%s is printed as it came with --json',
    async (text) => {
      expect(await answered(text, {}, ['--json'])).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
    },
  );

  test('goes through --jq', async () => {
    expect(await answered('[{"id":"a"},{"id":"b"}]', {}, ['--jq', '.[].id'])).toMatchObject({ stdout: 'a\nb\n' });
  });

  test('of a change that a --jq filter fails on is told of as given, and one of a read is not', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/things').reply(201, {});
    wire.on('GET', '/v1/things').reply(200, {});
    const changed = await api(wire, ['/v1/things', '-X', 'POST', '--jq', '.x[]']);
    expect(changed).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
    expect(changed.error['error']).toMatch(/^POST \/v1\/things was answered with 201\. The --jq filter failed .*null/);
    const read = await api(wire, ['/v1/things', '--jq', '.x[]']);
    expect(read.error['error']).toMatch(/^The --jq filter failed /);
  });

  test('that is not JSON is shown, and drives nothing', async () => {
    const run = await answered('plain \u001b[31mtext\n', { 'content-type': 'text/plain' });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'plain \\u{1b}[31mtext\n', stderr: '' });
  });

  test('that is not JSON is an error with --json', async () => {
    const run = await answered('<html>', { 'content-type': 'text/html' }, ['--json']);
    expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected', status: 200 } });
  });

  test('to a change that is not JSON is an unknown outcome with --json', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/things').reply(200, '<html>', { 'content-type': 'text/html' });
    const run = await api(wire, ['/v1/things', '-X', 'POST', '--json']);
    expect(run).toMatchObject({ exitCode: 8, stdout: '', error: { status: 200, outcome: 'unknown' } });
    expect(run.error['hint']).toBe('svc api /v1/things');
  });

  test('that claims to be JSON and is not is an error', async () => {
    expect(await answered('{"a":', {})).toMatchObject({ exitCode: 1, stdout: '' });
  });

  test('that is empty is said, and prints nothing with --json', async () => {
    const wire = await testWire();
    wire.on('DELETE', '/v1/things').reply(204).reply(204);
    expect(await api(wire, ['/v1/things', '-X', 'DELETE'])).toMatchObject({
      exitCode: 0,
      stdout: 'Done; the answer is empty (204).\n',
    });
    expect(await api(wire, ['/v1/things', '-X', 'DELETE', '--json'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('is shown below its status and headers with --include', async () => {
    const { stdout } = await answered('{"a":1}', { 'x-request-id': 'req_1', 'x-odd': 'a\u009bb' }, ['--include']);
    expect(stdout).toMatch(/^HTTP 200\n/);
    expect(stdout).toMatch(/x-request-id +req_1\n/);
    expect(stdout).toMatch(/\n\n\{\n {2}"a": 1\n\}\n$/);
    expect(stdout).not.toContain('\u009b');
  });

  test('of a HEAD is its head', async () => {
    const wire = await testWire();
    wire.on('HEAD', '/v1/things').reply(200, undefined, { 'x-total': '7' });
    const run = await api(wire, ['/v1/things', '-X', 'HEAD']);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/^HTTP 200\n[\s\S]*x-total +7\n/);
  });

  test('over 1 MiB is printed with --json, to the byte', async () => {
    const text = `[${Array.from({ length: 60_000 }, (_, index) => `{"id":${index},"v":1.50}`).join(',')}]`;
    const run = await answered(text, {}, ['--json']);
    expect(run.exitCode).toBe(0);
    expect(run.stdout === `${text}\n`).toBe(true);
  });

  test.each([
    [401, 4],
    [404, 6],
    [422, 3],
  ])('with status %i is the error that it is', async (status, exitCode) => {
    const wire = await testWire();
    wire.on('GET', '/v1/things').reply(status, { error: { name: ['taken'] } });
    const run = await api(wire, ['/v1/things', '--json']);
    expect(run).toMatchObject({ exitCode, stdout: '', error: { error: { name: ['taken'] }, status } });
  });
});

describe('repeating', () => {
  test('a GET is asked again', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/things').reply(502).reply(200, {});
    expect((await api(wire, ['/v1/things'])).exitCode).toBe(0);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s whose answer is lost is not', async (method) => {
    const wire = await testWire();
    wire.on(method, '/v1/things').reset();
    const run = await api(wire, ['/v1/things', '-X', method, '--json']);
    expect(run).toMatchObject({ exitCode: 8, error: { outcome: 'unknown' } });
    expect(wire.requests).toHaveLength(1);
  });
});

test('--dry-run shows the request without credentials, needs neither, and sends nothing', async () => {
  const wire = await testWire();
  const run = await api(wire, ['/v1/checkout', '--field', 'a=b', '-H', 'X-A: b', '--dry-run', '--json'], {
    token: null,
  });
  expect(run.json).toMatchObject({
    schemaVersion: 1,
    method: 'POST',
    url: `${wire.url}/v1/checkout`,
    headers: { 'x-a': 'b' },
    body: { a: 'b' },
  });
  expect(wire.requests).toEqual([]);
});

describe('secrets of an answer', () => {
  const text = '{"id":12345678901234567890,"env":{"DB_PASSWORD":"hunter2","PORT":"80"},"at":"mysql://u:hunter2@h/d"}';
  const ask = async (argv: readonly string[], body: string | object = text) => {
    const wire = await testWire();
    wire.on('GET', '/v1/things').reply(200, body);
    return await api(wire, ['/v1/things', ...argv]);
  };

  test('are masked for people, with one notice of how to see them', async () => {
    const run = await ask([]);
    expect(run.stdout).toBe(`{
  "id": 12345678901234567890,
  "env": {
    "DB_PASSWORD": "********",
    "PORT": "80"
  },
  "at": "mysql://u:********@h/d"
}
`);
    expect(run.stderr).toBe('Secrets are masked. Show them with --json.\n');
  });

  test('are there with --json and --jq, to the byte', async () => {
    expect(await ask(['--json'])).toMatchObject({ stdout: `${text}\n`, stderr: '' });
    expect(await ask(['--jq', '.env.DB_PASSWORD'])).toMatchObject({ stdout: 'hunter2\n', stderr: '' });
  });

  test('are masked in headers, and in a dry run', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/things').reply(200, {}, { 'set-cookie': 'sid=hunter2', 'x-api-key': 'hunter2' });
    const { stdout } = await api(wire, ['/v1/things', '--include']);
    expect(stdout).not.toContain('hunter2');
    expect(stdout).toMatch(/x-api-key +\*{8}\n/);
    const dry = await api(wire, ['/v1/things', '--field', 'password=hunter2', '--dry-run']);
    expect(dry.stdout).toContain('"password": "********"');
  });

  test('without any, the answer is not rewritten and nothing is said', async () => {
    const run = await ask(
      [],
      '{"tokens":12,"hasPassword":true,"tokenExpiresAt":"2026-01-01","plan":"secret garden","a":1.10}',
    );
    expect(run.stdout).toContain('"a": 1.10');
    expect(run.stdout).not.toContain('***');
    expect(run.stderr).toBe('');
  });
});

describe('an answer with success: false', () => {
  const answered = async (method: string) => {
    const wire = await testWire();
    wire.on(method, '/v1/things').reply(200, { success: false, message: 'not now' });
    return api(wire, ['/v1/things', '-X', method, '--json']);
  };

  test('to a change is a failure, and is printed as well', async () => {
    const run = await answered('POST');
    expect(run).toMatchObject({ exitCode: 9, stdout: '{"success":false,"message":"not now"}\n' });
    expect(run.error).toMatchObject({ code: 'failed', exitCode: 9 });
  });

  test('to a read is the data that was asked for', async () => {
    expect(await answered('GET')).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
