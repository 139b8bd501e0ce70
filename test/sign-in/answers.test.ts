import { expect, test } from 'vitest';
import type { LoginAnswer } from '../../src/sign-in/exchange.ts';
import { answer, cut, endOf, error, play } from './score.ts';

const TOKEN = 'svc_CANARY_0123456789abcdef';
const ID = 'svc_0123456789abcdef0123456789';
const WHOLE = JSON.stringify({ token: TOKEN, tokenId: 'tok_3' });

test.each<[how: string, one: LoginAnswer]>([
  ['twice wrapped', answer(200, { ok: true, result: { login: { token: TOKEN } } })],
  ['beside an id with the same prefix', answer(200, { tokenId: ID, data: { key: TOKEN } })],
  ['beside an error', answer(200, { token: TOKEN, error: 'authorization_pending' })],
  ['as plain text', answer(200, ` ${TOKEN}\r\n`)],
  ['wrapped, before the break', cut(200, JSON.stringify({ data: { token: TOKEN } }))],
  [
    'before many fields that were cut',
    cut(200, `${WHOLE.slice(0, -1)},"scopes":["a","b","c","d","e`),
  ],
])('a token is used: %s', async (_how, one) => {
  const played = await play([one, error('invalid_grant')]);
  expect([endOf(played), played.kept]).toEqual([`token ${TOKEN}`, [TOKEN]]);
});

test.each<[what: string, one: LoginAnswer]>([
  [
    'two different ones',
    answer(200, { token: { a: TOKEN }, accessToken: TOKEN, refreshToken: `${TOKEN}2` }),
  ],
  ['a token that no header can hold', answer(200, { token: `${TOKEN} b` })],
  ['a sentence', answer(200, `Your token is ${TOKEN}`)],
  ['a text that was cut', cut(200, TOKEN)],
  ['what is endlessly deep', answer(200, `${'[{"token":'.repeat(5000)}1${'}]'.repeat(5000)}`)],
])('a token is not guessed from %s, and the end says that one may exist', async (_what, one) => {
  const played = await play([one, error('invalid_grant')]);
  expect([endOf(played), played.kept]).toEqual([
    expect.stringMatching(/^exit 9: The login may have been/),
    [],
  ]);
});

test('a token is not looked for in an answer that fails', async () => {
  const failed = answer(400, { token: TOKEN, error: 'access_denied' });
  expect(endOf(await play([failed]))).toMatch(/refused in the browser/);
});

const FIELDS = {
  tokenId: 'tok_1',
  expiresAt: 1795362483,
  organizationId: 'org_b',
  user: { email: 'a@b.c' },
};
const READ = {
  ...FIELDS,
  user: undefined,
  email: 'a@b.c',
  expiresAt: '2026-11-22T15:48:03.000Z',
  expiresAtEstimated: false,
};
const OUTER = { tokenId: 'tok_outer', organizationId: 'org_a', data: { token: TOKEN, ...FIELDS } };
const ODD = { token: ' tok_odd ', expiresAt: 'soon', user: null, tokenId: 7 };
const GUESSED = {
  expiresAt: '2026-05-30T12:00:01.000Z',
  expiresAtEstimated: true,
  email: undefined,
};
const PREFIX = ['The token does not start with svc_; is it an API token?'];
const NUMBER = `{"token":"${TOKEN}","expiresAt":17801424000`;
test.each<[how: string, one: LoginAnswer, issued: object]>([
  ['of the object that holds it', answer(200, OUTER), { token: TOKEN, ...READ, warnings: [] }],
  [
    'that are odd',
    answer(201, ODD),
    { token: 'tok_odd', tokenId: '7', ...GUESSED, warnings: PREFIX },
  ],
  ['that were cut within a number', cut(200, NUMBER), { token: TOKEN, ...GUESSED, warnings: [] }],
])('a token comes with the fields %s', async (_how, one, issued) => {
  expect((await play([one])).end).toEqual({ kept: issued, interruptedBy: undefined });
});

test('a success that asks to wait, wrapped or in other words, is waited for', async () => {
  for (const body of [
    { data: { state: 'waiting_for_approval' } },
    { data: { error: 'authorization_pending' } },
  ]) {
    expect(endOf(await play([answer(200, body), error('invalid_grant')]))).toMatch(
      /^exit 9: The server no longer/,
    );
  }
});
