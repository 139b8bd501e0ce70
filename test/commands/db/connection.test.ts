import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionOf, maskDatabase } from '../../../src/commands/db/connection.ts';
import type { JsonObject } from '../../../src/json/values.ts';
import { MASK } from '../../../src/terminal/mask.ts';
import { anyCharacter } from '../../support/property.ts';

const parts = (connectionUrl: string, more = {}) => {
  const { url, parameters, ...rest } = connectionOf({ connectionUrl, ...more }, 'db_1');
  return rest;
};

test('a connection URL is taken apart', () => {
  const url = 'PostgreSQL://a%40b:p%2Fw@h.example:5432/my%20db?x=1&y=a%26b';
  expect(connectionOf({ connectionUrl: url }, 'db_1')).toEqual({
    ...{ url, scheme: 'postgresql', host: 'h.example', port: '5432', username: 'a@b', password: 'p/w' },
    ...{
      database: 'my db',
      parameters: [
        ['x', '1'],
        ['y', 'a&b'],
      ],
    },
  });
});

/* biome-ignore format: a row a line */
test.each<[url: string, expected: object, more?: object]>([
  ['mysql://h', { username: '', password: '', host: 'h', port: '', database: '' }],
  ['redis://:pw@h:6379/0', { username: '', password: 'pw', host: 'h', database: '0' }],
  ['postgres://u@[2001:db8::1]:5432/d', { username: 'u', host: '2001:db8::1', port: '5432' }],
  ['postgres://u:100%@h/d', { password: '100%' }],
  ['postgres://u:a:b@h/d', { password: 'a:b' }],
  // A password that someone forgot to escape.
  ['postgres://u:p@ss@h/d', { password: 'p@ss', host: 'h', database: 'd' }],
  ['postgres://u:p/w#x@h/d', { password: 'p/w#x', host: 'h', database: 'd' }],
  ['postgres://u:p?w@h/d', { password: 'p?w', host: 'h', database: 'd' }],
  ['postgres://u:p@ss/w@h/d?sslmode=require', { password: 'p@ss/w', host: 'h', database: 'd' }],
  ['postgres://u:pa@ss/w?rd@h/d', { password: 'pa@ss/w?rd', host: 'h', database: 'd' }],
  ['postgres://u:pa@ss/w?r=d@h/d', { password: 'pa@ss/w?r=d', host: 'h', database: 'd' }],
  ['postgres://u:pa@ss#w@h/d', { password: 'pa@ss#w', host: 'h', database: 'd' }],
  ['postgres://u:pa@ss?x=1&w@h/d', { password: 'pa@ss?x=1&w', host: 'h', database: 'd' }],
  // An @ among its parameters belongs to them.
  ['redis://h:6379/0?tag=a@b', { host: 'h', port: '6379', username: '', database: '0' }],
  // The exact fields of the answer win.
  ['postgres://u:pa@ss?r=d@h/d?application_name=a@b', { username: 'u', host: 'h', database: 'd' }, { password: 'pa@ss?r=d' }],
  ['postgres://u:5?w@h/d', { username: 'u', host: 'h', database: 'd' }, { password: '5?w' }],
  ['postgres://u:pa%40ss%3F@h/d?application_name=a@b', { host: 'h', database: 'd' }, { password: 'pa@ss?' }],
  ['postgres://u:other@h/d?application_name=a@b&connect_timeout=5', { host: 'h', database: 'd' }, { password: 'exact' }],
  ['postgres://u:x@h/d', { username: 'ann', password: 'a b' }, { username: 'ann', password: 'a b' }],
])('%s is %j with %j', (url, expected, more = {}) => {
  expect(parts(url, more)).toMatchObject({ ...more, ...expected });
});

/* biome-ignore format: a row a line */
test.each(['', 'h:5432', 'postgres://', 'postgres://u:p@', 'postgres://-oProxy@h x/d', 'postgres://u:p@-h/d', '://h'])(
  '%j is none, and the error does not repeat it',
  (url) => {
    const message = expect.not.stringContaining(url || 'h:5432');
    const failing = () => connectionOf({ connectionUrl: url, credentialsIncluded: true }, 'db_1');
    expect(failing).toThrow(expect.objectContaining({ code: 'unexpected', message }));
  },
);

test('every escaped user name, password and database name comes back', () => {
  const text = fc.string({ unit: anyCharacter, minLength: 1 }).filter((one) => !/[\0\p{Surrogate}]/u.test(one));
  fc.assert(
    fc.property(text, text, text, (username, password, database) => {
      const [u, p, d] = [username, password, database].map(encodeURIComponent);
      expect(parts(`postgres://${u}:${p}@h.example:5/${d}`)).toMatchObject({ username, password, database });
    }),
  );
});

/* biome-ignore format: a row a line */
test.each<[what: string, answer: JsonObject, masked: JsonObject]>([
  ['in its field, in the URL, and in other values', {
    database: { note: 'log in with s3cret-pw!', hosts: ['a', { password: 'other' }] },
    connectionUrl: 'postgres://ann:s3cret-pw%21@db:5432/app?sslmode=require',
    password: 's3cret-pw!',
    reader: 'mysql://bob:x@replica/app',
  }, {
    database: { note: `log in with ${MASK}`, hosts: ['a', { password: MASK }] },
    connectionUrl: `postgres://ann:${MASK}@db:5432/app?sslmode=require`,
    password: MASK,
    reader: `mysql://bob:${MASK}@replica/app`,
  }],
  ['whole in every spelling', { password: 'word%/', note: 'word%/, word%25%2F' }, { password: MASK, note: `${MASK}, ${MASK}` }],
  ['whole if one spelling begins like another', { password: 'word%', note: 'word%25, word%' }, { password: MASK, note: `${MASK}, ${MASK}` }],
  ['with all that is below a secret name', { secret: { value: 'a', parts: ['b', 3, null] }, dbPassword: 5 }, { secret: { value: MASK, parts: [MASK, 3, null] }, dbPassword: MASK }],
  ['but not under a name that only sounds alike', { passwordChangedAt: '2026-01-01', password: '' }, { passwordChangedAt: '2026-01-01', password: '' }],
  ['but short ones not in words', { password: 'app', note: 'apples' }, { password: MASK, note: 'apples' }],
])('a password is masked %s', (_what, answer, masked) => {
  expect(maskDatabase(answer)).toEqual(masked);
});

test('no password of four characters or more is left', () => {
  const password = fc.string({ minLength: 4, maxLength: 30 }).filter((text) => !MASK.includes(text.slice(0, 1)));
  fc.assert(
    fc.property(password, fc.string(), (secret, words) => {
      const note = `${words} ${secret} ${words}`;
      const connectionUrl = `postgres://u:${encodeURIComponent(secret)}@h/d`;
      const answer: JsonObject = { password: secret, connectionUrl, note, list: [secret] };
      const text = JSON.stringify(maskDatabase(answer));
      const spellings = [secret, encodeURIComponent(secret)].map((one) => JSON.stringify(one).slice(1, -1));
      for (const spelling of spellings) expect(text.replace('postgres://u:', '')).not.toContain(spelling);
    }),
  );
});
