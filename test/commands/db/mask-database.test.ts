import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskDatabase } from '../../../src/commands/db/connection.ts';
import type { JsonObject } from '../../../src/json/values.ts';
import { MASK } from '../../../src/terminal/mask-text.ts';

test('a password is masked in its field, in the URL, and in other values', () => {
  const answer: JsonObject = {
    database: { note: 'log in with s3cret-pw!', hosts: ['a', { password: 'other' }] },
    connectionUrl: 'postgres://ann:s3cret-pw%21@db:5432/app?sslmode=require',
    username: 'ann',
    password: 's3cret-pw!',
    reader: 'mysql://bob:x@replica/app',
  };
  expect(maskDatabase(answer)).toEqual({
    database: { note: `log in with ${MASK}`, hosts: ['a', { password: MASK }] },
    connectionUrl: `postgres://ann:${MASK}@db:5432/app?sslmode=require`,
    username: 'ann',
    password: MASK,
    reader: `mysql://bob:${MASK}@replica/app`,
  });
});

test('a password is masked whole in every spelling, even if one begins like another', () => {
  const answer: JsonObject = { password: 'word%/', database: { note: 'word%/, word%25%2F' } };
  expect(maskDatabase(answer)).toEqual({ password: MASK, database: { note: `${MASK}, ${MASK}` } });
  const percent: JsonObject = { password: 'word%', database: { note: 'word%25, word%' } };
  expect(maskDatabase(percent)).toEqual({ password: MASK, database: { note: `${MASK}, ${MASK}` } });
});

test('everything below a secret name is masked, and names that only sound alike are not', () => {
  const answer: JsonObject = {
    secret: { value: 'a', parts: ['b', 3, null, true] },
    apiKey: 'k',
    dbPassword: 12345,
    passwordChangedAt: '2026-01-01',
    password: '',
  };
  expect(maskDatabase(answer)).toEqual({
    secret: { value: MASK, parts: [MASK, 3, null, true] },
    apiKey: MASK,
    dbPassword: MASK,
    passwordChangedAt: '2026-01-01',
    password: '',
  });
});

test('no password of four characters or more is left', () => {
  const password = fc.string({ minLength: 4, maxLength: 30 }).filter((text) => !MASK.includes(text.slice(0, 1)));
  fc.assert(
    fc.property(password, fc.string(), (secret, words) => {
      const answer: JsonObject = {
        password: secret,
        connectionUrl: `postgres://u:${encodeURIComponent(secret)}@h/d`,
        database: { note: `${words} ${secret} ${words}`, list: [secret] },
      };
      const masked = maskDatabase(answer);
      const text = JSON.stringify(masked);
      const spellings = [secret, encodeURIComponent(secret)].map((one) => JSON.stringify(one).slice(1, -1));
      // Words of the note around it may hold the same characters by accident only where they are the secret itself.
      for (const spelling of spellings) expect(text.replace('postgres://u:', '')).not.toContain(spelling);
    }),
  );
});
