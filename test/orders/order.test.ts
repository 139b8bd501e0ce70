import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/json/raw-json.ts';
import {
  contentsOf,
  fingerprint,
  isSameContents,
  labelsOf,
  parseOrderKey,
  sharesItem,
} from '../../src/orders/order.ts';

test('a key that is chosen is what a header carries unchanged', () => {
  for (const key of ['a', 'order 2026/03 #7', '~'.repeat(255)])
    expect(parseOrderKey(key, '--idempotency-key')).toBe(key);
  for (const key of ['', ' a', 'a ', 'a\n', 'clé', 'a\r\nX-Evil: 1', '~'.repeat(256), 'a\u007f']) {
    expect(() => parseOrderKey(key, '--idempotency-key'), JSON.stringify(key)).toThrow(
      /^--idempotency-key ".*" is not 1 to 255 printable ASCII characters without spaces around them\.$/s,
    );
  }
});

describe('the contents of an order', () => {
  const of = (...items: readonly unknown[]) => contentsOf(JSON.stringify({ items }));

  test('are equal however the items are written', () => {
    const one = of({ planId: 'a' }, { domain: 'example.com', renew: true });
    expect(of({ renew: true, domain: 'example.com' }, { planId: 'a', quantity: 1, renew: false })).toEqual(one);
    expect(of({ planId: 'a', quantity: 3 })).toEqual(of({ planId: 'a' }, { planId: 'a', quantity: 2 }));
    const written = JSON.parse(JSON.stringify(of({ planId: 'a' })));
    expect(isSameContents(written, of({ planId: 'a' })), 'as the journal has them').toBe(true);
  });

  test('differ by plan, domain, renewal, label and quantity', () => {
    const all = [
      of({ planId: 'a' }),
      of({ planId: 'b' }),
      of({ planId: 'a', quantity: 2 }),
      of({ planId: 'a', renew: true }),
      of({ planId: 'a', label: 'blog' }),
      of({ planId: 'a', domain: 'example.com' }),
      of({ domain: 'a' }),
      of({ planId: 'a' }, { planId: 'b' }),
      of(),
    ];
    for (const [index, one] of all.entries()) {
      expect(all.findIndex((other) => isSameContents(one, other))).toBe(index);
    }
  });

  test.each<[string, object[], object[], boolean]>([
    ['the same plan, in another quantity', [{ planId: 'a' }], [{ planId: 'a', quantity: 3 }], true],
    ['a renewal', [{ planId: 'a' }], [{ planId: 'a', renew: true }], true],
    ['a domain more', [{ planId: 'a' }], [{ planId: 'a', domain: 'a.example' }], true],
    ['the same domain with another plan', [{ planId: 'a', domain: 'a.example' }], [{ domain: 'a.example' }], true],
    ['another plan', [{ planId: 'a' }], [{ planId: 'b' }], false],
    ['another label', [{ planId: 'a', label: 'x' }], [{ planId: 'a', label: 'y' }], false],
    ['a label', [{ planId: 'a' }], [{ planId: 'a', label: 'x' }], false],
    ['another domain', [{ planId: 'a', domain: 'a.example' }], [{ planId: 'a', domain: 'b.example' }], false],
    ['nothing that can be told', [{}], [{}], false],
  ])('have an item in common or not: %s', (_what, one, other, isShared) => {
    expect(sharesItem(of(...one), of(...other))).toBe(isShared);
    expect(sharesItem(of(...other), of(...one))).toBe(isShared);
  });

  test('name their labels once each', () => {
    expect(labelsOf(of({ label: 'b', planId: 'p' }, { label: 'a' }, { label: 'b' }, {}))).toBe('a, b');
    expect(labelsOf(of({ planId: 'a' }))).toBeUndefined();
  });

  test('of a body that nobody expects are what can be read of it', () => {
    expect(of(7, null, { planId: 8, quantity: '2', label: {} })).toEqual([
      { planId: '8', renew: false, quantity: 1 },
      { renew: false, quantity: 2 },
    ]);
    for (const body of ['', '[]', '{"items":{}}', 'null']) expect(contentsOf(body)).toEqual([]);
  });
});

describe('the fingerprint of a body', () => {
  const BODY = '{"items":[{"planId":"a","quantity":2}],"mobileMoneyPhone":"+237670000042"}';

  test('depends on every value', () => {
    const others = [BODY.replace('0042', '0043'), BODY.replace(':2}', ':"2"}'), BODY.replace(':2}', ':2},{}')];
    expect(new Set([BODY, ...others].map(fingerprint)).size).toBe(4);
  });

  test('is that of canonical JSON: of the same value, whatever the order of its fields', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('counts fields without a value as absent, as they are on the wire', () => {
    expect(canonicalJson({ a: undefined, b: [undefined], c: null })).toBe('{"b":[null],"c":null}');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, reversed(inner)]);
  return Object.fromEntries(entries.reverse());
}
