import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { isLoopback, parseBaseUrl } from '../../src/http/address.ts';

test.each([
  ['https://API.Example.COM', 'https://api.example.com'],
  ['HTTPS://api.example.com:443/', 'https://api.example.com'],
  ['https://api.example.com:8443/base/path//', 'https://api.example.com:8443/base/path'],
  ['  https://api.example.com/v2 ', 'https://api.example.com/v2'],
  ['http://127.0.0.1:4750/', 'http://127.0.0.1:4750'],
  ['http://127.9.8.7', 'http://127.9.8.7'],
  ['http://[::1]:80', 'http://[::1]'],
  ['http://LOCALHOST:4750', 'http://localhost:4750'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('%s becomes %s', (text, expected) => {
  expect(parseBaseUrl(text)).toBe(expected);
  expect(parseBaseUrl(expected)).toBe(expected);
});

test.each([
  ['', 'is empty'],
  ['   ', 'is empty'],
  ['api.example.com', 'must start with https://'],
  ['ftp://example.com', 'must start with https://'],
  ['javascript:alert(1)', 'must start with https://'],
  ['https:/example.com', 'must start with https://'],
  ['https://user:hunter2@example.com', 'must not contain a user name or password'],
  ['https://@example.com', 'must not contain a user name or password'],
  ['https:///user:hunter2@example.com', 'must not contain more than two slashes'],
  ['HTTP:////user:hunter2@localhost', 'must not contain more than two slashes'],
  ['https://example.com?', 'must not contain a query'],
  ['https://example.com/?a=1', 'must not contain a query'],
  ['https://example.com#', 'must not contain a fragment'],
  ['https://example.com\\@evil.example', 'must not contain a backslash'],
  ['https://exa\tmple.com', 'must not contain spaces or control characters'],
  ['https://exa mple.com', 'must not contain spaces or control characters'],
  ['https://exa\u0000mple.com', 'must not contain spaces or control characters'],
  ['https://', 'is not an address'],
  ['https://example.com:99999', 'is not an address'],
  ['http://example.com', 'is plain http'],
  ['http://localhost.example.com', 'is plain http'],
  ['http://app.localhost', 'is plain http'],
  ['http://localhost.', 'is plain http'],
  ['http://0.0.0.0', 'is plain http'],
  ['http://[::ffff:127.0.0.1]', 'is plain http'],
  ['http://128.0.0.1', 'is plain http'],
])('%j is refused: it %s', (text, reason) => {
  const error = errorOf(() => parseBaseUrl(text, { field: 'SVC_API_URL' }));
  expect(error.code).toBe('usage');
  expect(error.message).toContain(`SVC_API_URL ${reason}`);
  expect(error.message).not.toContain('hunter2');
});

test('plain http to another machine is taken when it is allowed', () => {
  expect(parseBaseUrl('http://example.com:80/', { allowHttp: true })).toBe('http://example.com');
});

test('loopback is 127.0.0.0/8, ::1 and localhost, and nothing that only looks like them', () => {
  expect(['127.0.0.1', '127.255.0.3', '::1', '[::1]', 'localhost', 'LocalHost'].every(isLoopback)).toBe(true);
  expect(
    ['127.0.0.1.example.com', '127.0.0', '1127.0.0.1', 'localhost.', '10.0.0.1', '[::]', ''].some(isLoopback),
  ).toBe(false);
});

function errorOf(run: () => unknown): CliError {
  try {
    run();
  } catch (error) {
    if (error instanceof CliError) return error;
  }
  throw new Error('nothing was refused');
}
