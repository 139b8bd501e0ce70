import { expect, test } from 'vitest';
import { contentsOf } from '../../src/orders/contents.ts';

const of = (...items: readonly object[]) => contentsOf(JSON.stringify({ items }));

test('equal things are equal contents, however they are written', () => {
  const one = of({ planId: 'a' }, { domain: 'example.com', renew: true });
  expect(of({ renew: true, domain: 'example.com' }, { planId: 'a', quantity: 1, renew: false })).toEqual(one);
  expect(of({ planId: 'a', quantity: 3 })).toEqual(of({ planId: 'a' }, { planId: 'a', quantity: 2 }));
});

test('another plan, domain, renewal or quantity is another order', () => {
  const all = [
    of({ planId: 'a' }),
    of({ planId: 'b' }),
    of({ planId: 'a', quantity: 2 }),
    of({ planId: 'a', renew: true }),
    of({ planId: 'a', domain: 'example.com' }),
    of({ domain: 'a' }),
    of({ planId: 'a' }, { planId: 'b' }),
  ].map(({ things }) => things);
  expect(new Set(all).size).toBe(all.length);
});

test('a label is told apart, and does not make other things of them', () => {
  const [plain, blog] = [of({ planId: 'a' }), of({ planId: 'a', label: 'blog' })];
  expect(blog.things).toBe(plain.things);
  expect(blog.labelled).not.toBe(plain.labelled);
});
