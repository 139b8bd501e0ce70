import { describe, expect, test } from 'vitest';
import { createAssume } from '../../src/contract/assumptions.ts';
import {
  describeAccount,
  getAccount,
  getKeyLifetimeMs,
  hashBody,
  isKeyFresh,
  isOrderEntry,
  isSameAccount,
  mayBeSameBuyer,
  parseOrderKey,
  wasJustPlaced,
} from '../../src/orders/entry.ts';
import { draftOf } from './orders.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const at = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString();

describe('a key that a user chooses', () => {
  const longest = `order 2026/03 #7 ${'~'.repeat(238)}`;

  test('is what a header carries unchanged', () => {
    expect(parseOrderKey(longest, '--idempotency-key')).toBe(longest);
  });

  test.each(['', ' a', 'a ', 'a\r\nX-Evil: 1', 'clé', `${longest}~`])(
    'is refused otherwise: %j',
    (key) => {
      expect(() => parseOrderKey(key, '--idempotency-key')).toThrow(/^--idempotency-key .* ASCII/s);
    },
  );
});

describe('two bodies', () => {
  const body = '{"items":[{"planId":"a","quantity":2}],"phone":"0042"}';

  test.each([
    ['the order of their fields', '{"phone":"0042","items":[{"quantity":2,"planId":"a"}]}'],
    ['blanks around a text', '{"items":[{"planId":" a ","quantity":2}],"phone":"0042\\n"}'],
    ['white space between the fields', body.replaceAll(',', ' , ')],
  ])('are the same order whatever %s', (_what, other) => {
    expect(hashBody(other)).toBe(hashBody(body));
  });

  test.each([
    ['a value', body.replace('42', '43')],
    ['the kind of a value', body.replace(':2}', ':"2"}')],
    ['an item more', body.replace(':2}', ':2},{}')],
    ['a blank inside a text', body.replace('0042', '00 42')],
  ])('are different orders by %s', (_what, other) => {
    expect(hashBody(other)).not.toBe(hashBody(body));
  });
});

describe('an account', () => {
  const address = 'https://api.example.com';
  const marie = { profile: 'work', email: 'marie@example.com' };
  const bare = getAccount({ token: 'svc_CANARY_0123456789abcdef', record: undefined });

  test('of a bare token is known by its hash, and shown by its last characters', () => {
    expect(describeAccount(bare)).toBe('SVC_TOKEN …cdef');
    expect(JSON.stringify(bare)).not.toContain('0123456789');
  });

  test('of a short token is shown without its last characters', () => {
    const short = getAccount({ token: 'svc_1234', record: undefined });

    expect(describeAccount(short)).toBe('SVC_TOKEN …');
  });

  test.each([
    ['a profile, whose email is known by now', { profile: 'work' }, marie, true],
    ['a profile that another person uses', marie, { ...marie, email: 'paul@x.example' }, false],
    ['an email in other letters', marie, { ...marie, email: 'Marie@Example.com' }, true],
    ['another profile of one person', marie, { ...marie, profile: 'home' }, false],
  ])('is the same or not: %s', (_what, account, other, isSame) => {
    expect(isSameAccount({ address, account }, { address, account: other })).toBe(isSame);
  });

  test.each([
    ['one token', bare, bare, true],
    ['a token whose owner is known by now', bare, { ...bare, email: 'marie@example.com' }, true],
    ['another token', bare, getAccount({ token: 'svc_OTHER', record: undefined }), false],
    ['the token of a profile', marie, { ...bare, email: 'marie@example.com' }, false],
  ])('is known by its token: %s', (_what, account, other, isSame) => {
    expect(isSameAccount({ address, account }, { address, account: other })).toBe(isSame);
  });

  test('at another address is another one', () => {
    const elsewhere = { address: 'https://api.example.org', account: marie };

    expect(isSameAccount({ address, account: marie }, elsewhere)).toBe(false);
  });
});

test.each([
  ['nothing known of either', {}, {}, true],
  ['two organizations that are named', { org: 'acme' }, { org: 'kola' }, false],
  ['one organization that is named', { org: 'acme' }, {}, true],
  ['two addresses', { address: 'https://api.example.org' }, {}, false],
])('two orders may be of one buyer: %s', (_what, entry, wanted, expected) => {
  expect(mayBeSameBuyer(draftOf('a', entry), draftOf('b', wanted))).toBe(expected);
});

test.each([
  ['two profiles', { profile: 'a', email: 'a@example.com' }, { profile: 'b' }, true],
  [
    'one email',
    { profile: 'a', email: 'a@x.example' },
    { profile: 'b', email: 'A@x.example' },
    true,
  ],
  [
    'two emails',
    { profile: 'a', email: 'a@x.example' },
    { profile: 'b', email: 'b@x.example' },
    false,
  ],
  [
    'the email of a bare token that differs',
    { tokenHash: '1', tokenEnding: '', email: 'a@x.example' },
    { profile: 'b', email: 'b@x.example' },
    false,
  ],
])('two accounts may be of one buyer: %s', (_what, account, other, expected) => {
  const entry = draftOf('a', { account });
  const wanted = draftOf('b', { account: other });

  expect(mayBeSameBuyer(entry, wanted)).toBe(expected);
});

test.each([
  ['just now', 0, true],
  ['almost a day ago', 23.9, true],
  ['a day ago', 24, false],
  ['a day ahead, since the clock was set back', -24, false],
])('a key that was first sent %s is sent again or not', (_when, hours, expected) => {
  expect(isKeyFresh(draftOf('a', { createdAt: at(hours) }), DAY_MS, NOW)).toBe(expected);
});

test.each([
  ['24h', 24 * HOUR_MS],
  ['90m', 1.5 * HOUR_MS],
])('the lifetime of keys is an assumption: %s', (text, expected) => {
  const assume = createAssume(new Map([['checkout.keyLifetime', text]]));

  expect(getKeyLifetimeMs(assume)).toBe(expected);
});

test('a lifetime of keys that is no duration is refused', () => {
  const assume = createAssume(new Map([['checkout.keyLifetime', 'long']]));

  expect(() => getKeyLifetimeMs(assume)).toThrow(/^assume\.checkout\.keyLifetime "long"/);
});

test.each([
  ['an hour ago', { placedAt: at(1) }, true],
  ['a day ago', { placedAt: at(24) }, false],
  ['an hour ago, sent days before', { createdAt: at(72), placedAt: at(1) }, true],
  ['in the future, since the clock was set back', { placedAt: at(-72) }, true],
  ['at a time that nobody knows, and sent an hour ago', { createdAt: at(1) }, true],
])('an order that was placed %s was just placed, or not', (_when, times, expected) => {
  expect(wasJustPlaced(draftOf('a', { state: 'placed', ...times }), NOW)).toBe(expected);
});

test('an order that is not placed was not just placed', () => {
  expect(wasJustPlaced(draftOf('a', { state: 'unknown', createdAt: at(1) }), NOW)).toBe(false);
});

describe('an entry of the journal', () => {
  const whole = { ...draftOf('a'), createdAt: at(1) };

  test('is whole with its body, or with the id of an order that exists', () => {
    expect(isOrderEntry(whole)).toBe(true);
    expect(isOrderEntry({ ...whole, body: undefined, state: 'unknown', orderId: 'ord_1' })).toBe(
      true,
    );
    expect(isOrderEntry({ ...whole, body: undefined, state: 'placed' })).toBe(true);
  });

  test.each<[what: string, damage: object]>([
    ['without a key', { key: undefined }],
    ['without saying whose the key is', { ownKey: undefined }],
    ['of an unknown state', { state: 'open' }],
    ['with a time that is none', { createdAt: 'soon' }],
    ['with a hash that is no text', { bodyHash: 7 }],
    ['of nobody', { account: { profiles: 'work' } }],
    ['that could not be sent again', { body: '[]' }],
    ['with an amount that is no text', { amount: 5400 }],
    ['with half a sender', { sender: { mark: 'x' } }],
  ])('is damaged %s', (_what, damage) => {
    expect(isOrderEntry({ ...whole, ...damage })).toBe(false);
  });
});
