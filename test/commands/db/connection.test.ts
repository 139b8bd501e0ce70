import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectionOf } from '../../../src/commands/db/connection.ts';
import { CliError } from '../../../src/errors.ts';
import { anyCharacter } from '../../support/property.ts';

const parts = (connectionUrl: string, more = {}) => {
  const { url, parameters, ...rest } = connectionOf({ connectionUrl, ...more }, 'db_1');
  return rest;
};

describe('a connection URL', () => {
  test('is taken apart', () => {
    expect(
      connectionOf({ connectionUrl: 'PostgreSQL://a%40b:p%2Fw@h.example:5432/my%20db?x=1&y=a%26b' }, 'db_1'),
    ).toEqual({
      url: 'PostgreSQL://a%40b:p%2Fw@h.example:5432/my%20db?x=1&y=a%26b',
      scheme: 'postgresql',
      host: 'h.example',
      port: '5432',
      username: 'a@b',
      password: 'p/w',
      database: 'my db',
      parameters: [
        ['x', '1'],
        ['y', 'a&b'],
      ],
    });
  });

  test.each([
    ['mysql://h', { username: '', password: '', host: 'h', port: '', database: '' }],
    ['redis://:pw@h:6379/0', { username: '', password: 'pw', host: 'h', database: '0' }],
    ['postgres://u@[2001:db8::1]:5432/d', { username: 'u', host: '2001:db8::1', port: '5432' }],
    ['postgres://u:100%@h/d', { password: '100%' }],
    ['postgres://u:a:b@h/d', { password: 'a:b' }],
  ])('%s', (url, expected) => {
    expect(parts(url)).toMatchObject(expected);
  });

  test.each([
    ['postgres://u:p@ss@h/d', 'p@ss', 'h'],
    ['postgres://u:p/w#x@h/d', 'p/w#x', 'h'],
    ['postgres://u:p?w@h/d', 'p?w', 'h'],
    ['postgres://u:p@ss/w@h/d?sslmode=require', 'p@ss/w', 'h'],
    ['postgres://u:pa@ss/w?rd@h/d', 'pa@ss/w?rd', 'h'],
    ['postgres://u:pa@ss/w?r=d@h/d', 'pa@ss/w?r=d', 'h'],
    ['postgres://u:pa@ss#w@h/d', 'pa@ss#w', 'h'],
    ['postgres://u:pa@ss?x=1&w@h/d', 'pa@ss?x=1&w', 'h'],
  ])('%s has a password that someone forgot to escape', (url, password, host) => {
    expect(parts(url)).toMatchObject({ password, host, database: 'd' });
  });

  test('an @ among its parameters belongs to them', () => {
    expect(parts('redis://h:6379/0?tag=a@b')).toMatchObject({ host: 'h', port: '6379', username: '', database: '0' });
  });

  test.each([
    ['postgres://u:pa@ss?r=d@h/d?application_name=a@b', 'pa@ss?r=d'],
    ['postgres://u:5?w@h/d', '5?w'],
    ['postgres://u:pa%40ss%3F@h/d?application_name=a@b', 'pa@ss?'],
    ['postgres://u:other@h/d?application_name=a@b&connect_timeout=5', 'exact'],
  ])('%s is read with the password that the answer has', (url, password) => {
    expect(parts(url, { password })).toMatchObject({ username: 'u', password, host: 'h', database: 'd' });
  });

  test('gives way to the exact fields of the answer', () => {
    expect(parts('postgres://u:x@h/d', { username: 'ann', password: 'a b' })).toMatchObject({
      username: 'ann',
      password: 'a b',
    });
  });

  test.each([
    '',
    'h:5432',
    'postgres://',
    'postgres://u:p@',
    'postgres://-oProxy@h x/d',
    'postgres://u:p@-h/d',
    '://h',
  ])('%j is none, and the error does not repeat it', (url) => {
    const error = errorOf({ connectionUrl: `${url}`, credentialsIncluded: true });
    expect(error.code).toBe('unexpected');
    if (url !== '') expect(error.message).not.toContain(url);
  });

  test('that is kept back is forbidden', () => {
    expect(errorOf({ credentialsIncluded: false }).code).toBe('forbidden');
    expect(errorOf({}).code).toBe('forbidden');
  });

  test('round-trips every escaped user name, password and database name', () => {
    const text = fc.string({ unit: anyCharacter, minLength: 1 }).filter((one) => !/[\0\p{Surrogate}]/u.test(one));
    fc.assert(
      fc.property(text, text, text, (username, password, database) => {
        const [u, p, d] = [username, password, database].map(encodeURIComponent);
        expect(parts(`postgres://${u}:${p}@h.example:5/${d}`)).toMatchObject({ username, password, database });
      }),
    );
  });
});

function errorOf(answer: object): CliError {
  try {
    connectionOf(answer as never, 'db_1');
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  return expect.fail('no error');
}
