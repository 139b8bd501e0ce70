import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/json/raw-json.ts';
import { fingerprint } from '../../src/orders/contents.ts';

const BODY = '{"items":[{"planId":"a","quantity":2}],"mobileMoneyPhone":"+237670000042"}';

test('the order of fields does not make another purchase of it', () => {
  const body = '{"mobileMoneyPhone":"+237670000042", "items":[{"quantity":2,"planId":"a"}]}';
  expect(fingerprint(body)).toBe(fingerprint(BODY));
});

test('everything else does', () => {
  const others = [
    BODY.replace('0042', '0043'),
    BODY.replace(':2}', ':"2"}'),
    BODY.replace('"a"', '"b"'),
    BODY.replace(':2}', ':2},{}'),
    '{}',
  ];
  const prints = [BODY, ...others].map(fingerprint);
  expect(new Set(prints).size).toBe(others.length + 1);
});

test('canonical JSON is JSON of the same value, whatever the order of its fields', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

test('fields without a value count as absent, as they do on the wire', () => {
  expect(canonicalJson({ a: undefined, b: [undefined], c: null })).toBe('{"b":[null],"c":null}');
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}
