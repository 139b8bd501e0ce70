import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskDatabase, readConnection } from '../../../src/commands/db/connection.ts';
import type { JsonObject } from '../../../src/json/values.ts';
import { MASK } from '../../../src/terminal/mask.ts';

test.each<[url: string, expected: object, more?: object]>([
  [
    'PostgreSQL://a%40b:p%2Fw@h:1/my%20db?x=a%26b',
    { scheme: 'postgresql', username: 'a@b', parameters: [['x', 'a&b']] },
  ],
  ['mysql://h', { username: '', password: '', host: 'h', port: '', database: '' }],
  ['redis://:pw@h:6379/0', { username: '', password: 'pw', host: 'h', database: '0' }],
  ['postgres://u@[2001:db8::1]:5432/d', { username: 'u', host: '2001:db8::1', port: '5432' }],
  ['postgres://u:100%@h/d', { password: '100%' }],
  // A password that someone forgot to escape.
  ['postgres://u:p@ss@h/d', { password: 'p@ss', host: 'h', database: 'd' }],
  ['postgres://u:p/w#x@h/d', { password: 'p/w#x', host: 'h', database: 'd' }],
  ['postgres://u:p@ss/w@h/d?sslmode=require', { password: 'p@ss/w', host: 'h', database: 'd' }],
  ['postgres://u:pa@ss/w?r=d@h/d', { password: 'pa@ss/w?r=d', host: 'h', database: 'd' }],
  ['postgres://u:pa@ss?x=1&w@h/d', { password: 'pa@ss?x=1&w', host: 'h', database: 'd' }],
  // An @ among its parameters belongs to them.
  ['redis://h:6379/0?tag=a@b', { host: 'h', port: '6379', username: '', database: '0' }],
  // The exact fields of the answer win.
  [
    'postgres://u:pa@ss?r=d@h/d?application_name=a@b',
    { username: 'u', host: 'h' },
    { password: 'pa@ss?r=d' },
  ],
  [
    'postgres://u:pa%40ss%3F@h/d?application_name=a@b',
    { host: 'h', database: 'd' },
    { password: 'pa@ss?' },
  ],
  [
    'postgres://u:x@h/d',
    { username: 'ann', password: 'a b' },
    { username: 'ann', password: 'a b' },
  ],
])('%s is %j with %j', (connectionUrl, expected, more = {}) => {
  expect(readConnection({ connectionUrl, ...more }, 'db_1')).toMatchObject({
    ...more,
    ...expected,
  });
});

test.each([
  '',
  'h:5432',
  'postgres://u:p@',
  'postgres://-oProxy@h x/d',
  'postgres://u:p@-h/d',
  'postgres://u:p@h1,/d',
])('%j is none, and the error does not repeat it', (connectionUrl) => {
  const message = expect.not.stringContaining(connectionUrl || 'h:5432');
  const failing = () => readConnection({ connectionUrl, credentialsIncluded: true }, 'db_1');
  expect(failing).toThrow(expect.objectContaining({ code: 'unexpected', message }));
});

test.each<[what: string, answer: JsonObject, masked: JsonObject]>([
  [
    'in other URLs',
    { reader: 'mysql://bob:x@replica/app' },
    { reader: `mysql://bob:${MASK}@replica/app` },
  ],
  [
    'whole in every spelling',
    { password: 'word%/', note: 'word%/, word%25%2F' },
    { password: MASK, note: `${MASK}, ${MASK}` },
  ],
  [
    'with all below a secret name',
    { secret: { value: 'a', parts: ['b', 3] } },
    { secret: { value: MASK, parts: [MASK, 3] } },
  ],
  [
    'but short ones not in words',
    { password: 'app', note: 'apples' },
    { password: MASK, note: 'apples' },
  ],
])('a password is masked %s', (_what, answer, masked) => {
  expect(maskDatabase(answer)).toEqual(masked);
});

test('no password of four characters or more is left', () => {
  const password = fc
    .string({ minLength: 4, maxLength: 30 })
    .filter((text) => !MASK.includes(text.slice(0, 1)));
  fc.assert(
    fc.property(password, fc.string(), (secret, words) => {
      const note = `${words} ${secret} ${words}`;
      const connectionUrl = `postgres://u:${encodeURIComponent(secret)}@h/d`;
      const answer: JsonObject = { password: secret, connectionUrl, note, list: [secret] };
      const text = JSON.stringify(maskDatabase(answer));
      const spellings = [secret, encodeURIComponent(secret)].map((one) =>
        JSON.stringify(one).slice(1, -1),
      );
      for (const spelling of spellings)
        expect(text.replace('postgres://u:', '')).not.toContain(spelling);
    }),
  );
});
