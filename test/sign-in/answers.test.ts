import { expect, test } from 'vitest';
import type { PollResult } from '../../src/sign-in/exchange.ts';
import { findIssuedToken } from '../../src/sign-in/token.ts';
import { answer, cut, endOf, error, play } from './score.ts';

const TOKEN = 'svc_CANARY_0123456789abcdef';
const ID = 'svc_0123456789abcdef0123456789';
const WHOLE = JSON.stringify({ token: TOKEN, tokenId: 'tok_3' });

test.each<[how: string, one: PollResult]>([
  ['twice wrapped', answer(200, { ok: true, result: { login: { token: TOKEN } } })],
  ['beside an id with the same prefix', answer(200, { tokenId: ID, data: { key: TOKEN } })],
  ['beside an error', answer(200, { token: TOKEN, error: 'authorization_pending' })],
  ['as plain text', answer(200, ` ${TOKEN}\r\n`)],
  ['in an object', answer(200, { token: { id: 'tok_9', value: TOKEN } })],
  ['under another name', answer(200, { bearer: TOKEN })],
  ['with the scheme of its header', answer(200, { token: `Bearer ${TOKEN}` })],
  ['that may be renewed', answer(200, { refreshToken: `${TOKEN}_longer`, accessToken: TOKEN })],
  ['under a name that says nothing, beside a longer id', answer(200, { a: TOKEN, orgId: ID })],
  ['the longest of two', answer(200, { a: `${TOKEN.slice(0, -1)}`, b: TOKEN })],
  ['two different ones', answer(200, { token: { a: TOKEN }, accessToken: TOKEN.slice(0, -1) })],
  ['wrapped, before the break', cut(200, JSON.stringify({ data: { token: TOKEN } }))],
  [
    'before many fields that were cut',
    cut(200, `${WHOLE.slice(0, -1)},"scopes":["a","b","c","d","e`),
  ],
])('a token is used: %s', async (_how, one) => {
  const played = await play([one, error('invalid_grant')]);
  expect([endOf(played), played.kept]).toEqual([`token ${TOKEN}`, [TOKEN]]);
});

test.each<[what: string, one: PollResult]>([
  ['what only renews one', answer(200, { refreshToken: TOKEN })],
  ['an id', answer(200, { serviceId: ID, id: ID })],
  ['a short text', answer(200, { token: { value: 'svc_wp_7k2m9qx4' } })],
  ['a token that no header can hold', answer(200, { token: `${TOKEN} b` })],
  ['an error that quotes one', answer(200, { result: { error: `Bearer ${TOKEN}` } })],
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

test('a token without the prefix is used where the document has it', async () => {
  const own = 'abcdefghij0123456789';
  const played = await play([answer(200, { data: { token: own, expiresAt: null } })]);

  expect(played.kept).toEqual([own]);
});

test('of several texts like tokens the places of those that are not kept are named', () => {
  const other = `${TOKEN}2`;
  const issued = findIssuedToken({ accessToken: TOKEN, refreshToken: other, extra: [other] }, 0);

  expect(issued?.token).toBe(TOKEN);
  expect(issued?.warnings).toEqual([
    'The answer has more than one text like a token. svc keeps that of accessToken, not refreshToken.',
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
const NUMBER = `{"token":"${TOKEN}","tokenId":47`;
test.each<[how: string, one: PollResult, issued: object]>([
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
