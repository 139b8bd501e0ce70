import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, fingerprint, type PurchaseRequest } from '../../src/purchase/fingerprint.ts';

const REQUEST: PurchaseRequest = {
  method: 'POST',
  url: 'https://api.example.com/v1/checkout',
  org: 'acme',
  body: { items: [{ planId: 'a', quantity: 2 }], mobileMoneyPhone: '+237670000042' },
};

test('the order of fields does not make another purchase of it', () => {
  const body = { mobileMoneyPhone: '+237670000042', items: [{ quantity: 2, planId: 'a' }] };
  expect(fingerprint({ ...REQUEST, body }, 'salt')).toBe(fingerprint(REQUEST, 'salt'));
});

test('everything else does', () => {
  const others: PurchaseRequest[] = [
    { ...REQUEST, method: 'PUT' },
    { ...REQUEST, url: 'https://api.example.org/v1/checkout' },
    { ...REQUEST, org: undefined },
    { ...REQUEST, org: 'other' },
    { ...REQUEST, body: { ...REQUEST.body, mobileMoneyPhone: '+237670000043' } },
    { ...REQUEST, body: { ...REQUEST.body, items: [{ planId: 'a', quantity: '2' }] } },
    { ...REQUEST, body: { ...REQUEST.body, items: [{ planId: 'a', quantity: 2 }, {}] } },
  ];
  const prints = [REQUEST, ...others].map((request) => fingerprint(request, 'salt'));
  expect(new Set(prints).size).toBe(others.length + 1);
});

test('another journal has another fingerprint for the same purchase', () => {
  expect(fingerprint(REQUEST, 'one')).not.toBe(fingerprint(REQUEST, 'two'));
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
