import { describe, expect, test } from 'vitest';
import {
  contentsOf,
  fingerprint,
  isSameContents,
  parseOrderKey,
  sharesItem,
} from '../../src/orders/order.ts';

test('a key that is chosen is what a header carries unchanged', () => {
  const key = `order 2026/03 #7 ${'~'.repeat(238)}`;
  expect(parseOrderKey(key, '--idempotency-key')).toBe(key);
  for (const bad of ['', ' a', 'a ', 'a\r\nX-Evil: 1', 'clé', `${key}~`]) {
    expect(() => parseOrderKey(bad, '--idempotency-key'), bad).toThrow(
      /^--idempotency-key .* ASCII/s,
    );
  }
});

describe('the contents of an order', () => {
  const of = (...items: readonly unknown[]) => contentsOf(JSON.stringify({ items }));

  test('are equal however the items are written', () => {
    const one = of({ planId: 'a' }, { domain: 'example.com', renew: true });
    expect(
      of({ renew: true, domain: 'example.com' }, { planId: 'a', quantity: 1, renew: false }),
    ).toEqual(one);
    expect(of({ planId: 'a', quantity: 3 })).toEqual(
      of({ planId: 'a' }, { planId: 'a', quantity: 2 }),
    );
    expect(isSameContents(JSON.parse(JSON.stringify(one)), one), 'as the journal has them').toBe(
      true,
    );
  });

  test('differ by plan, domain, renewal, label and quantity', () => {
    const all = [
      of({ planId: 'a' }),
      of({ planId: 'b' }),
      of({ planId: 'a', quantity: 2 }),
      of({ planId: 'a', renew: true }),
      of({ planId: 'a', label: 'blog' }),
      of({ planId: 'a', domain: 'example.com' }),
      of({ planId: 'a' }, { planId: 'b' }),
    ];
    for (const [index, one] of all.entries()) {
      expect(all.findIndex((other) => isSameContents(one, other))).toBe(index);
    }
  });

  test.each<[string, object, object, boolean]>([
    [
      'the same plan renewed, in another quantity',
      { planId: 'a' },
      { planId: 'a', quantity: 3, renew: true },
      true,
    ],
    ['a domain more', { planId: 'a' }, { planId: 'a', domain: 'a.example' }, true],
    [
      'the same domain with another plan',
      { planId: 'a', domain: 'a.example' },
      { domain: 'a.example' },
      true,
    ],
    ['another plan', { planId: 'a' }, { planId: 'b' }, false],
    ['a label', { planId: 'a' }, { planId: 'a', label: 'x' }, false],
    [
      'another domain',
      { planId: 'a', domain: 'a.example' },
      { planId: 'a', domain: 'b.example' },
      false,
    ],
    ['nothing that can be told', {}, {}, false],
  ])('have an item in common or not: %s', (_what, one, other, isShared) => {
    expect(sharesItem(of(one), of(other))).toBe(isShared);
    expect(sharesItem(of(other), of(one))).toBe(isShared);
  });

  test('of a body that nobody expects are what can be read of it', () => {
    expect(of(7, { planId: 8, quantity: '2' })).toEqual([
      { planId: '8', renew: false, quantity: 1 },
      { renew: false, quantity: 1 },
    ]);
    for (const body of ['', '[]', '{"items":{}}']) expect(contentsOf(body)).toEqual([]);
  });
});

test('the fingerprint of a body depends on every value, and not on the order of the fields', () => {
  const body = '{"items":[{"planId":"a","quantity":2}],"phone":"0042"}';
  expect(fingerprint('{"phone":"0042","items":[{"quantity":2,"planId":"a"}]}')).toBe(
    fingerprint(body),
  );
  const others = [
    body.replace('42', '43'),
    body.replace(':2}', ':"2"}'),
    body.replace(':2}', ':2},{}'),
  ];
  expect(new Set([body, ...others].map(fingerprint)).size).toBe(4);
});
