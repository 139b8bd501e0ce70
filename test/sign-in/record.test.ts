import { expect, test } from 'vitest';
import { addSignIn, findByAddress, getProfileName } from '../../src/sign-in/credentials.ts';
import { storedSignIn } from '../support/stored.ts';

const API = 'https://api.example.com';
const home = storedSignIn('api.example.com', API, { email: 'a@example.com', org: 'org_2' });
const work = storedSignIn('work', API);
const local = storedSignIn('127.0.0.1:4750', 'http://127.0.0.1:4750');
const stored = { current: 'work', credentials: [home, work, local] };

test('a sign-in is found by its address, in any spelling; the current one wins where several share it', () => {
  expect(getProfileName('https://API.example.com:443/v2/')).toBe('api.example.com/v2');
  expect(findByAddress(stored, 'HTTP://127.0.0.1:4750/')).toBe(local);
  expect(findByAddress(stored, `${API}/other`)).toBeUndefined();
  expect(findByAddress(stored, API)).toBe(work);
  expect(findByAddress({ ...stored, current: undefined }, API)).toBe(home);
});

test.each([
  [{}, 'org_2'],
  [{ org: 'org_3' }, 'org_3'],
  [{ email: 'b@example.com' }, undefined],
  [{ baseUrl: 'https://other.example' }, undefined],
])(
  'the organization survives a new sign-in of the same account at the same address only: %j',
  (more, org) => {
    expect(addSignIn(stored, { ...home, org: undefined, ...more }).credentials.at(-1)?.org).toBe(
      org,
    );
    // Of two accounts without an e-mail address nobody knows whether they are the same.
    const unknown = { ...home, email: undefined };
    const [again] = addSignIn(
      { ...stored, credentials: [unknown] },
      { ...unknown, org: undefined },
    ).credentials;
    expect(again?.org).toBeUndefined();
  },
);
