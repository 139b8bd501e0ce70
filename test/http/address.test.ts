import { expect, test } from 'vitest';
import { parseBaseUrl } from '../../src/http/address.ts';

// biome-ignore format: a table
test.each([
  ['HTTPS://API.Example.COM:443/', 'https://api.example.com'],
  ['  https://api.example.com:8443/base/path// ', 'https://api.example.com:8443/base/path'],
  ['http://127.9.8.7:4750/', 'http://127.9.8.7:4750'], ['http://[::1]:80', 'http://[::1]'], ['http://LOCALHOST:4750', 'http://localhost:4750'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('%s becomes %s', (text, expected) => {
  expect([text, expected].map((one) => parseBaseUrl(one))).toEqual([expected, expected]);
});

// biome-ignore format: a table
test.each([
  ['is empty', ['', '   ']],
  ['must start with https://', ['api.example.com', 'ftp://example.com', 'https:/example.com']],
  ['must not contain a user name or password', ['https://user:hunter2@example.com', 'https://@example.com']],
  ['must not contain more than two slashes', ['https:///user:hunter2@example.com', 'HTTP:////user:hunter2@localhost']],
  ['must not contain a query', ['https://example.com?', 'https://example.com/?a=1']],
  ['must not contain a fragment', ['https://example.com#']],
  ['must not contain a backslash', ['https://example.com\\@evil.example']],
  ['must not contain spaces or control characters', ['https://exa\tmple.com', 'https://exa mple.com', 'https://exa\u0000mple.com']],
  ['is not an address', ['https://', 'https://example.com:99999']],
  ['is plain http', [
    'http://example.com', 'http://localhost.example.com', 'http://app.localhost', 'http://localhost.', 'http://0.0.0.0',
    'http://[::ffff:127.0.0.1]', 'http://[::]', 'http://128.0.0.1', 'http://1127.0.0.1.example',
  ]],
])('what %s is refused: %j', (reason, texts) => {
  const message = expect.stringMatching(/^(?!.*hunter2)SVC_API_URL /);
  for (const text of texts) {
    expect(() => parseBaseUrl(text, { field: 'SVC_API_URL' })).toThrow(expect.objectContaining({ code: 'usage', message }));
    expect(() => parseBaseUrl(text)).toThrow(reason);
  }
});

test('plain http to another machine is taken when it is allowed', () => {
  expect(parseBaseUrl('http://example.com:80/', { allowHttp: true })).toBe('http://example.com');
});
