import { expect, test } from 'vitest';
import { matchesKey } from '../../src/dns/domain-check.ts';

// RFC 4509, section 2.3, and RFC 4034, section 5.4: one key, and its DS records in SHA-256 and
// SHA-1.
const KEY =
  '256 3 5 AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==';
const SHA_256 = '60485 5 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A';

test.each([
  ['fits the key that it was made of', SHA_256, true],
  ['may be an older one', '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118', true],
  ['with another digest does not fit', SHA_256.replace('D4B7', 'D4B8'), false],
  ['with another key tag does not fit', SHA_256.replace('60485', '60486'), false],
  ['with another algorithm does not fit', SHA_256.replace(' 5 2', ' 8 2'), false],
  [
    'of a kind that svc cannot compute is taken at its key tag and algorithm',
    '60485 5 3 ABCD',
    true,
  ],
])('a DS record %s', (_title, ds, fits) => {
  expect(matchesKey(ds, KEY, 'DSKEY.example.com.')).toBe(fits);
  expect(matchesKey(ds, KEY, 'other.example.com')).toBe(fits && ds.endsWith('ABCD'));
});
