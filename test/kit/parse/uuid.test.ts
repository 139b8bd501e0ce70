import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUuid } from '../../../src/commands/buy/order-item.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const ID = '1f0e2c9a-4b7d-4c6e-9a3b-0123456789ab';

test('a UUID is read in lower case', () => {
  expect(parseUuid(ID.toUpperCase(), '--promo')).toBe(ID);
});

test('nothing but the usual form is a UUID', () => {
  const odd = [
    '',
    'PROMO10',
    `{${ID}}`,
    `urn:uuid:${ID}`,
    ID.replaceAll('-', ''),
    ` ${ID}`,
    `${ID}\n`,
    `${ID}0`,
    `g${ID.slice(1)}`,
  ];
  for (const text of odd)
    expect(refusal(() => parseUuid(text, '--promo'))).toContain('is not a UUID. Copy the whole id');
});

test('every UUID is accepted and every other text refused', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => parseUuid(id, '--promo') === id),
    tries(500, 201),
  );
  fc.assert(
    fc.property(fc.string(), (text) => acceptedBy(() => parseUuid(text, '--promo')) === undefined),
    tries(500, 202),
  );
});
